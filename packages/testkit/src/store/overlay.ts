import type { EntityWrite, Branch, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import {
  anEntity,
  entityOf,
  indexed,
  nextVersion,
  jsonRowOf,
  sameVersion,
  inPackageOf,
  textOf,
} from '../entity.ts'
import {
  aQuery,
  idsOf,
  main,
  otherPackageBranch,
  packageId,
  packageBranch,
  walk,
  write,
  type StoreTest,
  item,
} from './fixture.ts'

const edge = (targetId: string) => [{ path: 'link', targetId, onDelete: 'restrict' as const }]

const stored = anEntity({
  id: 'CONT_A',
  name: 'Kept',
  slug: 'kept',
  search: textOf('apple'),
  edges: edge('T'),
})
const before = anEntity({
  id: 'CONT_B',
  name: 'Before',
  slug: 'before',
  search: textOf('banana'),
  values: indexed({ price: 1 }),
  edges: edge('T'),
})
const doomed = anEntity({
  id: 'CONT_C',
  name: 'Doomed',
  slug: 'doomed',
  search: textOf('cherry'),
  edges: edge('T'),
})
const after = inPackageOf(packageId, before, {
  name: 'After',
  slug: 'after',
  search: textOf('blueberry'),
  values: indexed({ price: 5 }),
  edges: edge('U'),
})
const deleted = inPackageOf(packageId, doomed, { deletedDate: doomed.createdDate + 9, edges: [] })
const created = anEntity({
  id: 'CONT_D',
  packageId,
  name: 'Created',
  slug: 'created',
  search: textOf('apple'),
  edges: edge('T'),
})

/**
 * Writes three entities on main, and a package that leaves one unchanged, changes one, deletes one
 * and creates one.
 */
async function branchOff(store: Store): Promise<void> {
  await write(store, stored, before, doomed)
  await write(store, after, deleted, created)
}

export function overlayLaws(test: StoreTest): void {
  describe('a package’s branch', () => {
    test('shows main’s head of an entity that the package did not change, marked as main’s', async ({
      store,
    }) => {
      await branchOff(store)
      expect(await store.entities.get(packageBranch, 'item', 'CONT_A')).toEqual(entityOf(stored))
    })

    test('shows the package’s heads of entities that it changed, deleted and created', async ({ store }) => {
      await branchOff(store)
      expect(await store.entities.get(packageBranch, 'item', 'CONT_B')).toEqual(entityOf(after))
      expect(await store.entities.get(packageBranch, 'item', 'CONT_C')).toEqual(entityOf(deleted))
      expect(await store.entities.get(packageBranch, 'item', 'CONT_D')).toEqual(entityOf(created))
      expect(await store.entities.get(packageBranch, 'item', 'CONT_E')).toBeNull()
      const ids = ['CONT_A', 'CONT_B', 'CONT_C', 'CONT_D', 'CONT_E']
      const many = await store.entities.getMany(packageBranch, 'item', ids)
      expect(many.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
        [stored, after, deleted, created].map(entityOf),
      )
    })

    test('finds by slug what it shows, and nothing under a slug that the package no longer uses', async ({
      store,
    }) => {
      await branchOff(store)
      const slugs = ['kept', 'before', 'after', 'doomed', 'created']
      const bySlug = (branch: Branch) =>
        Promise.all(slugs.map((slug) => store.entities.getBySlug(branch, { kind: 'item', slug })))
      const shown = [{ name: 'Kept' }, null, { name: 'After' }, null, { name: 'Created' }]
      expect(await bySlug(packageBranch)).toMatchObject(shown)
      expect(await bySlug(main)).toMatchObject([
        { name: 'Kept' },
        { name: 'Before' },
        null,
        { name: 'Doomed' },
        null,
      ])
    })

    test('does not affect main and other packages', async ({ store }) => {
      await branchOff(store)
      for (const branch of [main, otherPackageBranch]) {
        const page = await store.entities.list(branch, aQuery())
        expect(page).toMatchObject({ entities: [stored, before, doomed].map(jsonRowOf), count: 3 })
        expect(await store.entities.get(branch, 'item', 'CONT_B')).toEqual(entityOf(before))
        expect(await store.entities.get(branch, 'item', 'CONT_D')).toBeNull()
        expect(await store.entities.incoming(branch, 'U', 9)).toEqual([])
      }
    })

    test('keeps the package’s heads when main changes, and shows main’s changes to the rest', async ({
      store,
    }) => {
      await branchOff(store)
      const news = nextVersion(stored, { name: 'Moved on' })
      await write(
        store,
        news,
        nextVersion(before, { name: 'Main moved' }),
        nextVersion(doomed),
        anEntity({ id: 'CONT_E' }),
      )
      expect(await store.entities.get(packageBranch, 'item', 'CONT_A')).toEqual(entityOf(news))
      expect(await store.entities.get(packageBranch, 'item', 'CONT_B')).toEqual(entityOf(after))
      const page = await store.entities.list(packageBranch, aQuery())
      expect(idsOf(page)).toEqual(['CONT_A', 'CONT_B', 'CONT_D', 'CONT_E'])
    })

    test('keeps the package’s heads when main deletes or purges them', async ({ store }) => {
      await branchOff(store)
      await write(store, sameVersion(before, { deletedDate: 5 }))
      expect(await store.entities.get(packageBranch, 'item', 'CONT_B')).toEqual(entityOf(after))
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_B')))
      expect(await store.entities.get(packageBranch, 'item', 'CONT_B')).toEqual(entityOf(after))
      expect(await store.entities.get(main, 'item', 'CONT_B')).toBeNull()
    })

    test('shows main’s head again once the package’s is purged, which does not affect other branches', async ({
      store,
    }) => {
      await branchOff(store)
      await store.transaction(async (tx) => {
        for (const id of ['CONT_A', 'CONT_B', 'CONT_C']) await tx.entities.purge(packageBranch, item(id))
      })
      for (const entity of [stored, before, doomed])
        expect(await store.entities.get(packageBranch, 'item', entity.id)).toEqual(entityOf(entity))
      const sought = { kind: 'item', slug: 'before' } as const
      expect((await store.entities.getBySlug(packageBranch, sought))?.id).toBe('CONT_B')
    })

    test('adds an entity of main with expected revision 0', async ({ store }) => {
      await write(store, nextVersion(before, { revision: 1 }))
      await store.transaction((tx) => tx.entities.put(after, 0))
      expect((await store.entities.get(packageBranch, 'item', 'CONT_B'))?.revision).toBe(1)
    })
  })

  listLaws(test)
  pastLaws(test)
}

function listLaws(test: StoreTest): void {
  describe('a list through a package', () => {
    test('shows, counts and orders what the branch shows', async ({ store }) => {
      await branchOff(store)
      const sort = [{ field: { member: 'name' as const }, descending: false }]
      const page = await store.entities.list(packageBranch, aQuery({ sort }))
      expect(page).toMatchObject({ entities: [after, created, stored].map(jsonRowOf), count: 3 })
      const priced = [{ field: { path: 'price', list: false }, descending: true }]
      expect(idsOf(await store.entities.list(packageBranch, aQuery({ sort: priced })))).toEqual([
        'CONT_B',
        'CONT_A',
        'CONT_D',
      ])
    })

    test('filters by what the branch shows', async ({ store }) => {
      await branchOff(store)
      const priced = async (branch: Branch, value: number) =>
        idsOf(
          await store.entities.list(
            branch,
            aQuery({ filter: { field: { path: 'price', list: false }, op: 'eq', value } }),
          ),
        )
      expect([await priced(packageBranch, 1), await priced(packageBranch, 5)]).toEqual([[], ['CONT_B']])
      expect([await priced(main, 1), await priced(main, 5)]).toEqual([['CONT_B'], []])
      const not = { not: { field: { path: 'price', list: false }, op: 'eq' as const, value: 5 } }
      expect(idsOf(await store.entities.list(packageBranch, aQuery({ filter: not })))).toEqual([
        'CONT_A',
        'CONT_D',
      ])
    })

    test('searches the text of what the branch shows', async ({ store }) => {
      await branchOff(store)
      const found = async (branch: Branch, text: string) =>
        idsOf(await store.entities.list(branch, aQuery({ text })))
      expect(await found(packageBranch, 'apple')).toEqual(['CONT_A', 'CONT_D'])
      expect(await found(packageBranch, 'banana')).toEqual([])
      expect(await found(packageBranch, 'blueberry')).toEqual(['CONT_B'])
      expect(await found(packageBranch, 'cherry')).toEqual([])
      expect(await found(main, 'apple')).toEqual(['CONT_A'])
      expect(await found(main, 'blueberry')).toEqual([])
    })

    test('shows entities that the package archived only on request', async ({ store }) => {
      await write(store, stored, inPackageOf(packageId, stored, { archived: true }))
      expect(idsOf(await store.entities.list(packageBranch, aQuery()))).toEqual([])
      expect(idsOf(await store.entities.list(packageBranch, aQuery({ archived: true })))).toEqual(['CONT_A'])
      expect(idsOf(await store.entities.list(main, aQuery()))).toEqual(['CONT_A'])
    })

    test('pages through main’s and the package’s heads in one order', async ({ store }) => {
      const mains = Array.from({ length: 30 }, (_, index) => numbered(index, index))
      const changed = mains.filter((_, index) => index % 3 === 0)
      await write(store, ...mains)
      const packaged = changed.map((entity, index) => inPackageOf(packageId, entity, priceOf(99 - index)))
      await write(store, ...packaged)
      const sort = [{ field: { path: 'price', list: false }, descending: true }]
      const walked = await walk(store, { branch: packageBranch, sort, limit: 4 })
      const rest = mains.filter((_, index) => index % 3 !== 0).toReversed()
      expect(idsOf(walked)).toEqual([...changed, ...rest].map(({ id }) => id))
    })
  })

  describe('edges through a package', () => {
    test('come from the heads that the branch shows', async ({ store }) => {
      await branchOff(store)
      const sources = async (branch: Branch, target: string) =>
        (await store.entities.incoming(branch, target, 9)).map(
          ({ source }) => `${source.id} ${source.packageId ?? 'main'}`,
        )
      expect(await sources(main, 'T')).toEqual(['CONT_A main', 'CONT_B main', 'CONT_C main'])
      expect(await sources(packageBranch, 'T')).toEqual(['CONT_A main', `CONT_D ${packageId}`])
      expect(await sources(packageBranch, 'U')).toEqual([`CONT_B ${packageId}`])
      expect(await store.entities.incoming(packageBranch, 'T', 1)).toHaveLength(1)
    })
  })
}

function pastLaws(test: StoreTest): void {
  describe('the past through a package', () => {
    test('is that of the branch that has the head', async ({ store }) => {
      const later = nextVersion(after, { name: 'Later' })
      await write(store, stored, nextVersion(stored))
      await write(store, before, nextVersion(before), nextVersion(nextVersion(before)), after, later)
      const numbers = async (branch: Branch, id: string) =>
        (await store.entities.versions(branch, item(id), { limit: 9 })).map(
          ({ version, name }) => `${version} ${name}`,
        )
      expect(await numbers(packageBranch, 'CONT_A')).toEqual(['2 Kept', '1 Kept'])
      expect(await numbers(packageBranch, 'CONT_B')).toEqual(['2 Later', '1 After'])
      expect(await numbers(main, 'CONT_B')).toEqual(['3 Before', '2 Before', '1 Before'])
      expect((await store.entities.version(packageBranch, item('CONT_B'), 1))?.name).toBe('After')
      expect(await store.entities.version(packageBranch, item('CONT_B'), 3)).toBeNull()
      expect((await store.entities.version(packageBranch, item('CONT_A'), 2))?.name).toBe('Kept')
    })

    test('has the moments of the branch that has the head', async ({ store }) => {
      await branchOff(store)
      const moment = async (branch: Branch, entity: EntityWrite, time: number) =>
        (await store.entities.moment(branch, item(entity.id), time))?.from ?? null
      expect(await moment(packageBranch, stored, stored.updatedDate)).toBe(stored.updatedDate)
      expect(await moment(packageBranch, after, after.updatedDate)).toBe(after.updatedDate)
      expect(await moment(packageBranch, after, after.updatedDate - 1)).toBeNull()
      expect(await moment(main, before, after.updatedDate)).toBe(before.updatedDate)
      expect(await moment(packageBranch, created, created.updatedDate)).toBe(created.updatedDate)
      expect(await moment(main, created, created.updatedDate)).toBeNull()
    })
  })
}

function numbered(index: number, price: number): EntityWrite {
  return anEntity({ id: `CONT_${String(index).padStart(2, '0')}`, ...priceOf(price) })
}

function priceOf(price: number): Pick<EntityWrite, 'values'> {
  return { values: indexed({ price }) }
}
