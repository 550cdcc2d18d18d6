import { describe, expect } from 'vitest'
import { type BlobTest, hashesIn, listed } from './fixture.ts'
import { inChunks, sampleBytes } from './samples.ts'

const source = `ab${'0'.repeat(62)}`
const neighbour = `ab${'1'.repeat(62)}`
const made = { hash: '2'.repeat(64), size: 1_234 }
const other = { hash: '3'.repeat(64), size: 0 }
const longest = `r${'-9._z'.repeat(39)}abcd`

/** The laws of what was made of what. */
export function derivedLaws(test: BlobTest): void {
  describe('what was made of a blob', () => {
    test('is unknown at first', async ({ blobs: { derived } }) => {
      expect(await derived.find(source, 'small')).toBeNull()
      expect(await listed(derived.list())).toEqual([])
      expect(await derived.forget(source)).toBeUndefined()
    })

    test('is found by its recipe, whatever that is called', async ({ blobs: { derived } }) => {
      for (const recipe of ['a', 'small', 'small.webp', 'v1_w320-h200.avif', longest]) {
        await derived.keep({ source, recipe, blob: made })
        expect(await derived.find(source, recipe)).toEqual(made)
      }
      expect(await derived.find(source, 'smal')).toBeNull()
      expect(await derived.find(neighbour, 'small')).toBeNull()
    })

    test('is replaced by what is made anew', async ({ blobs: { derived } }) => {
      await derived.keep({ source, recipe: 'small', blob: made })
      await derived.keep({ source, recipe: 'small', blob: other })
      expect(await derived.find(source, 'small')).toEqual(other)
      expect(await listed(derived.list())).toEqual([{ source, recipe: 'small', blob: other }])
    })

    test('is forgotten with its source, and only it; blobs stay', async ({ blobs }) => {
      const blob = await blobs.put(inChunks(sampleBytes(10)))
      await blobs.derived.keep({ source, recipe: 'small', blob })
      await blobs.derived.keep({ source, recipe: 'large', blob })
      await blobs.derived.keep({ source: neighbour, recipe: 'small', blob })
      await blobs.derived.forget(source)
      expect(await blobs.derived.find(source, 'small')).toBeNull()
      expect(await listed(blobs.derived.list())).toEqual([{ source: neighbour, recipe: 'small', blob }])
      expect(await hashesIn(blobs)).toEqual([blob.hash])
    })

    test('is listed, each entry once', async ({ blobs: { derived } }) => {
      const entries = [source, neighbour].flatMap((source) =>
        ['card', 'large', 'small'].map((recipe) => ({ source, recipe, blob: made })),
      )
      for (const entry of entries) await derived.keep(entry)
      const found = await listed(derived.list())
      expect(found).toHaveLength(entries.length)
      expect(found).toEqual(expect.arrayContaining(entries))
    })

    test('is whole though many keep and forget it at the same time', async ({ blobs: { derived } }) => {
      const work = Array.from({ length: 60 }, async (_, index) => {
        await derived.keep({ source, recipe: 'small', blob: index % 2 === 0 ? made : other })
        if (index % 5 === 0) await derived.forget(source)
        return derived.find(source, 'small')
      })
      for (const found of await Promise.all(work)) expect([made, other, null]).toContainEqual(found)
    })
  })
}
