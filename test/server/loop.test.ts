import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { limits } from '@quire/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { administratorEnv, administratorToken, callApi } from './api-access.ts'
import type { AttackOrder } from './attacker.ts'
import { prepareContent } from './content-attacks.ts'
import { attacks, type Attack, type Attacker } from './loop-attacks.ts'
import { serveArgs, startServer, type ServerProcess } from './server-process.ts'

/**
 * The longest a read may take at the 99th percentile: 100 ms, or nine times what decoding the
 * largest body costs now, on a machine where one such body takes longer than 11 ms.
 */
function longestReadMs(): number {
  return Math.max(100, 9 * decodingMs())
}

/** The mean time in ms to decode the largest accepted JSON body, and to collect its garbage. */
function decodingMs(): number {
  const bytes = Buffer.from(JSON.stringify({ body: '&'.repeat(limits.itemBodyBytes - 11) }))
  const start = performance.now()
  for (let count = 0; count < 15; count++) JSON.parse(Buffer.concat([bytes]).toString())
  return (performance.now() - start) / 15
}

/** The duration of each attack, and the interval of the reads in parallel. */
const attackMs = 2_500
const readEveryMs = 20

let folder: string
let server: ServerProcess
let reader: string
const tokens = new Map<Attacker, string>()
let made: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-loop-'))
  // The default rate limits do not slow anyone down here, because the cost of each request is
  // measured.
  const args = ['--import', './test/server/print-loop-delay.ts', ...serveArgs(folder)]
  server = await startServer({ args, env: administratorEnv })
  const admin = { url: server.url, token: await administratorToken(server.url) }
  await callApi(admin, 'POST', {
    path: '/api/admin/repositories',
    body: { name: 'open', public: true, settings: { graphql: { public: true } } },
  })
  const fields = [{ name: 'title', kind: 'text' }]
  await callApi(admin, 'POST', { path: '/api/content/management/types', body: { name: 'article', fields } })
  // The content is small, so that the reader's own work does not distort the measurement.
  await callApi(admin, 'POST', { path: '/api/admin/repositories', body: { name: 'read' } })
  const small = { repositoryId: 'read', type: 'article', name: 'Small' }
  await callApi(admin, 'POST', { path: '/api/items', body: small })
  made = await prepareContent(admin)
  for (const name of ['viewer', 'contributor'] as const) tokens.set(name, await accountOf(admin, name))
  tokens.set('nobody', await accountOf(admin, 'nobody'))
  reader = await accountOf(admin, 'viewer', 'reader')
  // What the first requests load and compile is not the work of an attack.
  const large = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ' '.repeat(limits.bodyBytes + 1),
  }
  for (let count = 0; count < 100; count++)
    await Promise.all([read(), timed(`${server.url}/livez`), timed(`${server.url}/oauth2/token`, large)])
}, 60_000)

afterAll(async () => {
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

/** A token of a new account with the bundle of that name; without one for `nobody`. */
async function accountOf(
  admin: { url: string; token: string },
  kind: Exclude<Attacker, 'anonymous'>,
  name: string = kind,
): Promise<string> {
  const role = { name, bundles: kind === 'nobody' ? [] : [`bundle.${kind}`] }
  const { id } = await callApi<{ id: string }>(admin, 'POST', { path: '/api/security/roles', body: role })
  const roles = kind === 'nobody' ? [] : [id]
  const account = await callApi<{ id: string; secret: string }>(admin, 'POST', {
    path: '/api/security/serviceAccounts',
    body: { name, roles },
  })
  return administratorToken(server.url, account)
}

interface Measured {
  readonly statuses: readonly number[]
  /** In milliseconds, ascending. */
  readonly times: readonly number[]
}

/** A thread that repeats an attack over one connection and reports the answers. */
function begin({ name, by }: Attack): Worker {
  const workerData: AttackOrder = { name, url: server.url, token: tokens.get(by), forMs: attackMs, made }
  const execArgv = ['--conditions=quire-source']
  return new Worker(new URL('attacker.ts', import.meta.url), { workerData, execArgv })
}

/** Repeats an attack while another client reads. Returns the results of both. */
async function under(attack: Attack): Promise<{ attacker: number[]; reads: Measured }> {
  const attacking = once(begin(attack), 'message')
  const end = performance.now() + attackMs
  const reads: Timed[] = []
  const signs: Timed[] = []
  while (performance.now() < end) {
    reads.push(read())
    signs.push(timed(`${server.url}/livez`))
    await pause(readEveryMs)
  }
  const [attacker] = (await attacking) as [number[]]
  const answers = await Promise.all(reads)
  const times = answers.map(([, ms]) => ms).toSorted((one, other) => one - other)
  const statuses = [...answers, ...(await Promise.all(signs))].map(([status]) => status)
  return { attacker, reads: { statuses, times } }
}

type Timed = Promise<[status: number, ms: number]>

function read(): Timed {
  return timed(`${server.url}/api/items/read?limit=1`, { headers: { authorization: `Bearer ${reader}` } })
}

async function timed(url: string, init?: RequestInit): Promise<[status: number, ms: number]> {
  const start = performance.now()
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) }).catch(() => null)
  await answer?.arrayBuffer()
  return [answer?.status ?? 0, performance.now() - start]
}

let asked = 0

/** The longest blocking of the server's event loop in ms since the last call. */
async function loopDelay(): Promise<number> {
  // Answers are identified by number, because only the newest log lines are kept.
  const answer = `"event":"loop","asked":${++asked},`
  process.kill(server.pid, 'SIGUSR2')
  const line = await vi.waitUntil(() => server.lines.findLast((text) => text.includes(answer)), {
    timeout: 10_000,
  })
  return (JSON.parse(line) as { mostMs: number }).mostMs
}

describe('other requests are served during an attack:', () => {
  // Again, because a machine that pauses for a moment is not an attack that succeeds.
  it.each(attacks)('$name, by $by', { retry: 2 }, async (attack) => {
    await loopDelay()
    const { attacker, reads } = await under(attack)
    const p99 = reads.times[Math.ceil(reads.times.length * 0.99) - 1] ?? Infinity
    const most = reads.times.at(-1) ?? Infinity
    const loop = await loopDelay()
    const figures = `p99 ${p99.toFixed(0)} ms, max ${most.toFixed(0)} ms; loop blocked for at most ${loop.toFixed(0)} ms`
    console.log(`${attack.name}: ${attacker.length} sent; reads ${figures}`)
    expect(new Set(reads.statuses)).toEqual(new Set([200]))
    expect(p99).toBeLessThanOrEqual(longestReadMs())
    expect(attacker).toContain(attack.status)
    const expected = [attack.status, 429, 503, 0]
    expect(attacker.filter((status) => !expected.includes(status))).toEqual([])
  })

  it('and a signal stops the service during an attack', async () => {
    const [worst] = attacks.filter(({ by }) => by === 'contributor')
    if (!worst) throw new Error('There is no attack by a contributor.')
    const worker = begin(worst)
    await pause(1000)
    await server.stop()
    await worker.terminate()
    expect(server.ended()).toBe('exit 0')
  })
})
