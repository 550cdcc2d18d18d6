import { describe, expect } from 'vitest'
import { type BlobTest, hashesIn, listed, readAll } from './fixture.ts'
import { inChunks, isSame, KiB, MiB, sampleBytes } from './samples.ts'

const absent = 'f'.repeat(64)

export function storageLaws(test: BlobTest): void {
  describe('a stored blob', () => {
    test('is absent at first', async ({ blobs }) => {
      expect(await hashesIn(blobs)).toEqual([])
      expect(await blobs.stat(absent)).toBeNull()
      expect(await blobs.read(absent)).toBeNull()
      expect(await blobs.verify(absent)).toBe('missing')
      expect(await blobs.delete(absent)).toBeUndefined()
      expect(await blobs.ping()).toBeUndefined()
      expect(blobs.name).not.toBe('')
    })

    test('is listed in the order of hashes, with sizes', async ({ blobs }) => {
      const sizes = Array.from({ length: 60 }, (_, index) => index * 10)
      const put = await Promise.all(sizes.map((size) => blobs.put(inChunks(sampleBytes(size, size)))))
      const found = (await listed(blobs.list())).map(({ hash, size }) => ({ hash, size }))
      expect(found).toEqual(put.toSorted((one, other) => (one.hash < other.hash ? -1 : 1)))
    })

    test('can be deleted while it is listed', async ({ blobs }) => {
      for (let size = 0; size < 40; size += 1) await blobs.put(inChunks(sampleBytes(size, 7)))
      for await (const { hash } of blobs.list()) await blobs.delete(hash)
      expect(await hashesIn(blobs)).toEqual([])
    })

    for (const size of [10, 3 * MiB, 9 * MiB]) {
      test(`is gone once deleted, though ${size} bytes were read before, and can be put again`, async ({
        blobs,
      }) => {
        const bytes = sampleBytes(size)
        const { hash } = await blobs.put(inChunks(bytes))
        const other = await blobs.put(inChunks(sampleBytes(20, 2)))
        await readAll(blobs, hash)
        await blobs.delete(hash)
        expect(await blobs.read(hash)).toBeNull()
        expect(await blobs.read(hash, { start: 0, end: 1 })).toBeNull()
        expect(await blobs.stat(hash)).toBeNull()
        expect(await blobs.verify(hash)).toBe('missing')
        expect(await hashesIn(blobs)).toEqual([other.hash])
        await blobs.put(inChunks(bytes))
        expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
      })
    }

    test('is not deleted if it was put again after the given date', async ({ blobs }) => {
      const { hash } = await blobs.put(inChunks(sampleBytes(20)))
      const [stored] = await listed(blobs.list())
      await blobs.delete(hash, (stored?.writtenDate ?? 0) - 1000)
      expect(await blobs.verify(hash)).toBe('sound')
      await blobs.delete(hash, (stored?.writtenDate ?? 0) + 1000)
      expect(await blobs.verify(hash)).toBe('missing')
    })

    test('survives a concurrent deletion of old blobs when the same bytes are put', async ({ blobs }) => {
      const bytes = sampleBytes(20)
      const { hash } = await blobs.put(inChunks(bytes))
      for (let time = 0; time < 100; time += 1) {
        await new Promise((resolve) => setTimeout(resolve, 3))
        const before = Date.now() - 1
        const removal = async () => {
          for (let slot = time % 20; slot > 0; slot -= 1)
            await new Promise((resolve) => setImmediate(resolve))
          await blobs.delete(hash, before)
        }
        await Promise.all([blobs.put(inChunks(bytes)), removal()])
        expect(await blobs.stat(hash), `time ${time}`).not.toBeNull()
      }
    }, 90_000)

    test('is sound when all of it is read', async ({ blobs }) => {
      for (const size of [0, 10, 3 * MiB, 9 * MiB]) {
        const { hash } = await blobs.put(inChunks(sampleBytes(size)))
        expect(await blobs.verify(hash)).toBe('sound')
      }
    })

    for (const size of [100 * KiB, 3 * MiB, 20 * MiB]) {
      test(`can be left early, at any time, of ${size} bytes`, async ({ blobs }) => {
        const bytes = sampleBytes(size)
        const { hash } = await blobs.put(inChunks(bytes))
        for (let time = 0; time < 20; time += 1) {
          const range = time % 2 === 0 ? undefined : { start: time, end: size - 1 }
          for await (const chunk of (await blobs.read(hash, range)) ?? []) {
            expect(chunk.length).toBeGreaterThan(0)
            break
          }
        }
        const iterator = (await blobs.read(hash))?.[Symbol.asyncIterator]()
        await iterator?.return?.()
        expect(isSame(await readAll(blobs, hash), bytes)).toBe(true)
      })
    }

    test('is read by many at the same time', async ({ blobs }) => {
      for (const size of [10 * KiB, 3 * MiB, 9 * MiB]) {
        const bytes = sampleBytes(size)
        const { hash } = await blobs.put(inChunks(bytes))
        const reads = await Promise.all(Array.from({ length: 8 }, () => readAll(blobs, hash)))
        expect(reads.every((read) => isSame(read, bytes))).toBe(true)
      }
    })
  })
}
