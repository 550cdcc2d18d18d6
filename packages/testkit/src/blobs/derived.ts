import type { Blobs } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { type BlobTest, hashesIn, joined, listed } from './fixture.ts'
import { hashOf, inChunks, isSame, MiB, sampleBytes } from './samples.ts'

const source = `ab${'0'.repeat(62)}`
const neighbour = `ab${'1'.repeat(62)}`
const small = { source, recipe: 'small' }
const made = sampleBytes(1_234)
const other = sampleBytes(1_234, 5)
const longest = `r${'-9._z'.repeat(39)}abcd`

/** Derived files, such as renditions, by source and recipe. */
export function derivedLaws(test: BlobTest): void {
  describe('a derived file', () => {
    test('is unknown at first', async ({ blobs: { derived } }) => {
      expect(await derived.find(small)).toBeNull()
      expect(await derived.read({ ...small, hash: await hashOf(made) })).toBeNull()
      expect(await derived.verify(small)).toBe('missing')
      expect(await listed(derived.list())).toEqual([])
      for (const nothing of [derived.use(small), derived.remove(small), derived.forget(source)])
        expect(await nothing).toBeUndefined()
    })

    test('is found by its recipe, whatever the name', async ({ blobs: { derived } }) => {
      for (const recipe of ['a', 'small', 'small.webp', 'v1_w320-h200.avif', longest]) {
        const blob = { hash: await hashOf(made), size: made.length }
        expect(await derived.retain({ source, recipe }, made)).toEqual(blob)
        expect(await derived.find({ source, recipe })).toMatchObject({ source, recipe, ...blob })
      }
      expect(await derived.find({ source, recipe: 'smal' })).toBeNull()
      expect(await derived.find({ source: neighbour, recipe: 'small' })).toBeNull()
    })

    test('reads as it was stored, whole and in part, and can be verified', async ({ blobs }) => {
      for (const size of [0, 1, 300_000, 5 * MiB, 9 * MiB]) {
        const bytes = sampleBytes(size)
        const { hash } = await blobs.derived.retain(small, bytes)
        // Read twice, because some of it may be cached the second time.
        for (let time = 0; time < 2; time += 1)
          expect(isSame(await readDerived(blobs, { ...small, hash }), bytes)).toBe(true)
        expect(await blobs.derived.verify(small)).toBe('sound')
        await expect(readDerived(blobs, { ...small, hash }, { start: 0, end: size })).rejects.toThrow(
          RangeError,
        )
        if (size === 0) continue
        const range = { start: size >> 1, end: size - 1 }
        expect(isSame(await readDerived(blobs, { ...small, hash }, range), bytes.subarray(size >> 1))).toBe(
          true,
        )
      }
    })

    test('is replaced by a new one, and the old one can no longer be read', async ({ blobs }) => {
      const { derived } = blobs
      const before = await derived.retain(small, made)
      const { hash } = await derived.retain(small, other)
      expect(await derived.find(small)).toMatchObject({ hash })
      expect(await readDerived(blobs, { ...small, hash: before.hash })).toBeNull()
      expect(await readDerived(blobs, { ...small, hash: before.hash }, { start: 0, end: 1 })).toBeNull()
      expect(await listed(derived.list())).toMatchObject([{ ...small, size: other.length }])
    })

    test('is separate from a blob of the same bytes', async ({ blobs }) => {
      const { hash } = await blobs.derived.retain(small, made)
      expect(await hashesIn(blobs)).toEqual([])
      expect([await blobs.stat(hash), await blobs.verify(hash)]).toEqual([null, 'missing'])
      await blobs.put(inChunks(made))
      await blobs.derived.remove(small)
      expect(await blobs.verify(hash)).toBe('sound')
      await blobs.derived.retain(small, made)
      await blobs.delete(hash)
      expect(await blobs.derived.verify(small)).toBe('sound')
    })

    test('is deleted with its source, without affecting those of other sources', async ({
      blobs: { derived },
    }) => {
      await derived.retain(small, made)
      await derived.retain({ source, recipe: 'large' }, other)
      await derived.retain({ source: neighbour, recipe: 'small' }, made)
      await derived.forget(source)
      expect(await derived.find(small)).toBeNull()
      expect(await listed(derived.list())).toMatchObject([{ source: neighbour, recipe: 'small' }])
    })

    test('can be removed alone, and stored again', async ({ blobs }) => {
      const { derived } = blobs
      const { hash } = await derived.retain(small, made)
      await derived.retain({ source, recipe: 'large' }, other)
      await derived.remove(small)
      expect(await derived.find(small)).toBeNull()
      expect(await readDerived(blobs, { ...small, hash })).toBeNull()
      expect(await listed(derived.list())).toMatchObject([{ source, recipe: 'large' }])
      await derived.remove({ source, recipe: 'large' })
      expect(await listed(derived.list())).toEqual([])
      await derived.retain(small, made)
      expect(isSame(await readDerived(blobs, { ...small, hash }), made)).toBe(true)
    })

    test('is read to its end even if it is removed meanwhile', async ({ blobs }) => {
      const bytes = sampleBytes(9 * MiB)
      const { hash } = await blobs.derived.retain(small, bytes)
      const reading = await blobs.derived.read({ ...small, hash })
      await blobs.derived.remove(small)
      expect(reading && isSame(await joined(reading), bytes)).toBe(true)
    })

    test('is listed once, with its size and the date of its last use', async ({ blobs: { derived } }) => {
      const names = [source, neighbour].flatMap((from) =>
        ['card', 'large', 'small'].map((recipe) => ({ source: from, recipe })),
      )
      for (const name of names) await derived.retain(name, made)
      const found = await listed(derived.list())
      expect(found).toHaveLength(names.length)
      for (const name of names) {
        const one = await derived.find(name)
        const inList = found.find(
          ({ source: from, recipe }) => from === name.source && recipe === name.recipe,
        )
        expect(inList).toMatchObject({ ...name, size: made.length })
        // A bucket may report fractions of a second in only one of the two places.
        expect(Math.abs((inList?.usedDate ?? 0) - (one?.usedDate ?? 0))).toBeLessThan(1000)
        await derived.use(name)
        expect((await derived.find(name))?.usedDate).toBeGreaterThanOrEqual(one?.usedDate ?? Infinity)
      }
    })

    test('is complete even if many store, remove and delete it at the same time', async ({ blobs }) => {
      const { derived } = blobs
      const hashes = [await hashOf(made), await hashOf(other)]
      const work = Array.from({ length: 60 }, async (_, index) => {
        await derived.retain(small, index % 2 === 0 ? made : other)
        if (index % 5 === 0) await derived.forget(source)
        if (index % 3 === 0) await derived.remove(small)
        return derived.find(small)
      })
      for (const found of await Promise.all(work)) if (found) expect(hashes).toContain(found.hash)
      expect(['sound', 'missing']).toContain(await derived.verify(small))
    })
  })
}

async function readDerived(
  { derived }: Blobs,
  ...args: Parameters<Blobs['derived']['read']>
): Promise<Uint8Array | null> {
  const bytes = await derived.read(...args)
  return bytes && joined(bytes)
}
