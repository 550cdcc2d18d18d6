import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { administratorEnv, administratorToken, callApi } from '../../../test/server/api-access.ts'
import { serveArgs, startServer } from '../../../test/server/server-process.ts'
import { useSwift } from '../../../test/services/swift.ts'
import { type Caller, download, servedHash, startAssetClients } from './asset-clients.ts'
import { type Fault, type FaultProxy, type Script, startFaultProxy } from './fault-proxy.ts'
import { type JsonReader, openJsonReader } from './json-reader.ts'

const repository = 'files'
const articles = 40

/**
 * Rounds of each kind, alternating, so that other load on the machine affects both. An odd number,
 * for a median; with a single round, one disturbance would decide.
 */
const rounds = 5
/** 375 responses: the four slowest are above the p99. */
const roundMs = 3_000

/** Milliseconds that a change of the bucket takes to be fully effective. */
const settleMs = 700

/** How much longer JSON may take while the bucket misbehaves (TRUST F20). */
const mostTimes = 1.5

/**
 * Milliseconds below which a p99 is good, whatever the quiet one was: what TRUST 4.1 promises for a
 * read by slug. A quiet p99 is 8 to 20 ms on an otherwise idle machine. A time slice of another
 * process is half of this limit, because there are two cores for everything: at half the limit,
 * noise would decide.
 */
const goodMs = 20

/** Milliseconds within which idle connections are closed: the proxy holds them for 5 s. */
const longestClose = 10_000

describe('a service whose bucket', () => {
  const swift = useSwift()
  let proxy: FaultProxy
  beforeEach(async () => {
    proxy = await startFaultProxy(swift().endpoint)
    return () => proxy.close()
  })

  /** The service on SQLite, with binaries in a bucket behind the proxy. */
  async function serve(): Promise<Caller> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-slow-bucket-'))
    const { bucket, credentials } = swift().options
    const location = [`--blobs=s3://${bucket}/${randomUUID()}`, `--s3-endpoint=${proxy.endpoint}`]
    const server = await startServer({
      args: [...serveArgs(folder), '--log=error', ...location],
      env: {
        ...administratorEnv,
        AWS_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
        AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
      },
    })
    onTestFinished(async () => {
      await server.kill()
      await rm(folder, { recursive: true })
    })
    const caller = { url: server.url, token: await administratorToken(server.url), repository }
    await prepare(caller)
    return caller
  }

  it('fails still answers JSON as fast as ever, and loses no file', async () => {
    const caller = await serve()
    const json = readJson(caller)
    const idle = proxy.connections()
    const clients = startAssetClients(caller)
    // The first use of anything in a process is slow.
    await json.read(2_000)
    const [quiet, wrong]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      await sleep(settleMs)
      quiet.push(p99(await json.read(roundMs)))
      const { script, release } = misbehaviour()
      proxy.follow(script)
      await sleep(settleMs)
      wrong.push(p99(await json.read(roundMs)))
      proxy.follow(() => null)
      release()
    }
    await clients.stop()
    console.log(
      summary({ quiet, wrong }),
      Object.fromEntries(clients.ends),
      Object.fromEntries(proxy.happened),
    )
    expect(median(wrong)).toBeLessThanOrEqual(Math.max(goodMs, median(quiet) * mostTimes))
    expect(clients.findings).toEqual([])
    for (const [id, hash] of clients.stored) expect(await servedHash(caller, id), id).toBe(hash)
    // Proof that the faults happened.
    for (const end of ['sent', 'read', 'left'] as const)
      expect(clients.ends.get(end), end).toBeGreaterThan(10)
    for (const fault of ['busy', 'half', 'reset'] as const) {
      expect(proxy.happened.get(fault), fault).toBeGreaterThan(0)
    }
    await expect.poll(() => proxy.connections(), { timeout: longestClose }).toBeLessThanOrEqual(idle)
    expect(proxy.underWay()).toBe(0)
  }, 120_000)

  it('never answers blocks nobody on behalf of clients that disconnected', async () => {
    const caller = await serve()
    const [stuck, other] = [await upload(caller, 'stuck'), await upload(caller, 'other')]
    const hash = createHash('sha256').update('stuck').digest('hex')
    proxy.follow(async ({ url }) => {
      if (url?.includes(hash)) await sleep(30_000, undefined, { ref: false })
      return null
    })
    // More than the connections there are.
    const left = Array.from({ length: 100 }, () => download(caller, stuck, AbortSignal.timeout(200)))
    for (const { status } of await Promise.allSettled(left)) expect(status).toBe('rejected')
    await expect.poll(() => proxy.underWay(), { timeout: 2_000 }).toBe(0)
    const begun = performance.now()
    expect((await download(caller, other)).status).toBe(200)
    expect(performance.now() - begun).toBeLessThan(2_000)
  }, 60_000)
})

/** The id of a file whose content is its name. */
async function upload({ url, token }: Caller, name: string): Promise<string> {
  const body = new FormData()
  body.append('file', new File([name], name))
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/assets/${repository}`, { method: 'POST', body, headers })
  const { id } = (await response.json()) as { readonly id: string }
  return id
}

async function prepare(call: Caller): Promise<void> {
  const types = '/api/content/management/types'
  const title = { name: 'title', kind: 'text' }
  await callApi(call, 'POST', { path: '/api/admin/repositories', body: { name: repository } })
  await callApi(call, 'POST', { path: types, body: { name: 'file', settings: { isAsset: true } } })
  await callApi(call, 'POST', { path: types, body: { name: 'article', fields: [title] } })
  for (let index = 0; index < articles; index += 1) {
    const name = `Article ${index}`
    const fields = { title: `${name}: ${'ink and paper '.repeat(50)}` }
    const body = { repositoryId: repository, type: 'article', name, fields }
    await callApi(call, 'POST', { path: '/api/items', body })
  }
}

/** Reads each article by its slug, and a list after each of them. */
function readJson({ url, token }: Caller): JsonReader {
  const base = `${url}/api/items/${repository}`
  const indexes = Array.from({ length: articles }, (_, index) => index)
  const urls = indexes.flatMap((index) => [`${base}/slug/article-${index}`, `${base}?limit=20`])
  const reader = openJsonReader({ token, urls })
  onTestFinished(() => reader.close())
  return reader
}

/**
 * What happens to requests, each equally likely; null: nothing. Never wrong bytes: twice in a row
 * they would be a damaged file, which the service reports (500). Stalls only as `late`, which ends
 * with the round.
 */
const fates: readonly (Fault | 'late' | null)[] = [
  ...Array.from({ length: 5 }, () => 'busy' as const),
  ...Array.from({ length: 4 }, () => 'late' as const),
  ...Array.from({ length: 3 }, () => 'half' as const),
  'reset',
  'reset',
  'broken',
  'lost',
  ...Array.from({ length: 4 }, () => null),
]

/** Most requests fail. Late ones are answered once they are released, or after 30 s. */
function misbehaviour(): { readonly script: Script; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const script = async () => {
    const fate = fates[Math.floor(Math.random() * fates.length)] ?? null
    if (fate !== 'late') return fate
    await Promise.race([promise, sleep(30_000, undefined, { ref: false })])
    return null
  }
  return { script, release: resolve }
}

function p99(times: readonly number[]): number {
  return sorted(times)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

function median(values: readonly number[]): number {
  return sorted(values)[Math.floor((values.length - 1) / 2)] ?? Number.NaN
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((one, other) => one - other)
}

/** `p99 of JSON in ms: quiet 12 14 11 13, wrong 9 10 12 9` */
function summary(kinds: Readonly<Record<string, readonly number[]>>): string {
  const texts = Object.entries(kinds).map(
    ([kind, values]) => `${kind} ${values.map((ms) => ms.toFixed(0)).join(' ')}`,
  )
  return `p99 of JSON in ms: ${texts.join(', ')}`
}
