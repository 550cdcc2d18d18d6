import { BlobCorrupt, verifiedWhole, type Blobs } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, damageOf, readAll } from './fixture.ts'
import { inChunks, isSame, KiB, MiB, sampleBytes } from './samples.ts'

const sizes = [1, 10 * KiB, 256 * KiB + 1, 5 * MiB, verifiedWhole, verifiedWhole + 1, 20 * MiB]

/** Blobs whose bytes were changed from outside. */
export function damageLaws(test: BlobTest): void {
  describe('a damaged blob', () => {
    for (const size of sizes) {
      test(`of ${size} bytes is never returned as sound`, async ({ opened, blobs, skip }) => {
        const damage = damageOf(opened, skip)
        const { hash } = await blobs.put(inChunks(sampleBytes(size)))
        await damage(hash)
        const { given, error } = await readUntilError(blobs, hash)
        expect(error).toBeInstanceOf(BlobCorrupt)
        expect(error).toMatchObject({ hash })
        expect(given).toBeLessThan(size)
        if (size <= verifiedWhole) expect(given).toBe(0)
        expect(await blobs.verify(hash)).toBe('corrupt')
        expect((await readUntilError(blobs, hash)).error).toBeInstanceOf(BlobCorrupt)
      })
    }

    for (const size of [300 * KiB, 9 * MiB]) {
      test(`of ${size} bytes is detected even if it was sound a moment ago`, async ({
        opened,
        blobs,
        skip,
      }) => {
        const damage = damageOf(opened, skip)
        const { hash } = await blobs.put(inChunks(sampleBytes(size)))
        await readAll(blobs, hash)
        await damage(hash)
        expect((await readUntilError(blobs, hash)).error).toBeInstanceOf(BlobCorrupt)
        expect(await blobs.verify(hash)).toBe('corrupt')
      })

      test(`of ${size} bytes is refused to all concurrent readers`, async ({ opened, blobs, skip }) => {
        const damage = damageOf(opened, skip)
        const { hash } = await blobs.put(inChunks(sampleBytes(size)))
        await damage(hash)
        const reads = await Promise.all(Array.from({ length: 6 }, () => readUntilError(blobs, hash)))
        expect(reads.every(({ error }) => error instanceof BlobCorrupt)).toBe(true)
      })
    }

    test('is repaired by putting the right bytes', async ({ opened, blobs, skip }) => {
      const damage = damageOf(opened, skip)
      for (const size of [1, 5 * MiB, 9 * MiB]) {
        const bytes = sampleBytes(size)
        const { hash } = await blobs.put(inChunks(bytes))
        await damage(hash)
        await blobs.put(inChunks(bytes))
        expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
        expect(await blobs.verify(hash)).toBe('sound')
      }
    })

    test('does not affect other blobs', async ({ opened, blobs, skip }) => {
      const damage = damageOf(opened, skip)
      const [bad, good] = [sampleBytes(1_000, 1), sampleBytes(1_000, 2)]
      const { hash } = await blobs.put(inChunks(bad))
      const other = await blobs.put(inChunks(good))
      await damage(hash)
      expect(isSame(await readAll(blobs, other.hash), good)).toBe(true)
      expect(await blobs.verify(other.hash)).toBe('sound')
    })
  })
}

async function readUntilError(blobs: Blobs, hash: string) {
  let given = 0
  try {
    for await (const chunk of (await blobs.read(hash)) ?? []) given += chunk.length
    return { given, error: null }
  } catch (error) {
    return { given, error }
  }
}
