import type { Blobs } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, readAll } from './fixture.ts'
import { inChunks, isSame, KiB, MiB, sampleBytes } from './samples.ts'

export function rangeLaws(test: BlobTest): void {
  describe('reading a part', () => {
    for (const size of [100 * KiB, 3 * MiB, 20 * MiB]) {
      test(`returns exactly the requested bytes of ${size}`, async ({ blobs }) => {
        const bytes = sampleBytes(size)
        const { hash } = await blobs.put(inChunks(bytes))
        await expectParts(blobs, hash, bytes)
        await readAll(blobs, hash)
        await expectParts(blobs, hash, bytes)
      })
    }

    test('refuses a range outside the blob', async ({ blobs }) => {
      const { hash } = await blobs.put(inChunks(sampleBytes(1_000)))
      const wrong = [
        { start: 0, end: 1_000 },
        { start: 1_000, end: 1_000 },
        { start: 5, end: 4 },
        { start: -1, end: 4 },
        { start: 0.5, end: 4 },
        { start: 0, end: Number.NaN },
        { start: 0, end: Infinity },
      ]
      for (const range of wrong) await expect(blobs.read(hash, range)).rejects.toThrow(RangeError)
      await readAll(blobs, hash)
      for (const range of wrong) await expect(blobs.read(hash, range)).rejects.toThrow(RangeError)
      const empty = await blobs.put(inChunks(new Uint8Array(0)))
      await expect(blobs.read(empty.hash, { start: 0, end: 0 })).rejects.toThrow(RangeError)
    })

    test('returns null for an absent blob', async ({ blobs }) => {
      expect(await blobs.read('0'.repeat(64), { start: 0, end: 9 })).toBeNull()
    })
  })
}

async function expectParts(blobs: Blobs, hash: string, bytes: Uint8Array): Promise<void> {
  const last = bytes.length - 1
  const parts = [
    [0, 0],
    [0, 99],
    [65_535, 65_536],
    [last - 99, last],
    [last, last],
    [1, last - 1],
    [0, last],
  ] as const
  for (const [start, end] of parts) {
    const read = await readAll(blobs, hash, { start, end })
    expect(isSame(read, bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
  }
}
