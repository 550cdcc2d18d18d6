import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { openS3Blobs, type S3BlobsOptions } from '../src/index.ts'
import { useSwift } from '../../../test/services/swift.ts'

const MiB = 1024 * 1024
const uploadId = 'UPLD_01JXSC6G000000000000000001'

/** The nth MiB of an upload, different for each, generated as in the child processes. */
function block(index: number): Buffer {
  return Buffer.alloc(MiB, createHash('sha256').update(`block ${index}`).digest())
}

/** The hash of all bytes of an upload. */
function hashUpTo(total: number): string {
  const digest = createHash('sha256')
  for (let at = 0; at < total; at += MiB) digest.update(block(at / MiB).subarray(0, total - at))
  return digest.digest('hex')
}

/** The start of every child's code. It writes acknowledgements line by line, unbuffered. */
function preamble(options: S3BlobsOptions): string {
  return `
    import { createHash, randomBytes } from 'node:crypto'
    import { writeSync } from 'node:fs'
    import { openS3Blobs } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    const MiB = ${MiB}
    const block = (index) => Buffer.alloc(MiB, createHash('sha256').update('block ' + index).digest())
    async function* blocks(from, to) {
      for (let at = from; at < to; at += MiB - (at % MiB)) {
        yield block(Math.floor(at / MiB)).subarray(at % MiB, Math.min(MiB, (at % MiB) + to - at))
      }
    }
    async function* bytesOf(bytes) { yield bytes }
    const tell = (line) => writeSync(1, line + '\\n')
    const blobs = await openS3Blobs(${JSON.stringify(options)})
    tell('open')
  `
}

function start(script: string): ChildProcess {
  // The young generation has the size that `quire serve` sets (decision 0013): memory is measured below.
  const options = ['--max-semi-space-size=16', '--conditions=quire-source', '--input-type=module']
  return spawn(process.execPath, [...options, '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/**
 * The lines that a child wrote. It is killed `delay` ms after it opened the bucket; with null it
 * runs to its end.
 */
async function branchesOf(child: ChildProcess, delay: number | null): Promise<readonly string[]> {
  let reported = ''
  child.stdout?.on('data', (text: Buffer) => {
    if (reported === '' && delay !== null) setTimeout(() => child.kill('SIGKILL'), delay)
    reported += text.toString()
  })
  await once(child, 'close')
  return reported.split('\n').slice(1, -1)
}

describe('a process that stores binaries in a bucket', () => {
  const swift = useSwift()
  let options: S3BlobsOptions
  beforeEach(() => {
    options = { ...swift().options, prefix: `${randomUUID()}/` }
  })

  it('and is killed leaves an upload that the next one resumes from its last acknowledgement', async () => {
    const total = 90 * MiB + 12_345
    const blobs = await openS3Blobs(options)
    await blobs.partials.begin(uploadId, total)
    let counted = 0
    let kills = 0
    for (; kills < 6 && counted < total; kills += 1) {
      const script = `${preamble(options)}
        const onDurable = async (end) => tell(end)
        await blobs.partials.append('${uploadId}', { offset: ${counted}, bytes: blocks(${counted}, ${total}), onDurable })`
      const lines = await branchesOf(start(script), 20 + Math.random() * 900)
      counted = Number(lines.at(-1) ?? counted)
      for await (const { size } of blobs.partials.list()) expect(size).toBeGreaterThanOrEqual(counted)
    }
    expect(counted).toBeGreaterThan(0)
    const script = `${preamble(options)}
      await blobs.partials.append('${uploadId}', { offset: ${counted}, bytes: blocks(${counted}, ${total}) })
      tell((await blobs.partials.finish('${uploadId}', ${total})).hash)`
    expect(await branchesOf(start(script), null)).toEqual([hashUpTo(total)])
    expect(await blobs.verify(hashUpTo(total))).toBe('sound')
  }, 180_000)

  it('and is killed leaves every acknowledged blob, and no incomplete one', async () => {
    const acknowledged: string[] = []
    for (let kills = 0; kills < 6; kills += 1) {
      const script = `${preamble(options)}
        const work = async () => {
          for (;;) tell((await blobs.put(bytesOf(randomBytes(Math.random() < 0.1 ? 9 * MiB : 50_000)))).hash)
        }
        await Promise.all([work(), work(), work()])`
      acknowledged.push(...(await branchesOf(start(script), 500 + Math.random() * 2_000)))
    }
    const blobs = await openS3Blobs(options)
    expect(acknowledged.length).toBeGreaterThan(5)
    for (const hash of acknowledged) expect(await blobs.stat(hash), hash).not.toBeNull()
    for await (const { hash } of blobs.list()) expect(await blobs.verify(hash)).toBe('sound')
  }, 180_000)

  it('needs little more memory for an upload of 256 MiB than two of its parts', async () => {
    const total = 256 * MiB
    const script = `${preamble(options)}
      const resident = () => process.memoryUsage.rss()
      for (const id of ['${uploadId.slice(0, -1)}2', '${uploadId}']) {
        const size = id === '${uploadId}' ? ${total} : 17 * MiB
        if (id === '${uploadId}') globalThis.before = resident()
        let most = 0
        const onDurable = async () => { most = Math.max(most, resident()) }
        await blobs.partials.begin(id, size)
        await blobs.partials.append(id, { offset: 0, bytes: blocks(0, size), onDurable })
        const { hash } = await blobs.partials.finish(id, size)
        most = Math.max(most, resident())
        for await (const chunk of await blobs.read(hash)) most = Math.max(most, resident())
        if (id === '${uploadId}') tell(hash + ' ' + (most - globalThis.before))
      }`
    // Garbage that is not collected yet only adds to what is needed: the least of three processes counts.
    let least = Infinity
    for (let runs = 0; runs < 3 && least >= 64 * MiB; runs += 1) {
      const [line = ''] = await branchesOf(start(script), null)
      const [hash, growth] = line.split(' ')
      expect(hash).toBe(hashUpTo(total))
      least = Math.min(least, Number(growth))
    }
    expect(least).toBeLessThan(64 * MiB)
  }, 180_000)

  it('uses for thirty uploads at once only the shared buffers, and a little for each', async () => {
    const size = 9 * MiB
    const script = `${preamble({ ...options, timeoutMs: 120_000, bufferBytes: 48 * MiB })}
      const idOf = (index) => 'UPLD_' + String(index).padStart(26, '0')
      const all = Buffer.concat(Array.from({ length: ${size / MiB} }, (_, index) => block(index)))
      async function* chunks() {
        for (let at = 0; at < all.length; at += 65_536) yield all.subarray(at, at + 65_536)
      }
      const upload = async (index) => {
        await blobs.partials.begin(idOf(index), ${size})
        await blobs.partials.append(idOf(index), { offset: 0, bytes: chunks() })
        return (await blobs.partials.finish(idOf(index), ${size})).hash
      }
      await upload(0)
      const before = process.memoryUsage.rss()
      let most = 0
      const watch = setInterval(() => { most = Math.max(most, process.memoryUsage.rss()) }, 10)
      const hashes = await Promise.all(Array.from({ length: 30 }, (_, index) => upload(index + 1)))
      clearInterval(watch)
      tell([...new Set(hashes)].join() + ' ' + (most - before))`
    const [line = ''] = await branchesOf(start(script), null)
    const [hashes, growth] = line.split(' ')
    expect(hashes).toBe(hashUpTo(size))
    // Without a limit they use 240 MiB or more.
    expect(Number(growth)).toBeLessThan(150 * MiB)
  }, 180_000)
})
