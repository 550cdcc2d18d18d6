import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { childrenOf, memoryOf, once as bytesOf, outcomeOf } from '../test/extract.ts'
import { nodeExtraction } from './index.ts'

const isLinux = process.platform === 'linux'
if (!isLinux) process.stdout.write('skipped: only Linux tells which processes there are\n')

const page = new TextEncoder().encode('<p>ink')
const read = (extraction: ReturnType<typeof nodeExtraction>) => outcomeOf(extraction, 'text/html', page)

describe.skipIf(!isLinux)('reader processes (Linux only)', () => {
  // The processes of the previous test end once they have waited long enough.
  beforeEach(() => vi.waitUntil(() => childrenOf(process.pid).length === 0, { timeout: 15_000 }))

  it('do not exist for plain text; one reads consecutive files and ends when no more arrive', async () => {
    const extraction = nodeExtraction({ idle: 0.3 })
    await outcomeOf(extraction, 'text/plain', page)
    expect(childrenOf(process.pid)).toEqual([])
    await read(extraction)
    const first = childrenOf(process.pid)
    await read(extraction)
    expect(childrenOf(process.pid)).toEqual(first)
    expect(first).toHaveLength(1)
    await vi.waitFor(() => expect(childrenOf(process.pid)).toEqual([]), 5000)
  })

  it('run up to the limit, and a file is refused when too many wait', async () => {
    const extraction = nodeExtraction({ idle: 0.3, parallel: 2, queue: 3 })
    const outcomes = await Promise.all(Array.from({ length: 7 }, () => read(extraction)))
    expect(childrenOf(process.pid)).toHaveLength(2)
    const done = outcomes.filter((outcome) => 'text' in outcome)
    expect(done).toEqual(Array.from({ length: 5 }, () => ({ text: 'ink' })))
    expect(outcomes.filter((outcome) => 'refused' in outcome)).toEqual([
      { refused: 'busy' },
      { refused: 'busy' },
    ])
  })

  it('are replaced when they are killed while waiting or while reading', async () => {
    const extraction = nodeExtraction({ idle: 2 })
    await read(extraction)
    const [waiting = 0] = childrenOf(process.pid)
    process.kill(waiting, 'SIGKILL')
    await vi.waitFor(() => expect(childrenOf(process.pid)).toEqual([]))
    expect(await read(extraction)).toEqual({ text: 'ink' })
    const killing = async function* () {
      const [reading = 0] = childrenOf(process.pid)
      yield page
      process.kill(reading, 'SIGKILL')
      await vi.waitFor(() => expect(memoryOf(reading)).toBe(0))
      yield page
    }
    const lost = extraction.extract(async () => killing(), { mimeType: 'text/html', size: 12 })
    await expect(lost).rejects.toMatchObject({ name: 'ExtractionRefused', kind: 'large' })
    expect(await read(extraction)).toEqual({ text: 'ink' })
  })

  it('see nothing of the environment', async () => {
    const extraction = nodeExtraction({ idle: 2 })
    await read(extraction)
    const { readFileSync } = await import('node:fs')
    const environments = childrenOf(process.pid).map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'))
    expect(environments.join('')).not.toMatch(/PATH=|HOME=|VITEST/)
  })

  it('wait for a stalled source no longer than the time for a file', async () => {
    const extraction = nodeExtraction({ seconds: 0.5 })
    const stalling = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
      return bytesOf(page)
    }
    const slow = extraction.extract(stalling, { mimeType: 'text/html', size: 6 })
    await expect(slow).rejects.toMatchObject({ kind: 'slow' })
  })

  it('refuse a file that is too large before it is opened', async () => {
    const extraction = nodeExtraction({ bytes: 5 })
    let opened = 0
    const source = async () => {
      opened += 1
      return bytesOf(page)
    }
    const large = extraction.extract(source, { mimeType: 'text/html', size: 6 })
    await expect(large).rejects.toMatchObject({ kind: 'large' })
    expect(opened).toBe(0)
  })
})

/** A separate program that extracts text and then runs the given code. */
function program(then: string) {
  const code = `
    import { nodeExtraction } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
    const page = new TextEncoder().encode('<p>ink')
    const source = async () => (async function* () { yield page })()
    console.log(await nodeExtraction({ idle: 60 }).extract(source, { mimeType: 'text/html', size: 6 }))
    ${then}`
  const args = ['--conditions=quire-source', '--input-type=module', '--eval', code]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

describe.skipIf(!isLinux)('a program that has extracted text (Linux only)', () => {
  it('exits by itself, although a process waits for its next file', async () => {
    const child = program('')
    const [given] = await once(child.stdout, 'data')
    expect(String(given)).toBe('ink\n')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('leaves no process behind when it is killed', async () => {
    const child = program('setInterval(() => undefined, 1000)')
    await once(child.stdout, 'data')
    const [reader = 0] = childrenOf(child.pid ?? 0)
    expect(memoryOf(reader)).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(memoryOf(reader)).toBe(0), 5000)
  })
})
