import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from './open-file-blobs.ts'

const MiB = 1024 * 1024
const uploadId = 'UPLD_01JXSC6G000000000000000001'
const total = 400 * MiB

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-kill-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** The nth MiB of an upload; each is different. */
function block(index: number): Buffer {
  return Buffer.alloc(MiB, createHash('sha256').update(`block ${index}`).digest())
}

/** The bytes of an upload, generated as in the child processes. */
async function* blocks(from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += MiB - (at % MiB)) yield block(Math.floor(at / MiB)).subarray(at % MiB)
}

/** The start of every child's code. It writes acknowledgements line by line, unbuffered. */
function preamble(): string {
  return `
    import { createHash, randomBytes } from 'node:crypto'
    import { writeSync } from 'node:fs'
    import { openFileBlobs } from ${JSON.stringify(new URL('open-file-blobs.ts', import.meta.url).href)}
    const MiB = ${MiB}
    const block = (index) => Buffer.alloc(MiB, createHash('sha256').update('block ' + index).digest())
    async function* blocks(from, to) {
      for (let at = from; at < to; at += MiB - (at % MiB)) yield block(Math.floor(at / MiB)).subarray(at % MiB)
    }
    async function* bytesOf(bytes) { yield bytes }
    const tell = (line) => writeSync(1, line + '\\n')
    const blobs = await openFileBlobs({ folder: ${JSON.stringify(folder)} })
    tell('open')
  `
}

function start(script: string): ChildProcess {
  return spawn(process.execPath, ['--conditions=quire-source', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/**
 * The lines that a child wrote. It is killed `delay` ms after it opened the folder; with null it
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

describe('a process that is killed', () => {
  it('leaves an upload that resumes from its last acknowledgement, with all of those bytes', async () => {
    const blobs = await openFileBlobs({ folder })
    await blobs.partials.begin(uploadId, total)
    let counted = 0
    let kills = 0
    for (; kills < 10; kills += 1) {
      const script = `${preamble()}
        const onDurable = async (end) => tell(end)
        await blobs.partials.append('${uploadId}', { offset: ${counted}, bytes: blocks(${counted}, ${total}), onDurable })`
      const lines = await branchesOf(start(script), 5 + Math.random() * 250)
      counted = Number(lines.at(-1) ?? counted)
      await expectPrefix(counted)
    }
    expect(counted).toBeGreaterThan(0)
    const rest = { offset: counted, bytes: blocks(counted, total) }
    expect(await blobs.partials.append(uploadId, rest)).toBe(total)
    const { hash } = await blobs.partials.finish(uploadId, total)
    expect(await blobs.verify(hash)).toBe('sound')
    await expectPrefix(total)
  }, 120_000)

  async function expectPrefix(end: number): Promise<void> {
    const stored = await readFile(join(folder, 'partial', uploadId))
    expect(stored.length).toBeGreaterThanOrEqual(end)
    for (let at = 0; at < end; at += MiB) {
      const expected = block(at / MiB).subarray(0, end - at)
      expect(stored.subarray(at, at + expected.length).equals(expected), `MiB ${at / MiB}`).toBe(true)
    }
  }

  it('leaves every acknowledged blob, no incomplete one, and no temporary file', async () => {
    const acknowledged: string[] = []
    for (let kills = 0; kills < 10; kills += 1) {
      const script = `${preamble()}
        const work = async () => { for (;;) tell((await blobs.put(bytesOf(randomBytes(Math.random() * 3e6)))).hash) }
        await Promise.all([work(), work(), work()])`
      acknowledged.push(...(await branchesOf(start(script), 5 + Math.random() * 250)))
    }
    const blobs = await openFileBlobs({ folder })
    expect(readdirSync(join(folder, 'temp'))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(10)
    for (const hash of acknowledged) expect(await blobs.stat(hash), hash).not.toBeNull()
    for await (const { hash } of blobs.list()) expect(await blobs.verify(hash)).toBe('sound')
  }, 120_000)
})

describe('several processes on one folder', () => {
  it('put, delete and open at the same time, and every blob is whole', async () => {
    const script = `${preamble()}
      for (let round = 0; round < 60; round += 1) {
        const { hash } = await blobs.put(bytesOf(block(round % 7)))
        await blobs.derived.retain({ source: hash, recipe: 'small' }, block(round % 7))
        if (round % 5 === 0) await blobs.delete(hash)
        if (round % 5 === 1) await blobs.derived.forget(hash)
        if (round % 5 === 2) await blobs.derived.remove({ source: hash, recipe: 'small' })
        const bytes = await blobs.read(hash)
        if (bytes) for await (const chunk of bytes);
      }
      tell('done')`
    const children = [start(script), start(script), start(script)]
    const reported = await Promise.all(children.map((child) => branchesOf(child, null)))
    expect(reported).toEqual([['done'], ['done'], ['done']])
    const blobs = await openFileBlobs({ folder })
    expect(readdirSync(join(folder, 'temp'))).toEqual([])
    for await (const { hash } of blobs.list()) expect(await blobs.verify(hash)).toBe('sound')
    for await (const made of blobs.derived.list()) expect(await blobs.derived.verify(made)).toBe('sound')
  }, 60_000)
})
