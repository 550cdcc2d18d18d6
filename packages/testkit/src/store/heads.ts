import { StoreConflict } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, entityOf, nextVersion, jsonRowOf, sameVersion, textOf } from '../entity.ts'
import { aQuery, idsOf, main, refusal, write, type StoreTest, item } from './fixture.ts'

const article = anEntity({
  id: 'CONT_1',
  slug: 'news',
  body: { fields: { title: 'Grüße 😀', list: [1, null, { a: [] }] } },
})

export function headLaws(test: StoreTest): void {
  describe('get', () => {
    test('returns null for an entity that the branch never had', async ({ store }) => {
      expect(await store.entities.get(main, 'item', 'CONT_1')).toBeNull()
    })

    test('returns the head as it was put, without derived data', async ({ store }) => {
      await write(store, anEntity({ ...article, search: textOf('x'), values: [{ path: 'a', value: 1 }] }))
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(article))
    })

    test('returns the newest head', async ({ store }) => {
      const second = nextVersion(article, { name: 'Second' })
      await write(store, article, second)
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(second))
    })

    test('returns archived and soft-deleted heads, too', async ({ store }) => {
      const gone = sameVersion(article, { archived: true, deletedDate: article.createdDate + 5 })
      await write(store, article, gone)
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(gone))
    })

    test('identifies an entity by kind and id', async ({ store }) => {
      await write(store, article)
      expect(await store.entities.get(main, 'folder', 'CONT_1')).toBeNull()
    })

    test('keeps repositories apart, even with the same ids and slugs', async ({ store }) => {
      const twin = anEntity({ ...article, repositoryId: 'REPO_OTHER', name: 'Twin' })
      await write(store, article, twin)
      const branch = { repositoryId: 'REPO_OTHER', packageId: null }
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(article))
      expect(await store.entities.get(branch, 'item', 'CONT_1')).toEqual(entityOf(twin))
      expect(await store.entities.getBySlug(branch, { kind: 'item', slug: 'news' })).toMatchObject(
        jsonRowOf(twin),
      )
      expect((await store.entities.list(branch, aQuery())).entities).toMatchObject([jsonRowOf(twin)])
    })
  })

  describe('getMany', () => {
    test('returns the existing heads, each once', async ({ store }) => {
      const other = anEntity({ id: 'CONT_2' })
      await write(store, article, other)
      const found = await store.entities.getMany(main, 'item', ['CONT_2', 'CONT_9', 'CONT_1', 'CONT_2'])
      expect(found.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([article, other].map(entityOf))
    })

    test('returns nothing for no ids or another kind', async ({ store }) => {
      await write(store, article)
      expect(await store.entities.getMany(main, 'item', [])).toEqual([])
      expect(await store.entities.getMany(main, 'page', ['CONT_1'])).toEqual([])
    })
  })

  describe('getBySlug', () => {
    test('returns null when nothing has the slug', async ({ store }) => {
      expect(await store.entities.getBySlug(main, { kind: 'item', slug: 'news' })).toBeNull()
    })

    test('finds live and archived heads of the kind by the exact slug', async ({ store }) => {
      await write(store, article, sameVersion(article, { archived: true }))
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id).toBe('CONT_1')
      expect(await store.entities.getBySlug(main, { kind: 'folder', slug: 'news' })).toBeNull()
      expect(await store.entities.getBySlug(main, { kind: 'item', slug: 'News' })).toBeNull()
      expect(await store.entities.getBySlug(main, { kind: 'item', slug: 'new' })).toBeNull()
    })

    test('finds the same head for a caller who has its text, whose JSON may then be missing', async ({
      store,
    }) => {
      await write(store, article)
      const whole = await store.entities.getBySlug(main, { kind: 'item', slug: 'news' })
      for (const has of [true, false]) {
        const found = await store.entities.getBySlug(main, { kind: 'item', slug: 'news', hasText: () => has })
        expect(found).toMatchObject({ id: 'CONT_1', revision: 1 })
        if (!has) expect(found).toEqual(whole)
      }
    })

    test('does not find soft-deleted heads, nor heads by a former slug', async ({ store }) => {
      const renamed = nextVersion(article, { slug: 'old-news' })
      await write(store, article, renamed)
      expect(await store.entities.getBySlug(main, { kind: 'item', slug: 'news' })).toBeNull()
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'old-news' }))?.version).toBe(2)
      await write(store, sameVersion(renamed, { deletedDate: 7 }))
      expect(await store.entities.getBySlug(main, { kind: 'item', slug: 'old-news' })).toBeNull()
    })
  })

  describe('list', () => {
    test('finds and counts nothing on an empty branch', async ({ store }) => {
      expect(await store.entities.list(main, aQuery())).toEqual({ entities: [], count: 0 })
    })

    test('shows heads of the kind without soft-deleted ones, and archived ones on request', async ({
      store,
    }) => {
      const archived = anEntity({ id: 'CONT_2', archived: true })
      const deleted = anEntity({ id: 'CONT_3', deletedDate: 5 })
      await write(store, article, archived, deleted, anEntity({ id: 'FOLD_1', kind: 'folder' }))
      expect(await store.entities.list(main, aQuery())).toMatchObject({
        entities: [jsonRowOf(article)],
        count: 1,
      })
      const all = await store.entities.list(main, aQuery({ archived: true }))
      expect(all).toMatchObject({ entities: [jsonRowOf(article), jsonRowOf(archived)], count: 2 })
    })

    test('counts all matches, not just the page, and only on request', async ({ store }) => {
      await write(store, article, anEntity({ id: 'CONT_2' }), anEntity({ id: 'CONT_3' }))
      expect((await store.entities.list(main, aQuery({ limit: 2 }))).count).toBe(3)
      expect((await store.entities.list(main, aQuery({ limit: 2, offset: 2 }))).count).toBe(3)
      expect((await store.entities.list(main, aQuery({ count: false }))).count).toBeUndefined()
    })
  })

  describe('put', () => {
    test('is refused as stale when the head changed, and changes nothing', async ({ store }) => {
      await write(store, article, nextVersion(article))
      const late = nextVersion(article, { name: 'Late' })
      const error = await refusal(write(store, late))
      expect(error).toBeInstanceOf(StoreConflict)
      expect(error).toMatchObject({ kind: 'stale', subject: 'CONT_1' })
      expect((await store.entities.get(main, 'item', 'CONT_1'))?.name).toBe(article.name)
    })

    test('is refused as stale when a new entity already exists', async ({ store }) => {
      await write(store, article)
      expect(await refusal(write(store, article))).toMatchObject({ kind: 'stale', subject: 'CONT_1' })
    })

    test('is refused as stale when the entity does not exist', async ({ store }) => {
      const error = await refusal(write(store, nextVersion(article)))
      expect(error).toMatchObject({ kind: 'stale', subject: 'CONT_1' })
      expect(await store.entities.get(main, 'item', 'CONT_1')).toBeNull()
    })

    test('replaces values and search text of the previous head', async ({ store }) => {
      const before = anEntity({
        id: 'CONT_1',
        values: [{ path: 'color', value: 'red' }],
        search: textOf('red'),
      })
      await write(
        store,
        before,
        nextVersion(before, { values: [{ path: 'size', value: 3 }], search: textOf('big') }),
      )
      const color = { field: { path: 'color', list: false }, op: 'exists', value: true } as const
      const size = { field: { path: 'size', list: false }, op: 'eq', value: 3 } as const
      expect(idsOf(await store.entities.list(main, aQuery({ filter: color })))).toEqual([])
      expect(idsOf(await store.entities.list(main, aQuery({ filter: size })))).toEqual(['CONT_1'])
      expect(idsOf(await store.entities.list(main, aQuery({ text: 'red' })))).toEqual([])
      expect(idsOf(await store.entities.list(main, aQuery({ text: 'big' })))).toEqual(['CONT_1'])
    })

    test('stores a value that is given twice once', async ({ store }) => {
      const tag = { path: 'tags', value: 'a' }
      await write(store, anEntity({ id: 'CONT_1', values: [tag, tag] }))
      const filter = { field: { path: 'tags', list: true }, op: 'eq', value: 'a' } as const
      expect(await store.entities.list(main, aQuery({ filter }))).toMatchObject({
        entities: [{ id: 'CONT_1' }],
        count: 1,
      })
    })
  })

  describe('purge', () => {
    test('removes everything of the entity on its branch', async ({ store }) => {
      const full = anEntity({
        ...article,
        search: textOf('news'),
        edges: [{ path: 'a', targetId: 'T', onDelete: 'ignore' }],
      })
      await write(store, full)
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_1')))
      expect(await store.entities.get(main, 'item', 'CONT_1')).toBeNull()
      expect(await store.entities.getBySlug(main, { kind: 'item', slug: 'news' })).toBeNull()
      expect(await store.entities.list(main, aQuery({ text: 'news' }))).toEqual({ entities: [], count: 0 })
      expect(await store.entities.version(main, item('CONT_1'), 1)).toBeNull()
      expect(await store.entities.versions(main, item('CONT_1'), { limit: 9 })).toEqual([])
      expect(await store.entities.moment(main, item('CONT_1'), full.updatedDate)).toBeNull()
      expect(await store.entities.incoming(main, 'T', 9)).toEqual([])
      expect(await store.entities.edges(main, { end: 'source', ids: ['CONT_1'], limit: 9 })).toEqual([])
      expect((await store.entities.documents(main, 'item', ['CONT_1'])).size).toBe(0)
    })

    test('of an absent entity changes nothing', async ({ store }) => {
      await write(store, article)
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_9')))
      await store.transaction((tx) => tx.entities.purge(main, { kind: 'folder', id: 'CONT_1' }))
      expect(await store.entities.get(main, 'item', 'CONT_1')).toEqual(entityOf(article))
    })

    test('lets the same id be used again, without any old data', async ({ store }) => {
      await write(store, article, nextVersion(article))
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_1')))
      const anew = anEntity({ id: 'CONT_1', name: 'Anew', updatedDate: article.updatedDate + 9000 })
      await write(store, anew)
      const versions = await store.entities.versions(main, item('CONT_1'), { limit: 9 })
      expect(versions.map(({ version, name }) => [version, name])).toEqual([[1, 'Anew']])
      expect(await store.entities.moment(main, item('CONT_1'), anew.updatedDate - 1)).toBeNull()
      expect(await store.entities.getBySlug(main, { kind: 'item', slug: 'news' })).toBeNull()
    })
  })
}
