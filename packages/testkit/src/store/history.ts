import type { EntityWrite } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, entityOf, nextVersion, sameVersion } from '../entity.ts'
import { ben } from '../people.ts'
import { main, write, type StoreTest, item } from './fixture.ts'

const first = anEntity({ id: 'CONT_1', name: 'First', slug: 'first', body: { text: 'one' } })
const second = nextVersion(first, { name: 'Second', slug: 'second', body: { text: 'two' }, updatedBy: ben })
const third = nextVersion(second, { name: 'Third' })

export function historyLaws(test: StoreTest): void {
  describe('version', () => {
    test('returns each version as it was saved, and null for others', async ({ store }) => {
      await write(store, first, second)
      expect(await store.entities.version(main, item('CONT_1'), 1)).toEqual(savedVersion(first))
      expect(await store.entities.version(main, item('CONT_1'), 2)).toEqual(savedVersion(second))
      expect(await store.entities.version(main, item('CONT_1'), 3)).toBeNull()
      expect(await store.entities.version(main, item('CONT_1'), 0)).toBeNull()
      expect(await store.entities.version(main, item('CONT_2'), 1)).toBeNull()
      expect(await store.entities.version(main, { kind: 'folder', id: 'CONT_1' }, 1)).toBeNull()
    })

    test('stays as it was saved when later writes make no version', async ({ store }) => {
      await write(store, first, sameVersion(first, { publishedVersion: 1, updatedBy: ben }))
      expect(await store.entities.version(main, item('CONT_1'), 1)).toEqual(savedVersion(first))
      expect(await store.entities.versions(main, item('CONT_1'), { limit: 9 })).toHaveLength(1)
    })

    test('remains when its entity is soft-deleted', async ({ store }) => {
      await write(store, first, sameVersion(first, { deletedDate: 9 }))
      expect(await store.entities.version(main, item('CONT_1'), 1)).toEqual(savedVersion(first))
    })
  })

  describe('versions', () => {
    test('go from newest to oldest, below `before`, at most `limit`', async ({ store }) => {
      await write(store, first, second, third)
      const all = await store.entities.versions(main, item('CONT_1'), { limit: 9 })
      expect(all).toEqual([third, second, first].map(savedVersion))
      const newest = await store.entities.versions(main, item('CONT_1'), { limit: 2 })
      expect(newest).toEqual([third, second].map(savedVersion))
      const below = await store.entities.versions(main, item('CONT_1'), { before: 3, limit: 1 })
      expect(below).toEqual([savedVersion(second)])
      expect(await store.entities.versions(main, item('CONT_1'), { before: 1, limit: 9 })).toEqual([])
    })

    test('are counted, with their bytes', async ({ store }) => {
      await write(store, first, second, third)
      const bytes = [first, second, third].reduce(
        (sum, { body }) => sum + Buffer.byteLength(JSON.stringify(body)),
        0,
      )
      expect(await store.entities.versionTotals(main, item('CONT_1'))).toEqual({ count: 3, bytes })
      expect(await store.entities.versionTotals(main, item('CONT_9'))).toEqual({ count: 0, bytes: 0 })
    })

    test('are empty for an entity that does not exist', async ({ store }) => {
      expect(await store.entities.versions(main, item('CONT_1'), { limit: 9 })).toEqual([])
    })

    test('are deleted when older than `before`, except for `retain`', async ({ store }) => {
      await write(store, first, second, third)
      await store.transaction((tx) =>
        tx.entities.forgetVersions(main, item('CONT_1'), { before: 3, retain: 1 }),
      )
      expect(await store.entities.versions(main, item('CONT_1'), { limit: 9 })).toEqual(
        [third, first].map(savedVersion),
      )
      await store.transaction((tx) =>
        tx.entities.forgetVersions(main, item('CONT_1'), { before: 3, retain: null }),
      )
      expect(await store.entities.version(main, item('CONT_1'), 1)).toBeNull()
      await store.transaction((tx) =>
        tx.entities.forgetVersions(main, item('CONT_9'), { before: 3, retain: null }),
      )
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(third))
    })

    test('are in numeric order beyond nine', async ({ store }) => {
      const written = [first]
      for (let version = 2; version <= 12; version += 1) written.push(nextVersion(written.at(-1) ?? first))
      await write(store, ...written)
      const all = await store.entities.versions(main, item('CONT_1'), { limit: 20 })
      expect(all.map(({ version }) => version)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    })
  })

  momentLaws(test)
  edgeLaws(test)
}

function momentLaws(test: StoreTest): void {
  const start = first.updatedDate
  const state = { version: 1, publishedVersion: null, publishedDate: null, archived: false, deleted: false }

  describe('moment', () => {
    test('is null before the entity existed, and for one that never did', async ({ store }) => {
      await write(store, first)
      expect(await store.entities.moment(main, item('CONT_1'), start - 1)).toBeNull()
      expect(await store.entities.moment(main, item('CONT_2'), start)).toBeNull()
    })

    test('returns the state at a time, from the write that set it until the next', async ({ store }) => {
      const published = sameVersion(first, { publishedVersion: 1, publishedDate: start + 1000 })
      await write(store, first, published, nextVersion(published))
      const at = (time: number) => store.entities.moment(main, item('CONT_1'), time)
      const publishedState = { ...state, publishedVersion: 1, publishedDate: start + 1000 }
      expect(await at(start)).toEqual({ ...state, from: start })
      expect(await at(start + 999)).toEqual({ ...state, from: start })
      expect(await at(start + 1000)).toEqual({ ...publishedState, from: start + 1000 })
      expect(await at(start + 5000)).toEqual({ ...publishedState, version: 2, from: start + 2000 })
    })

    test('starts at the written date when a write does not change the updated date', async ({ store }) => {
      const archived = sameVersion(first, { archived: true, updatedDate: start, writtenDate: start + 50 })
      await write(store, first, archived)
      expect(await store.entities.moment(main, item('CONT_1'), start + 49)).toEqual({
        ...state,
        from: start,
      })
      const after = await store.entities.moment(main, item('CONT_1'), start + 50)
      expect(after).toEqual({ ...state, archived: true, from: start + 50 })
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(archived))
    })

    test('includes a soft delete and its end', async ({ store }) => {
      const deleted = sameVersion(first, { deletedDate: start + 1000 })
      await write(store, first, deleted, sameVersion(deleted, { deletedDate: null }))
      const at = async (time: number) => (await store.entities.moment(main, item('CONT_1'), time))?.deleted
      expect([await at(start), await at(start + 1000), await at(start + 2000)]).toEqual([false, true, false])
    })

    test('is not before the previous one, even if the clock was set back', async ({ store }) => {
      const later = sameVersion(first, { archived: true, updatedDate: start, writtenDate: start + 500 })
      await write(store, first, later, nextVersion(later, { updatedDate: start, writtenDate: start + 100 }))
      const at = (time: number) => store.entities.moment(main, item('CONT_1'), time)
      expect(await at(start + 499)).toEqual({ ...state, from: start })
      expect(await at(start + 500)).toEqual({ ...state, version: 2, archived: true, from: start + 500 })
    })

    test('keeps the later of two writes in the same millisecond', async ({ store }) => {
      await write(store, first, nextVersion(first, { updatedDate: start, archived: true }))
      const moment = await store.entities.moment(main, item('CONT_1'), start)
      expect(moment).toEqual({ ...state, version: 2, archived: true, from: start })
    })
  })
}

function edgeLaws(test: StoreTest): void {
  const edge = (path: string, targetId = 'T') => ({ path, targetId, onDelete: 'restrict' as const })

  describe('incoming', () => {
    test('returns edges with their sources, by source id, then path, at most `limit`', async ({ store }) => {
      const b = anEntity({
        id: 'CONT_B',
        edges: [edge('z'), { ...edge('a'), onDelete: 'unset' }, edge('a', 'U')],
      })
      const a = anEntity({ id: 'CONT_A', edges: [edge('m')] })
      const folder = anEntity({ id: 'FOLD_C', kind: 'folder', edges: [edge('parent')] })
      await write(store, b, a, folder)
      const found = await store.entities.incoming(main, 'T', 9)
      expect(found).toEqual([
        { ...edge('m'), source: entityOf(a) },
        { ...edge('a'), onDelete: 'unset', source: entityOf(b) },
        { ...edge('z'), source: entityOf(b) },
        { ...edge('parent'), source: entityOf(folder) },
      ])
      expect(await store.entities.incoming(main, 'T', 2)).toEqual(found.slice(0, 2))
      expect(await store.entities.incoming(main, 'V', 9)).toEqual([])
    })

    test('includes edges of archived heads, but not of soft-deleted ones or other repositories', async ({
      store,
    }) => {
      const archived = anEntity({ id: 'CONT_1', archived: true, edges: [edge('a')] })
      const deleted = anEntity({ id: 'CONT_2', deletedDate: 3, edges: [edge('a')] })
      const foreign = anEntity({ id: 'CONT_3', repositoryId: 'REPO_OTHER', edges: [edge('a')] })
      await write(store, archived, deleted, foreign)
      expect((await store.entities.incoming(main, 'T', 9)).map(({ source }) => source.id)).toEqual(['CONT_1'])
    })

    test('follows the head: replaced edges are gone, and a repeated one counts once', async ({ store }) => {
      const before = anEntity({ id: 'CONT_1', edges: [edge('a')] })
      await write(store, before, nextVersion(before, { edges: [edge('b', 'U'), edge('b', 'U')] }))
      expect(await store.entities.incoming(main, 'T', 9)).toEqual([])
      expect(await store.entities.incoming(main, 'U', 9)).toHaveLength(1)
    })
  })
}

function savedVersion(entity: EntityWrite) {
  const { kind, id, version, type, name, slug, parentId, roles, body, updatedDate, updatedBy } = entity
  return {
    kind,
    id,
    version,
    type,
    name,
    slug,
    parentId,
    roles,
    body,
    savedDate: updatedDate,
    savedBy: updatedBy,
  }
}
