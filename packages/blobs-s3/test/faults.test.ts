import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BlobCorrupt, type Blobs, BlobsUnavailable } from '@quire/core/ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { openS3Blobs } from '../src/index.ts'
import { type Fault, type FaultProxy, type Script, startFaultProxy } from './fault-proxy.ts'
import { useSwift } from '../../../test/services/swift.ts'

const MiB = 1024 * 1024
const uploadId = 'UPLD_01JXSC6G000000000000000001'
const unavailable = { name: 'BlobsUnavailable', kind: 'failing' }
/** Short, so that a test of time limits takes only seconds. */
const limits = { timeoutMs: 12_000, attemptTimeoutMs: 3_000 }

describe('a store that fails', () => {
  const swift = useSwift()
  let proxy: FaultProxy
  let prefix: string
  let blobs: Blobs
  let direct: Blobs
  beforeEach(async () => {
    prefix = `${randomUUID()}/`
    proxy = await startFaultProxy(swift().endpoint)
    blobs = await openS3Blobs({ ...swift().options, ...limits, prefix, endpoint: proxy.endpoint })
    direct = await openS3Blobs({ ...swift().options, prefix })
    return () => proxy.close()
  })

  const put = (bytes: Uint8Array) => blobs.put(inChunks(bytes))

  for (const fault of ['busy', 'broken', 'reset', 'stalled', 'lost', 'half', 'wrong sent'] as const) {
    it(`once at each step of a put causes no error: ${fault}`, async () => {
      // The whole may take its time: a store on a slow disk needs seconds for the attempts that succeed.
      const at = { ...swift().options, ...limits, prefix, endpoint: proxy.endpoint }
      const patient = await openS3Blobs({ ...at, timeoutMs: 30_000 })
      // Each stalled request takes 3 s.
      for (const size of fault === 'stalled' ? [1_000] : [1_000, 9 * MiB]) {
        proxy.follow(everySecond(fault))
        const bytes = randomBytes(size)
        const { hash } = await patient.put(inChunks(bytes))
        proxy.follow(() => null)
        expect(hash).toBe(hashOf(bytes))
        expect(await direct.verify(hash)).toBe('sound')
        expect(proxy.happened.get(fault)).toBeGreaterThan(0)
      }
    }, 60_000)
  }

  for (const fault of ['busy', 'broken', 'reset', 'stalled'] as const) {
    it(`permanently is reported within the time limit: ${fault}`, async () => {
      const { hash } = await put(randomBytes(100))
      proxy.follow(() => fault)
      const begun = performance.now()
      const calls = [
        blobs.read(hash),
        blobs.stat(hash),
        put(randomBytes(50)),
        blobs.ping(),
        blobs.verify(hash),
      ]
      const ends = calls.map((call) => expect(call).rejects.toMatchObject(unavailable))
      await Promise.all(ends)
      expect(performance.now() - begun).toBeLessThan(limits.timeoutMs + 1_500)
    }, 40_000)
  }

  it('in the middle of a response is resumed, to the last byte', async () => {
    for (const size of [300_000, 20 * MiB]) {
      const bytes = randomBytes(size)
      const { hash } = await put(bytes)
      let answers = 0
      proxy.follow(({ method }) => (method === 'GET' && (answers += 1) < 3 ? 'half' : null))
      expect(hashOf(await readAll(blobs, hash))).toBe(hash)
      expect(answers).toBeGreaterThanOrEqual(3)
    }
  }, 30_000)

  it('in the middle of every response is reported, and nothing incomplete counts as complete', async () => {
    const { hash } = await put(randomBytes(9 * MiB))
    proxy.follow(({ method }) => (method === 'GET' ? 'half' : null))
    let given = 0
    const read = async () => {
      for await (const chunk of (await blobs.read(hash)) ?? []) given += chunk.length
    }
    // Each response delivers half of the rest, and none the last byte.
    await expect(read()).rejects.toThrow(BlobsUnavailable)
    expect(given).toBeLessThan(9 * MiB)
  }, 30_000)

  it('with wrong bytes once causes no error where all bytes are verified first', async () => {
    const bytes = randomBytes(MiB)
    const { hash } = await put(bytes)
    proxy.follow(firstGet('wrong'))
    expect(hashOf(await readAll(blobs, hash))).toBe(hash)
    proxy.follow(firstGet('wrong'))
    expect(await blobs.verify(hash)).toBe('sound')
  })

  it('with wrong bytes is detected before the last of them is delivered', async () => {
    for (const size of [1_000, 9 * MiB]) {
      const { hash } = await put(randomBytes(size))
      proxy.follow(({ method }) => (method === 'GET' ? 'wrong' : null))
      await expect(readAll(blobs, hash)).rejects.toThrow(BlobCorrupt)
      expect(await blobs.verify(hash)).toBe('corrupt')
      proxy.follow(() => null)
      expect(await blobs.verify(hash)).toBe('sound')
    }
  })

  it('with wrong bytes of an upload never stores them under a wrong name', async () => {
    const bytes = randomBytes(9 * MiB)
    await blobs.partials.begin(uploadId, bytes.length)
    await blobs.partials.append(uploadId, { offset: 0, bytes: inChunks(bytes) })
    const other = await openS3Blobs({ ...swift().options, ...limits, prefix, endpoint: proxy.endpoint })
    proxy.follow(({ method }) => (method === 'GET' ? 'wrong' : null))
    await expect(other.partials.finish(uploadId, bytes.length)).rejects.toThrow(BlobsUnavailable)
    proxy.follow(() => null)
    expect((await other.partials.finish(uploadId, bytes.length)).hash).toBe(hashOf(bytes))
  }, 30_000)

  it('at any step of many puts and uploads loses nothing acknowledged', async () => {
    const faults = ['busy', 'broken', 'reset', 'stalled', 'lost', 'half', 'wrong sent'] as const
    const acknowledged: string[] = []
    const refused: unknown[] = []
    const tried = (work: Promise<{ readonly hash: string }>) =>
      work.then(
        ({ hash }) => acknowledged.push(hash),
        (error: unknown) => refused.push(error),
      )
    proxy.follow(() =>
      Math.random() < 0.2 ? (faults[Math.floor(Math.random() * faults.length)] ?? null) : null,
    )
    const sizes = [0, 1_000, 100_000, 9 * MiB, 17 * MiB]
    const rounds = Array.from({ length: 4 }, async (_, round) => {
      for (const size of sizes) {
        await tried(put(randomBytes(size)))
        await tried(upload(blobs, `${uploadId.slice(0, -1)}${round}`, randomBytes(size)))
      }
    })
    await Promise.all(rounds)
    proxy.follow(() => null)
    expect(refused.filter((error) => !(error instanceof BlobsUnavailable))).toEqual([])
    expect(acknowledged.length + refused.length).toBe(rounds.length * sizes.length * 2)
    expect(acknowledged.length).toBeGreaterThan(refused.length)
    for (const hash of acknowledged) expect(await direct.verify(hash), hash).toBe('sound')
    for await (const { hash } of direct.list()) expect(await direct.verify(hash), hash).toBe('sound')
  }, 180_000)

  it('is not confused with a slow reader', async () => {
    const times = { timeoutMs: 1_500, attemptTimeoutMs: 1_000 }
    const impatient = await openS3Blobs({ ...swift().options, ...times, prefix, endpoint: proxy.endpoint })
    const { hash } = await put(randomBytes(20 * MiB))
    let answers = 0
    proxy.follow(({ method }) => {
      if (method === 'GET') answers += 1
      return null
    })
    const digest = createHash('sha256')
    let given = 0
    for await (const chunk of (await impatient.read(hash)) ?? []) {
      if (given === 0) await sleep(3_000)
      given += chunk.length
      digest.update(chunk)
    }
    expect(digest.digest('hex')).toBe(hash)
    expect(answers).toBe(1)
  })

  it('that loses the response to a manifest loses no acknowledged bytes', async () => {
    const bytes = randomBytes(9 * MiB)
    const half = 6 * MiB
    const cuts = [2 * MiB, 4 * MiB, half]
    await blobs.partials.begin(uploadId, bytes.length)
    let offset = 0
    for (const end of cuts) {
      offset = await blobs.partials.append(uploadId, { offset, bytes: inChunks(bytes.subarray(offset, end)) })
    }
    proxy.follow(({ method, url }) => (method === 'PUT' && url?.includes('/partial/') ? 'lost' : null))
    const rest = () => ({ offset: half, bytes: inChunks(bytes.subarray(half)) })
    await expect(blobs.partials.append(uploadId, rest())).rejects.toThrow(BlobsUnavailable)
    proxy.follow(() => null)
    const other = await openS3Blobs({ ...swift().options, prefix })
    expect(await other.partials.append(uploadId, rest())).toBe(bytes.length)
    expect((await other.partials.finish(uploadId, bytes.length)).hash).toBe(hashOf(bytes))
  }, 40_000)

  it('that loses the response to the last step of a blob does not damage it', async () => {
    const bytes = randomBytes(9 * MiB)
    const isLast = (url: string | undefined) => url?.includes('/blobs/') && url.includes('uploadId=')
    proxy.follow(({ method, url }) => (method === 'POST' && isLast(url) ? 'lost' : null))
    await expect(put(bytes)).rejects.toThrow(BlobsUnavailable)
    expect(await direct.verify(hashOf(bytes))).toBe('sound')
    proxy.follow(() => null)
    await put(bytes)
    expect(await direct.verify(hashOf(bytes))).toBe('sound')
  }, 40_000)

  it('leaves no running request when readers and senders disconnect', async () => {
    const { hash } = await put(randomBytes(20 * MiB))
    for (let time = 0; time < 100; time += 1) {
      const bytes = (await blobs.read(hash))?.[Symbol.asyncIterator]()
      if (time % 2 === 0) await bytes?.next()
      await bytes?.return?.()
    }
    const gone = new Error('gone')
    for (let time = 0; time < 10; time += 1) {
      await expect(blobs.put(brokenOff(randomBytes(9 * MiB), gone))).rejects.toBe(gone)
    }
    for (let wait = 0; wait < 50 && proxy.underWay() > 0; wait += 1) await sleep(100)
    expect(proxy.underWay()).toBe(0)
    expect(proxy.connections()).toBeLessThan(16)
    const begun = performance.now()
    await blobs.stat(hash)
    expect(performance.now() - begun).toBeLessThan(1_000)
  }, 60_000)
})

/** The fault for every second attempt of each request, by method and address. */
function everySecond(fault: Fault): Script {
  const seen = new Map<string, number>()
  return ({ method, url }) => {
    const name = `${method} ${url?.split('x-id=')[0]}`
    seen.set(name, (seen.get(name) ?? 0) + 1)
    return seen.get(name) === 1 ? fault : null
  }
}

function firstGet(fault: Fault): Script {
  let isFirst = true
  return ({ method }) => {
    if (method !== 'GET' || !isFirst) return null
    isFirst = false
    return fault
  }
}

async function upload({ partials }: Blobs, id: string, bytes: Uint8Array) {
  await partials.begin(id, bytes.length)
  const half = Math.floor(bytes.length / 2)
  await partials.append(id, { offset: 0, bytes: inChunks(bytes.subarray(0, half)) })
  await partials.append(id, { offset: half, bytes: inChunks(bytes.subarray(half)) })
  const blob = await partials.finish(id, bytes.length)
  if (blob.hash !== hashOf(bytes)) throw new Error('An upload got a wrong name.')
  return blob
}

async function readAll(blobs: Blobs, hash: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await blobs.read(hash)) ?? []) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 60_000) yield bytes.subarray(start, start + 60_000)
}

async function* brokenOff(bytes: Uint8Array, error: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes)
  throw error
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
