import type { SearchDocument } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import {
  aDocument,
  anEntity,
  entityOf,
  nextVersion,
  sameVersion,
  inPackageOf,
  testRepository,
} from '../entity.ts'
import {
  find,
  item,
  main,
  otherPackageBranch,
  packageId,
  packageBranch,
  write,
  type StoreTest,
} from './fixture.ts'
import { found, given, seek } from './searching.ts'

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

/** The documents that search finds entities by, as they are stored. */
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
      await write(store, first, nextVersion(first, { search: given('second') }))
      expect((await store.entities.documents(main, 'item', ['a'])).get('a')).toEqual(given('second'))
      await write(store, sameVersion(nextVersion(first), { search: null }))
      expect((await store.entities.documents(main, 'item', ['a'])).size).toBe(0)
    })

    test('is absent while its entity is deleted, and stays while it is archived', async ({ store }) => {
      const first = found('a', 'first')
      const archived = sameVersion(first, { archived: true })
      await write(store, first, archived)
      expect((await store.entities.documents(main, 'item', ['a'])).get('a')).toEqual(given('first'))
      await write(store, sameVersion(archived, { deletedDate: 5 }))
      expect((await store.entities.documents(main, 'item', ['a'])).size).toBe(0)
    })

    test('is that of the head that the branch shows', async ({ store }) => {
      const [stored, changed, doomed] = [found('kept', 'k'), found('changed', 'c'), found('doomed', 'd')]
      await write(store, stored, changed, doomed)
      await write(
        store,
        inPackageOf(packageId, changed, { search: given('other') }),
        inPackageOf(packageId, doomed, { deletedDate: 5 }),
      )
      const ids = ['kept', 'changed', 'doomed']
      const inPackage = await store.entities.documents(packageBranch, 'item', ids)
      expect(Object.fromEntries(inPackage)).toEqual({ kept: given('k'), changed: given('other') })
      const onMain = await store.entities.documents(main, 'item', ids)
      expect(Object.fromEntries(onMain)).toEqual({
        kept: given('k'),
        changed: given('c'),
        doomed: given('d'),
      })
      const elsewhere = await store.entities.documents(otherPackageBranch, 'item', ids)
      expect(Object.fromEntries(elsewhere)).toEqual(Object.fromEntries(onMain))
    })

    test('can be read for a thousand entities at once', async ({ store }) => {
      const ids = Array.from({ length: 1000 }, (_, index) => `CONT_${index}`)
      await write(store, ...ids.map((id) => found(id, id)))
      const documents = await store.entities.documents(main, 'item', ids)
      expect([...documents].every(([id, { name }]) => id === name)).toBe(true)
      expect(documents.size).toBe(1000)
    })
  })

  describe('describing an entity', () => {
    test('changes what it is found by and nothing else', async ({ store }) => {
      const [bare, other] = [anEntity({ id: 'a' }), found('b', 'ant')]
      await write(store, bare, other)
      await store.transaction((tx) => tx.entities.describe(main, item('a'), given('ant', 'bee')))
      expect([await seek(store, 'ant'), await seek(store, 'bee')]).toEqual([['a', 'b'], ['a']])
      expect(await find(store, { text: 'bee' })).toEqual(['a'])
      expect(await store.entities.get(main, 'item', 'a')).toEqual(entityOf(bare))
      expect(await store.entities.versions(main, item('a'), { limit: 9 })).toHaveLength(1)
      expect(await store.entities.moment(main, item('a'), bare.updatedDate - 1)).toBeNull()
      await write(store, sameVersion(bare, { search: given('ant', 'bee'), archived: true }))
      expect(await seek(store, 'ant', { archived: true })).toEqual(['a', 'b'])
    })

    test('replaces the earlier document; the same one again does not move it', async ({ store }) => {
      await write(store, found('a', 'ant'), found('b', 'ant'))
      await store.transaction(async (tx) => {
        await tx.entities.describe(main, item('a'), given('ant'))
        expect(await seek(tx, 'ant')).toEqual(['b', 'a'])
        await tx.entities.describe(main, item('b'), given('bee'))
      })
      expect([await seek(store, 'ant'), await seek(store, 'bee')]).toEqual([['a'], ['b']])
    })

    test('affects exactly one branch, and does nothing where that branch has no live head', async ({
      store,
    }) => {
      const [stored, doomed] = [found('kept', 'ant'), found('doomed', 'ant')]
      await write(store, stored, doomed, sameVersion(doomed, { deletedDate: 5 }))
      await store.transaction(async (tx) => {
        for (const id of ['kept', 'doomed', 'missing'])
          await tx.entities.describe(packageBranch, item(id), given('bee'))
        for (const id of ['doomed', 'missing']) await tx.entities.describe(main, item(id), given('bee'))
      })
      expect((await store.indexes.info(testRepository)).numDocs).toBe(1)
      for (const branch of [main, packageBranch]) {
        expect((await store.entities.documents(branch, 'item', ['doomed', 'missing'])).size).toBe(0)
        expect(await seek(store, 'ant', { branch })).toEqual(['kept'])
        expect(await seek(store, 'bee', { branch, archived: true })).toEqual([])
      }
      await write(store, inPackageOf(packageId, stored))
      await store.transaction((tx) => tx.entities.describe(packageBranch, item('kept'), given('bee')))
      expect(await seek(store, 'bee', { branch: packageBranch })).toEqual(['kept'])
      expect(await seek(store, 'bee')).toEqual([])
    })
  })
}
