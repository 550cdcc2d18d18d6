import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createBuffers, pieceSize } from '../src/buffers.ts'
import { inPieces } from '../src/parts.ts'

const KiB = 1024
const MiB = 1024 * KiB
const sample = randomBytes(20 * MiB)

describe('shared buffers', () => {
  it('never exceed the limit, and go to the caller that has waited longest', async () => {
    const buffers = createBuffers({ count: 2 })
    const [first, second] = [await buffers.take(), await buffers.take()]
    const got: string[] = []
    const waits = ['a', 'b', 'c'].map(async (name) => {
      const buffer = await buffers.take()
      got.push(name)
      return buffer
    })
    expect(buffers.inUse()).toBe(2)
    expect(got).toEqual([])
    first?.giveBack()
    first?.giveBack()
    await waits[0]
    expect([buffers.inUse(), got]).toEqual([2, ['a']])
    second?.giveBack()
    const third = await waits[1]
    third?.giveBack()
    await waits[2]
    expect([buffers.inUse(), got]).toEqual([2, ['a', 'b', 'c']])
  })

  it('are waited for only for a limited time', async () => {
    const buffers = createBuffers({ count: 1, waitMs: 20 })
    const held = await buffers.take()
    expect(await buffers.take()).toBeNull()
    held?.giveBack()
    expect(buffers.inUse()).toBe(0)
    expect(await buffers.take()).not.toBeNull()
  })

  it('are due when others wait and the piece is large enough or slow', async () => {
    const buffers = createBuffers({ count: 1, waitMs: 5_000, holdMs: 30 })
    const held = await buffers.take()
    if (!held) throw new Error('No buffer was available.')
    expect(held.isDue(pieceSize)).toBe(false)
    const next = buffers.take()
    expect([held.isDue(0), held.isDue(5 * MiB)]).toEqual([false, true])
    await expect.poll(() => held.isDue(0), { timeout: 5_000 }).toBe(true)
    held.giveBack()
    expect((await next)?.isDue(pieceSize)).toBe(false)
  })
})

describe('bytes in pieces', () => {
  it('are the same bytes, in pieces of 8 MiB while nobody waits', async () => {
    const buffers = createBuffers({ count: 1 })
    for (const size of [0, 1, 64 * KiB + 1, 256 * KiB, 256 * KiB + 1, pieceSize, 2 * pieceSize + 7]) {
      const sizes: number[] = []
      const reportedEnds: number[] = []
      let given = 0
      for await (const { bytes, isLast } of inPieces(counted(size, 100_000), buffers)) {
        expect(isSame(bytes, given)).toBe(true)
        given += bytes.length
        sizes.push(bytes.length)
        if (isLast) reportedEnds.push(given)
      }
      expect(reportedEnds).toEqual(size % pieceSize === 0 ? [] : [size])
      expect(given).toBe(size)
      expect(sizes).toHaveLength(Math.ceil(size / pieceSize))
      expect(buffers.inUse()).toBe(0)
    }
  })

  it('of fifty uploads at once share the existing buffers', async () => {
    const buffers = createBuffers({ count: 3 })
    let most = 0
    const receive = async () => {
      let given = 0
      for await (const { bytes } of inPieces(counted(12 * MiB, 64 * KiB), buffers)) {
        most = Math.max(most, buffers.inUse())
        await new Promise((resolve) => setTimeout(resolve, 1))
        expect(isSame(bytes, given)).toBe(true)
        given += bytes.length
      }
      return given
    }
    const all = await Promise.all(Array.from({ length: 50 }, receive))
    expect(all).toEqual(Array(50).fill(12 * MiB))
    expect([most, buffers.inUse()]).toEqual([3, 0])
  })

  it('of a slow or stalled sender do not block others', async () => {
    const buffers = createBuffers({ count: 1, waitMs: 1_500, holdMs: 400 })
    const goOn = Promise.withResolvers<void>()
    const standing = sizesOf(inPieces(standingStill(MiB, goOn.promise), buffers))
    await expect.poll(() => buffers.inUse()).toBe(1)
    // Without a shared buffer: in pieces of its own buffer.
    expect(await sizesOf(inPieces(counted(512 * KiB, 64 * KiB), buffers))).toEqual([256 * KiB, 256 * KiB])
    const waiting = sizesOf(inPieces(counted(MiB, 64 * KiB), buffers))
    goOn.resolve()
    expect(await waiting).toEqual([MiB])
    expect(await standing).toEqual([MiB + 1, MiB - 1])
    expect(buffers.inUse()).toBe(0)
  })

  it('that are not read to their end, or whose source fails, hold no buffer', async () => {
    const buffers = createBuffers({ count: 1 })
    for await (const _ of inPieces(counted(20 * MiB, MiB), buffers)) break
    expect(buffers.inUse()).toBe(0)
    const gone = new Error('gone')
    async function* broken() {
      yield* counted(MiB, 64 * KiB)
      throw gone
    }
    await expect(sizesOf(inPieces(broken(), buffers))).rejects.toBe(gone)
    expect(buffers.inUse()).toBe(0)
  })
})

/** The first bytes of a sample, as a source. */
async function* counted(size: number, chunkSize: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < size; start += chunkSize)
    yield sample.subarray(start, Math.min(start + chunkSize, size))
}

function isSame(bytes: Buffer, start: number): boolean {
  return bytes.equals(sample.subarray(start, start + bytes.length))
}

async function* standingStill(size: number, goOn: Promise<void>): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(size)
  await goOn
  await new Promise((resolve) => setTimeout(resolve, 60))
  yield new Uint8Array(1)
  yield new Uint8Array(size - 1)
}

async function sizesOf(pieces: ReturnType<typeof inPieces>): Promise<readonly number[]> {
  const sizes: number[] = []
  for await (const { bytes } of pieces) sizes.push(bytes.length)
  return sizes
}
