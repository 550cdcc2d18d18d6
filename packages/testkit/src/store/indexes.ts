import type { Reindexed, SearchIndexInfo, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, nextVersion, sameVersion, inPackageOf, testRepository } from '../entity.ts'
import { find, idsOf, item, main, packageId, packageBranch, write, type StoreTest } from './fixture.ts'
import { found, given, seek, walkSearch } from './searching.ts'

const nothing: SearchIndexInfo = {
  numDocs: 0,
  maxDocId: 0,
  numTerms: 0,
  numRecords: 0,
  invSize: expect.any(Number),
  totalInvertedIndexBlocks: expect.any(Number),
}

export function indexLaws(test: StoreTest): void {
  infoLaws(test)
  reindexLaws(test)
}

function infoLaws(test: StoreTest): void {
  describe('the statistics of an index', () => {
    test('are zero for a repository without indexed content', async ({ store }) => {
      expect(await store.indexes.info(testRepository)).toEqual(nothing)
      await write(store, anEntity({ id: 'a' }))
      expect(await store.indexes.info(testRepository)).toEqual(nothing)
      expect(await store.indexes.info('REPO_unknown')).toEqual(nothing)
    })

    test('count entities, different words, and words per entity', async ({ store }) => {
      await write(store, found('a', 'ant', 'ant bee'), found('b', 'Ant', 'cat', 'dog cat'))
      const info = await store.indexes.info(testRepository)
      expect(info).toMatchObject({ numDocs: 2, numTerms: 4, numRecords: 5 })
      expect(await store.indexes.size(testRepository)).toBe(2)
      expect(info.maxDocId).toBeGreaterThanOrEqual(2)
      expect(info.invSize).toBeGreaterThan(0)
      expect(info.totalInvertedIndexBlocks).toBeGreaterThan(0)
    })

    test('follow writes, and fall when something is deleted', async ({ store }) => {
      const [a, b] = [found('a', 'ant'), found('b', 'bee cat')]
      await write(store, a, b, nextVersion(a, { search: given('ant', 'dog') }))
      const before = await store.indexes.info(testRepository)
      expect(before).toMatchObject({ numDocs: 2, numTerms: 4, numRecords: 4 })
      await write(store, sameVersion(b, { deletedDate: 5 }))
      const after = await store.indexes.info(testRepository)
      expect(after).toMatchObject({ numDocs: 1, numTerms: 2, numRecords: 2 })
      expect(after.maxDocId).toBeLessThanOrEqual(before.maxDocId)
    })

    test('count an entity once that was purged and created again', async ({ store }) => {
      await write(store, found('a', 'ant'))
      await store.transaction((tx) => tx.entities.purge(main, item('a')))
      expect(await store.indexes.info(testRepository)).toMatchObject({ numDocs: 0, numTerms: 0 })
      await write(store, found('a', 'bee'))
      expect(await store.indexes.info(testRepository)).toMatchObject({
        numDocs: 1,
        numTerms: 1,
        numRecords: 1,
      })
      expect(await reindexAll(store, 10)).toBe(1)
    })

    test('cover every branch and kind of the repository, and no other repository', async ({ store }) => {
      const a = found('a', 'ant')
      const elsewhere = { repositoryId: 'REPO_2' }
      await write(store, a, inPackageOf(packageId, a, { search: given('bee') }))
      await write(store, anEntity({ kind: 'folder', id: 'f', search: given('cat') }))
      await write(store, { ...found('z', 'zebra zoo'), ...elsewhere })
      expect(await store.indexes.info(testRepository)).toMatchObject({
        numDocs: 3,
        numTerms: 3,
        numRecords: 3,
      })
      expect(await store.indexes.info('REPO_2')).toMatchObject({ numDocs: 1, numTerms: 2, numRecords: 2 })
    })
  })
}

function reindexLaws(test: StoreTest): void {
  describe('rebuilding an index', () => {
    for (const limit of [1, 4, 1000]) {
      test(`${limit} at a time does not change any answer`, async ({ store }) => {
        await writeBranches(store)
        const before = await answers(store)
        expect(await reindexAll(store, limit)).toBe((await store.indexes.info(testRepository)).numDocs)
        expect(await answers(store)).toEqual(before)
      })
    }

    test('ends at once when there is nothing', async ({ store }) => {
      expect(await partsOf(store, { after: 0, limit: 10 })).toEqual([{ next: null, done: 0 }])
    })

    test('continues after concurrent writes, which are found at any time', async ({ store }) => {
      await writeBranches(store)
      const next = await firstPart(store, { limit: 2 })
      const late = found('late', 'ant')
      await write(store, late)
      expect(await seek(store, 'ant')).toContain('late')
      expect(next).not.toBeNull()
      await partsOf(store, { after: next ?? 0, limit: 1000 })
      expect((await seek(store, 'ant'))[0]).toBe('late')
      await write(store, nextVersion(late, { search: given('bee') }))
      expect(await seek(store, 'ant')).not.toContain('late')
    })

    test('does not touch other repositories', async ({ store }) => {
      const other = { repositoryId: 'REPO_2', packageId: null }
      await write(store, { ...found('z', 'ant'), ...other })
      await writeBranches(store)
      await reindexAll(store, 3)
      expect(await seek(store, 'ant', { branch: other })).toEqual(['z'])
      expect((await store.indexes.info('REPO_2')).numDocs).toBe(1)
    })

    test('includes the text of a file that arrived after the entity that names it', async ({ store }) => {
      await write(store, anEntity({ id: 'a', search: { ...given('Report'), file: 'hash' } }))
      await store.transaction((tx) => tx.texts.put('hash', 'figures'))
      await reindexAll(store, 10)
      expect([await seek(store, 'figures'), await seek(store, 'report')]).toEqual([['a'], ['a']])
    })
  })
}

/** Main with entities of all tiers of `ant`, deleted and archived ones; a package that changes some. */
async function writeBranches(store: Store): Promise<void> {
  const names = ['ant', 'antler', 'bee', 'ant bee', '東京 ant']
  const rows = Array.from({ length: 15 }, (_, index) =>
    found(`CONT_${index}`, names[index % 5] ?? '', index % 2 === 0 ? 'ants of the text' : 'the ant'),
  )
  await write(store, ...rows)
  const [a, b, c, d] = rows
  if (!a || !b || !c || !d) return
  await write(store, sameVersion(a, { archived: true }), sameVersion(b, { deletedDate: 5 }))
  await write(store, nextVersion(c, { search: { ...given('bee'), categories: ['CATG_1'] } }))
  await write(store, inPackageOf(packageId, c, { search: given('cat ant') }))
  await write(store, inPackageOf(packageId, d, { deletedDate: 5 }))
}

async function answers(store: Store) {
  const texts = ['ant', 'an', 'bee', '"the ant"', 'cat', '東', 'nothing']
  const byText = texts.map(async (text) => ({
    main: await seek(store, text, { archived: true }),
    package: await seek(store, text, { branch: packageBranch }),
    pages: idsOf(await walkSearch(store, { text, limit: 2 })),
    list: await find(store, { text }),
  }))
  const { numDocs, maxDocId, numTerms, numRecords } = await store.indexes.info(testRepository)
  const ids = Array.from({ length: 15 }, (_, index) => `CONT_${index}`)
  const documents = [...(await store.entities.documents(main, 'item', ids))]
  return { texts: await Promise.all(byText), numDocs, maxDocId, numTerms, numRecords, documents }
}

/** Rebuilds the index and returns the number of documents. */
async function reindexAll(store: Store, limit: number): Promise<number> {
  const parts = await partsOf(store, { after: 0, limit })
  const scopes = parts.map(({ next }) => next ?? Infinity)
  expect(scopes).toEqual([...new Set(scopes)].toSorted((a, b) => a - b))
  for (const { done } of parts) expect(done).toBeLessThanOrEqual(limit)
  return parts.reduce((sum, { done }) => sum + done, 0)
}

async function partsOf(store: Store, from: { after: number; limit: number }): Promise<Reindexed[]> {
  const parts: Reindexed[] = []
  for await (const part of store.indexes.reindex(testRepository, from)) parts.push(part)
  return parts
}

/** Rebuilds the first part and returns where to continue. */
async function firstPart(store: Store, { limit }: { limit: number }): Promise<number | null> {
  for await (const { next } of store.indexes.reindex(testRepository, { after: 0, limit })) return next
  return null
}
