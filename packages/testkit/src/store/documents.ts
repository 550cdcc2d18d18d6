import type { SearchDocument } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import {
  aDocument,
  anEntity,
  entityOf,
  nextVersion,
  sameVersion,
  takenInto,
  testRepository,
} from '../entity.ts'
import {
  find,
  item,
  main,
  otherPackageLine,
  packageId,
  packageLine,
  write,
  type StoreTest,
} from './fixture.ts'
import { found, said, seek } from './searching.ts'

const full: SearchDocument = {
  name: 'Grüße 😀',
  passages: [
    { path: 'fields.b', text: 'second "path" first' },
    { path: 'fields.a', text: '<b>not markup</b>\n\tnor \\ escapes' },
    { path: 'fields.a', text: '' },
  ],
  categories: ['CATG_2', 'CATG_1'],
  file: 'hash',
}

/** The laws of what search finds entities by, as it is kept. */
export function documentLaws(test: StoreTest): void {
  describe('a document', () => {
    test('reads as it was put', async ({ store }) => {
      await write(store, anEntity({ id: 'a', search: full }), anEntity({ id: 'b', search: aDocument() }))
      await write(store, anEntity({ id: 'none' }))
      const documents = await store.entities.documents(main, 'item', ['b', 'a', 'none', 'missing', 'a'])
      expect(Object.fromEntries(documents)).toEqual({ a: full, b: aDocument() })
      expect((await store.entities.documents(main, 'item', [])).size).toBe(0)
      expect((await store.entities.documents(main, 'folder', ['a'])).size).toBe(0)
    })

    test('is that of the newest write', async ({ store }) => {
      const first = found('a', 'first')
      await write(store, first, nextVersion(first, { search: said('second') }))
      expect((await store.entities.documents(main, 'item', ['a'])).get('a')).toEqual(said('second'))
      await write(store, sameVersion(nextVersion(first), { search: null }))
      expect((await store.entities.documents(main, 'item', ['a'])).size).toBe(0)
    })

    test('is absent while its entity is deleted, and stays while it is archived', async ({ store }) => {
      const first = found('a', 'first')
      const archived = sameVersion(first, { archived: true })
      await write(store, first, archived)
      expect((await store.entities.documents(main, 'item', ['a'])).get('a')).toEqual(said('first'))
      await write(store, sameVersion(archived, { deletedDate: 5 }))
      expect((await store.entities.documents(main, 'item', ['a'])).size).toBe(0)
    })

    test('is that of the head which the line shows', async ({ store }) => {
      const [kept, changed, doomed] = [found('kept', 'k'), found('changed', 'c'), found('doomed', 'd')]
      await write(store, kept, changed, doomed)
      await write(
        store,
        takenInto(packageId, changed, { search: said('other') }),
        takenInto(packageId, doomed, { deletedDate: 5 }),
      )
      const ids = ['kept', 'changed', 'doomed']
      const inPackage = await store.entities.documents(packageLine, 'item', ids)
      expect(Object.fromEntries(inPackage)).toEqual({ kept: said('k'), changed: said('other') })
      const onMain = await store.entities.documents(main, 'item', ids)
      expect(Object.fromEntries(onMain)).toEqual({ kept: said('k'), changed: said('c'), doomed: said('d') })
      const elsewhere = await store.entities.documents(otherPackageLine, 'item', ids)
      expect(Object.fromEntries(elsewhere)).toEqual(Object.fromEntries(onMain))
    })

    test('of a thousand entities reads at once', async ({ store }) => {
      const ids = Array.from({ length: 1000 }, (_, index) => `CONT_${index}`)
      await write(store, ...ids.map((id) => found(id, id)))
      const documents = await store.entities.documents(main, 'item', ids)
      expect([...documents].every(([id, { name }]) => id === name)).toBe(true)
      expect(documents.size).toBe(1000)
    })
  })

  describe('describing an entity', () => {
    test('says what it is found by and leaves everything else as it was', async ({ store }) => {
      const [bare, other] = [anEntity({ id: 'a' }), found('b', 'ant')]
      await write(store, bare, other)
      await store.transaction((tx) => tx.entities.describe(main, item('a'), said('ant', 'bee')))
      expect([await seek(store, 'ant'), await seek(store, 'bee')]).toEqual([['a', 'b'], ['a']])
      expect(await find(store, { text: 'bee' })).toEqual(['a'])
      expect(await store.entities.get(main, 'item', 'a')).toEqual(entityOf(bare))
      expect(await store.entities.versions(main, item('a'), { limit: 9 })).toHaveLength(1)
      expect(await store.entities.moment(main, item('a'), bare.updatedDate - 1)).toBeNull()
      await write(store, sameVersion(bare, { search: said('ant', 'bee'), archived: true }))
      expect(await seek(store, 'ant', { archived: true })).toEqual(['a', 'b'])
    })

    test('replaces what was said before; the same again moves nothing', async ({ store }) => {
      await write(store, found('a', 'ant'), found('b', 'ant'))
      await store.transaction(async (tx) => {
        await tx.entities.describe(main, item('a'), said('ant'))
        expect(await seek(tx, 'ant')).toEqual(['b', 'a'])
        await tx.entities.describe(main, item('b'), said('bee'))
      })
      expect([await seek(store, 'ant'), await seek(store, 'bee')]).toEqual([['a'], ['b']])
    })

    test('is of exactly one line, and nothing where that line has no live head', async ({ store }) => {
      const [kept, doomed] = [found('kept', 'ant'), found('doomed', 'ant')]
      await write(store, kept, doomed, sameVersion(doomed, { deletedDate: 5 }))
      await store.transaction(async (tx) => {
        for (const id of ['kept', 'doomed', 'missing'])
          await tx.entities.describe(packageLine, item(id), said('bee'))
        for (const id of ['doomed', 'missing']) await tx.entities.describe(main, item(id), said('bee'))
      })
      expect((await store.indexes.info(testRepository)).numDocs).toBe(1)
      for (const line of [main, packageLine]) {
        expect((await store.entities.documents(line, 'item', ['doomed', 'missing'])).size).toBe(0)
        expect(await seek(store, 'ant', { line })).toEqual(['kept'])
        expect(await seek(store, 'bee', { line, archived: true })).toEqual([])
      }
      await write(store, takenInto(packageId, kept))
      await store.transaction((tx) => tx.entities.describe(packageLine, item('kept'), said('bee')))
      expect(await seek(store, 'bee', { line: packageLine })).toEqual(['kept'])
      expect(await seek(store, 'bee')).toEqual([])
    })
  })
}
