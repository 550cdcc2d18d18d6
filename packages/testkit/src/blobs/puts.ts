import { verifiedWhole } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, hashesIn, listed, readAll } from './fixture.ts'
import {
  brokenOff,
  connectionReset,
  hashOf,
  inChunks,
  inOneBuffer,
  isSame,
  KiB,
  MiB,
  sampleBytes,
  watched,
} from './samples.ts'

const sizes = [
  0,
  1,
  64 * KiB - 1,
  64 * KiB,
  64 * KiB + 1,
  256 * KiB,
  256 * KiB + 1,
  4 * MiB + 1,
  verifiedWhole - 1,
  verifiedWhole,
  verifiedWhole + 1,
  20 * MiB,
]

export function putLaws(test: BlobTest): void {
  describe('putting and reading', () => {
    for (const size of sizes) {
      test(`returns ${size} bytes, the first time and again`, async ({ blobs }) => {
        const bytes = sampleBytes(size)
        const hash = await hashOf(bytes)
        expect(await blobs.put(inChunks(bytes))).toEqual({ hash, size })
        expect(await blobs.stat(hash)).toEqual({ hash, size })
        for (let time = 0; time < 3; time += 1) {
          expect(isSame(await readAll(blobs, hash), bytes), `read ${time}`).toBe(true)
        }
      })
    }

    for (const chunk of [1, 7, 4 * KiB, 300 * KiB, 5 * MiB]) {
      test(`accepts chunks of ${chunk} bytes, with empty ones in between`, async ({ blobs }) => {
        const bytes = sampleBytes(Math.min(chunk * 1_000, 11 * MiB))
        async function* source() {
          for await (const piece of inChunks(bytes, chunk)) yield* [new Uint8Array(0), piece]
        }
        const { hash } = await blobs.put(source())
        expect(hash).toBe(await hashOf(bytes))
        expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
      })
    }

    test('stores the right bytes even if the source reuses its buffer', async ({ blobs }) => {
      const bytes = sampleBytes(MiB)
      const { hash } = await blobs.put(inOneBuffer(bytes, 10_000))
      expect(hash).toBe(await hashOf(bytes))
      expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
    })

    test('returns bytes that the reader may overwrite', async ({ blobs }) => {
      const bytes = sampleBytes(10 * KiB)
      const { hash } = await blobs.put(inChunks(bytes))
      for (const range of [undefined, undefined, { start: 0, end: 99 }]) {
        for await (const chunk of (await blobs.read(hash, range)) ?? []) chunk.fill(0)
      }
      expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
    })

    test('stores the same bytes once, with the date of the last put', async ({ blobs }) => {
      const bytes = sampleBytes(100 * KiB)
      const first = await blobs.put(inChunks(bytes))
      const [before] = await listed(blobs.list())
      await new Promise((resolve) => setTimeout(resolve, 30))
      expect(await blobs.put(inChunks(bytes, 999))).toEqual(first)
      const after = await listed(blobs.list())
      expect(after.map(({ hash, size }) => ({ hash, size }))).toEqual([first])
      expect(after[0]?.writtenDate).toBeGreaterThan(before?.writtenDate ?? Infinity)
      expect(Math.abs(Date.now() - (after[0]?.writtenDate ?? 0))).toBeLessThan(10_000)
    })

    test('returns the same blob for concurrent puts of the same bytes', async ({ blobs }) => {
      const bytes = sampleBytes(3 * MiB)
      const puts = Array.from({ length: 12 }, (_, index) => blobs.put(inChunks(bytes, 50_000 + index)))
      const stored = await Promise.all(puts)
      expect(new Set(stored.map(({ hash }) => hash)).size).toBe(1)
      expect(await hashesIn(blobs)).toEqual([await hashOf(bytes)])
      expect(isSame(await readAll(blobs, await hashOf(bytes)), bytes)).toBe(true)
    })

    test('stores nothing of a source that fails, and rethrows its error unchanged', async ({ blobs }) => {
      const stored = await blobs.put(inChunks(sampleBytes(10)))
      for (const size of [0, 1, 100 * KiB, 9 * MiB]) {
        const error = connectionReset()
        await expect(blobs.put(brokenOff(sampleBytes(size), error))).rejects.toBe(error)
        expect(await hashesIn(blobs)).toEqual([stored.hash])
      }
    })

    test('releases the source', async ({ blobs }) => {
      const source = watched(inChunks(sampleBytes(10 * KiB)))
      await blobs.put(source.bytes)
      expect(source.isReleased()).toBe(true)
    })
  })
}
