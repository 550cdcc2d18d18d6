import type { DeletedRef, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, nextVersion, sameVersion, inPackageOf } from '../entity.ts'
import { item, main, packageId, packageBranch, refusal, write, type StoreTest } from './fixture.ts'

/**
 * What maintenance reads: needed blobs, heads deleted long ago, and texts that nothing needs any
 * more.
 */
export function maintenanceLaws(test: StoreTest): void {
  neededLaws(test)
  deletedLaws(test)
  roleLaws(test)
  sweepLaws(test)
}

function neededLaws(test: StoreTest): void {
  const needed = (store: Store, page: { after?: string; limit: number } = { limit: 9 }) =>
    store.entities.neededBlobs(page)
  const first = anEntity({ id: 'CONT_1', blobs: ['b', 'a'] })
  const second = nextVersion(first, { blobs: ['c', 'a'] })

  describe('the blobs that are needed', () => {
    test('are those of all versions on all branches, each once and in order', async ({ store }) => {
      expect(await needed(store)).toEqual([])
      await write(store, first, second, inPackageOf(packageId, second, { blobs: ['d'] }))
      await write(store, anEntity({ id: 'CONT_2', blobs: ['a'] }), anEntity({ id: 'CONT_3' }))
      expect(await needed(store)).toEqual(['a', 'b', 'c', 'd'])
      expect(await needed(store, { limit: 2 })).toEqual(['a', 'b'])
      expect(await needed(store, { after: 'b', limit: 9 })).toEqual(['c', 'd'])
      expect(await needed(store, { after: 'bb', limit: 1 })).toEqual(['c'])
    })

    test('do not change when only the state of an entity changes, even when it is deleted', async ({
      store,
    }) => {
      await write(store, first, sameVersion(first, { deletedDate: 5, blobs: ['z'] }))
      expect(await needed(store)).toEqual(['a', 'b'])
    })

    test('are released only with versions that are deleted or purged', async ({ store }) => {
      await write(store, first, second, inPackageOf(packageId, second, { blobs: ['d'] }))
      const old = { before: 2, retain: null }
      await store.transaction((tx) => tx.entities.purge(packageBranch, item('CONT_1')))
      await store.transaction((tx) => tx.entities.forgetVersions(main, item('CONT_1'), old))
      expect(await needed(store)).toEqual(['a', 'c'])
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_1')))
      expect(await needed(store)).toEqual([])
      await write(store, first)
      expect(await needed(store)).toEqual(['a', 'b'])
    })

    test('do not include those of a transaction that was rolled back', async ({ store }) => {
      await write(store, first)
      const undone = store.transaction(async (tx) => {
        await tx.entities.put(second, 1)
        await tx.entities.forgetVersions(main, item('CONT_1'), { before: 2, retain: null })
        expect(await tx.entities.neededBlobs({ limit: 9 })).toEqual(['a', 'c'])
        throw new Error('undo')
      })
      await refusal(undone)
      expect(await needed(store)).toEqual(['a', 'b'])
    })
  })
}

function roleLaws(test: StoreTest): void {
  describe('a role that heads name', () => {
    const named = (list: 'read' | 'write' | 'delete', role: string) =>
      ({ roles: { read: [], write: [], delete: [], [list]: ['ROLE_0', role] } }) as const

    test('is found in any list, on any branch, even of deleted heads', async ({ store }) => {
      const inPackage = anEntity({ id: 'CONT_2' })
      await write(store, anEntity({ id: 'CONT_1', ...named('read', 'ROLE_1') }), inPackage)
      await write(store, inPackageOf(packageId, inPackage, named('write', 'ROLE_2')))
      await write(store, anEntity({ id: 'CONT_3', deletedDate: 5, ...named('delete', 'ROLE_3') }))
      const roles = ['ROLE_0', 'ROLE_1', 'ROLE_2', 'ROLE_3', 'ROLE_4', 'ROLE_']
      const found = await Promise.all(roles.map((role) => store.entities.namesRole(role)))
      expect(found).toEqual([true, true, true, true, false, false])
    })

    test('is no longer found once no head names it', async ({ store }) => {
      const first = anEntity({ id: 'CONT_1', ...named('read', 'ROLE_1') })
      await write(store, first)
      await store.transaction(async (tx) => {
        await tx.entities.purge(main, item('CONT_1'))
        expect(await tx.entities.namesRole('ROLE_1')).toBe(false)
      })
      expect(await store.entities.namesRole('ROLE_1')).toBe(false)
    })
  })
}

function deletedLaws(test: StoreTest): void {
  const deleted = (id: string, deletedDate: number) => anEntity({ id, deletedDate })
  const refOf = (id: string, deletedDate: number, branch = main): DeletedRef => ({
    ...branch,
    kind: 'item',
    id,
    deletedDate,
  })

  describe('the heads deleted before a time', () => {
    test('come from every branch and kind, oldest first, without live ones', async ({ store }) => {
      const alive = anEntity({ id: 'CONT_3' })
      await write(store, deleted('CONT_1', 30), deleted('CONT_2', 10), alive)
      await write(store, anEntity({ kind: 'folder', id: 'CONT_1', deletedDate: 20 }))
      await write(store, inPackageOf(packageId, alive, { deletedDate: 15 }))
      expect(await store.entities.deletedBefore({ before: 31, limit: 9 })).toEqual([
        refOf('CONT_2', 10),
        refOf('CONT_3', 15, packageBranch),
        { ...refOf('CONT_1', 20), kind: 'folder' },
        refOf('CONT_1', 30),
      ])
      expect(await store.entities.deletedBefore({ before: 15, limit: 9 })).toEqual([refOf('CONT_2', 10)])
    })

    test('come in pages, each once, even if many were deleted at once', async ({ store }) => {
      const all = Array.from({ length: 7 }, (_, index) => deleted(`CONT_${index}`, index < 2 ? 5 : 6))
      await write(store, ...all, ...all.map((head) => inPackageOf(packageId, head, { deletedDate: 6 })))
      const seen: DeletedRef[] = []
      for (;;) {
        const after = seen.at(-1)
        const page = await store.entities.deletedBefore({ before: 9, limit: 3, ...(after && { after }) })
        seen.push(...page)
        if (page.length < 3) break
      }
      expect(new Set(seen.map(({ packageId: branch, id }) => `${branch} ${id}`)).size).toBe(14)
      expect(seen).toHaveLength(14)
      expect(seen.map(({ deletedDate }) => deletedDate)).toEqual([5, 5, ...Array(12).fill(6)])
    })

    test('do not include one that was undeleted or purged, until it is deleted again', async ({ store }) => {
      const first = anEntity({ id: 'CONT_1' })
      const gone = sameVersion(first, { deletedDate: 5 })
      const back = sameVersion(gone, { deletedDate: null })
      await write(store, first, gone, deleted('CONT_2', 6))
      await write(store, back)
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_2')))
      expect(await store.entities.deletedBefore({ before: 9, limit: 9 })).toEqual([])
      await write(store, sameVersion(back, { deletedDate: 8 }))
      expect(await store.entities.deletedBefore({ before: 9, limit: 9 })).toEqual([refOf('CONT_1', 8)])
    })

    test('are seen by a transaction with its own changes', async ({ store }) => {
      await store.transaction(async (tx) => {
        await tx.entities.put(deleted('CONT_1', 5), 0)
        expect(await tx.entities.deletedBefore({ before: 9, limit: 9 })).toEqual([refOf('CONT_1', 5)])
        expect(await store.entities.deletedBefore({ before: 9, limit: 9 })).toEqual([])
      })
    })
  })
}

function sweepLaws(test: StoreTest): void {
  const retain = (store: Store, ...hashes: readonly string[]) =>
    store.transaction(async (tx) => {
      for (const hash of hashes) await tx.texts.put(hash, `text of ${hash}`)
    })
  const sweep = (store: Store, part = { after: '', limit: 9 }) =>
    store.transaction((tx) => tx.texts.sweep(part))
  const stored = async (store: Store, ...hashes: readonly string[]) => {
    const texts = await Promise.all(hashes.map((hash) => store.texts.get(hash)))
    return hashes.filter((_, index) => texts[index] !== null)
  }

  describe('a sweep of texts', () => {
    test('deletes those of files that no version needs', async ({ store }) => {
      const article = anEntity({ id: 'CONT_1', blobs: ['a'] })
      await write(store, article, nextVersion(article, { blobs: ['b'] }))
      await write(store, inPackageOf(packageId, article, { blobs: ['other', 'c'] }))
      await retain(store, 'a', 'b', 'c', 'd', 'e')
      expect(await sweep(store)).toEqual({ next: null, forgotten: 2 })
      expect(await stored(store, 'a', 'b', 'c', 'd', 'e')).toEqual(['a', 'b', 'c'])
      expect(await sweep(store)).toEqual({ next: null, forgotten: 0 })
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_1')))
      expect(await sweep(store)).toEqual({ next: null, forgotten: 2 })
      expect(await stored(store, 'a', 'b', 'c')).toEqual(['c'])
    })

    test('runs part by part, in the order of hashes', async ({ store }) => {
      await write(store, anEntity({ blobs: ['b'] }))
      await retain(store, 'd', 'c', 'b', 'a')
      expect(await sweep(store, { after: '', limit: 2 })).toEqual({ next: 'b', forgotten: 1 })
      expect(await stored(store, 'a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd'])
      expect(await sweep(store, { after: 'b', limit: 2 })).toEqual({ next: 'd', forgotten: 2 })
      expect(await sweep(store, { after: 'd', limit: 2 })).toEqual({ next: null, forgotten: 0 })
      expect(await stored(store, 'a', 'b', 'c', 'd')).toEqual(['b'])
    })

    test("sees its transaction's writes, and is rolled back with it", async ({ store }) => {
      await retain(store, 'a', 'b')
      const undone = store.transaction(async (tx) => {
        await tx.entities.put(anEntity({ blobs: ['a'] }), 0)
        expect(await tx.texts.sweep({ after: '', limit: 9 })).toEqual({ next: null, forgotten: 1 })
        expect([await tx.texts.get('a'), await tx.texts.get('b')]).toEqual(['text of a', null])
        throw new Error('undo')
      })
      await refusal(undone)
      expect(await stored(store, 'a', 'b')).toEqual(['a', 'b'])
    })
  })
}
