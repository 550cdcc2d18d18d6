import { StoreConflict } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, nextVersion, sameVersion, inPackageOf } from '../entity.ts'
import {
  aQuery,
  idsOf,
  main,
  packageId,
  packageBranch,
  refusal,
  write,
  type StoreTest,
  item,
} from './fixture.ts'
import { aGroup, aPackage, aUser } from './record-samples.ts'

const holder = anEntity({ id: 'CONT_1', slug: 'news' })
const rival = anEntity({ id: 'CONT_2', slug: 'news' })
const accepted = { kind: 'slug', subject: 'news' }

export function uniquenessLaws(test: StoreTest): void {
  describe('a slug', () => {
    test('belongs to one live entity: another one is refused and not stored', async ({ store }) => {
      await write(store, holder)
      const error = await refusal(write(store, rival))
      expect(error).toBeInstanceOf(StoreConflict)
      expect(error).toMatchObject(accepted)
      expect(await store.entities.get(main, 'item', 'CONT_2')).toBeNull()
    })

    test('cannot be changed to one that is in use, even by an archived entity', async ({ store }) => {
      const other = anEntity({ id: 'CONT_2', slug: 'other' })
      await write(store, holder, sameVersion(holder, { archived: true }), other)
      expect(await refusal(write(store, nextVersion(other, { slug: 'news' })))).toMatchObject(accepted)
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'other' }))?.id).toBe('CONT_2')
    })

    test('stays with its entity over further versions', async ({ store }) => {
      await write(store, holder, nextVersion(holder))
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.version).toBe(2)
    })

    test('may be the same in other kinds and repositories, and null everywhere', async ({ store }) => {
      await write(
        store,
        holder,
        anEntity({ id: 'FOLD_1', kind: 'folder', slug: 'news' }),
        anEntity({ id: 'CONT_3', slug: 'news', repositoryId: 'REPO_OTHER' }),
        anEntity({ id: 'CONT_4' }),
        anEntity({ id: 'CONT_5' }),
      )
      expect(idsOf(await store.entities.list(main, aQuery()))).toEqual(['CONT_1', 'CONT_4', 'CONT_5'])
    })

    test('is free again once its entity is deleted, renamed or purged', async ({ store }) => {
      await write(store, holder, sameVersion(holder, { deletedDate: 5 }), rival)
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id).toBe('CONT_2')
      await write(store, nextVersion(rival, { slug: 'elsewhere' }), anEntity({ id: 'CONT_3', slug: 'news' }))
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_3')))
      await write(store, anEntity({ id: 'CONT_4', slug: 'news' }))
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id).toBe('CONT_4')
    })

    test('that is now in use prevents a deleted entity from being restored', async ({ store }) => {
      const deleted = sameVersion(holder, { deletedDate: 5 })
      await write(store, holder, deleted, rival)
      expect(await refusal(write(store, sameVersion(deleted, { deletedDate: null })))).toMatchObject(accepted)
      await write(store, sameVersion(deleted, { deletedDate: null, slug: 'news-2' }))
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news-2' }))?.id).toBe('CONT_1')
    })

    test('is not checked for a deleted entity', async ({ store }) => {
      await write(store, holder, { ...rival, deletedDate: 5 })
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id).toBe('CONT_1')
    })
  })

  packageSlugLaws(test)
  keyLaws(test)
}

function packageSlugLaws(test: StoreTest): void {
  describe('a slug in a package', () => {
    test('is in use when main’s head has it, because the package shows main', async ({ store }) => {
      await write(store, holder)
      expect(await refusal(write(store, { ...rival, packageId }))).toMatchObject(accepted)
    })

    test('is in use when another head of the package has it', async ({ store }) => {
      await write(store, { ...rival, packageId })
      expect(await refusal(write(store, anEntity({ id: 'CONT_3', slug: 'news', packageId })))).toMatchObject(
        accepted,
      )
    })

    test('is free when the package renamed or deleted main’s entity', async ({ store }) => {
      const other = anEntity({ id: 'CONT_3', slug: 'other' })
      await write(store, holder, other)
      await write(store, inPackageOf(packageId, holder, { slug: 'renamed' }), { ...rival, packageId })
      await write(
        store,
        inPackageOf(packageId, other, { deletedDate: 5 }),
        anEntity({ id: 'CONT_4', slug: 'other', packageId }),
      )
      expect((await store.entities.getBySlug(packageBranch, { kind: 'item', slug: 'news' }))?.id).toBe(
        'CONT_2',
      )
      expect((await store.entities.getBySlug(packageBranch, { kind: 'item', slug: 'other' }))?.id).toBe(
        'CONT_4',
      )
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id).toBe('CONT_1')
    })

    test('may be kept by the package’s version of main’s entity', async ({ store }) => {
      await write(store, holder, inPackageOf(packageId, holder))
      expect((await store.entities.getBySlug(packageBranch, { kind: 'item', slug: 'news' }))?.packageId).toBe(
        packageId,
      )
    })

    test('does not block main or other packages, and finds the package’s entity when both use it', async ({
      store,
    }) => {
      await write(store, { ...holder, packageId })
      await write(store, rival)
      await write(store, anEntity({ id: 'CONT_5', slug: 'mine', packageId: 'PACK_OTHER' }))
      await write(store, anEntity({ id: 'CONT_6', slug: 'mine', packageId }))
      expect((await store.entities.getBySlug(main, { kind: 'item', slug: 'news' }))?.id).toBe('CONT_2')
      expect((await store.entities.getBySlug(packageBranch, { kind: 'item', slug: 'news' }))?.id).toBe(
        'CONT_1',
      )
    })

    test('that main now uses, too, must be changed with the next write', async ({ store }) => {
      const own = { ...holder, packageId }
      await write(store, own)
      await write(store, rival)
      expect(await refusal(write(store, nextVersion(own)))).toMatchObject(accepted)
      await write(store, nextVersion(own, { slug: 'news-2' }))
      expect((await store.entities.getBySlug(packageBranch, { kind: 'item', slug: 'news' }))?.id).toBe(
        'CONT_2',
      )
    })
  })
}

function keyLaws(test: StoreTest): void {
  describe('a record’s key', () => {
    test('belongs to one record of the kind: another one is refused and not stored', async ({ store }) => {
      await store.transaction((tx) => tx.records.put('group', aGroup('GRUP_1', { name: 'Editors' }), 0))
      const second = aGroup('GRUP_2', { name: 'Editors' })
      const error = await refusal(store.transaction((tx) => tx.records.put('group', second, 0)))
      expect(error).toBeInstanceOf(StoreConflict)
      expect(error).toMatchObject({ kind: 'key', subject: 'name:Editors' })
      expect(await store.records.get('group', 'GRUP_2')).toBeNull()
      expect(await store.records.find('group', 'searchId:grup_2')).toBeNull()
    })

    test('may be one of several: a conflict in any of them is refused', async ({ store }) => {
      await store.transaction((tx) => tx.records.put('group', aGroup('GRUP-1', { name: 'A' }), 0))
      const conflict = aGroup('GRUP.1', { name: 'B' })
      const error = await refusal(store.transaction((tx) => tx.records.put('group', conflict, 0)))
      expect(error).toMatchObject({ kind: 'key', subject: 'searchId:grup_1' })
    })

    test('stays with its record, and is free once changed or deleted', async ({ store }) => {
      await store.transaction(async (tx) => {
        await tx.records.put('group', aGroup('GRUP_1', { name: 'A' }), 0)
        await tx.records.put('group', aGroup('GRUP_1', { name: 'A', users: ['x'] }), 1)
        await tx.records.put('group', aGroup('GRUP_1', { name: 'B' }), 2)
        await tx.records.put('group', aGroup('GRUP_2', { name: 'A' }), 0)
        await tx.records.delete('group', 'GRUP_1', 3)
        await tx.records.put('group', aGroup('GRUP_3', { name: 'B' }), 0)
      })
      expect((await store.records.find('group', 'name:A'))?.id).toBe('GRUP_2')
      expect((await store.records.find('group', 'name:B'))?.id).toBe('GRUP_3')
    })

    test('may be the same in another kind', async ({ store }) => {
      await store.transaction(async (tx) => {
        await tx.records.put('group', aGroup('same'), 0)
        await tx.records.put('user', aUser('same'), 0)
        await tx.records.put('package', aPackage('PACK_1', 'same'), 0)
      })
      expect(await store.records.find('user', 'searchId:same')).not.toBeNull()
    })
  })
}
