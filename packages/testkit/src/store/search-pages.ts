import { mostCounted, type Branch } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, indexed, nextVersion, sameVersion, inPackageOf } from '../entity.ts'
import { find, idsOf, item, main, packageId, packageBranch, write, type StoreTest } from './fixture.ts'
import { found, given, searchPage, seek, walkSearch } from './searching.ts'

export function searchPageLaws(test: StoreTest): void {
  cursorLaws(test)
  limitLaws(test)
  overlayLaws(test)
}

/** Items of all four tiers of `ant`, in the order in which they are written. */
const tiered = Array.from({ length: 24 }, (_, index) => {
  const id = `CONT_${String(index).padStart(2, '0')}`
  const [name = '', text = ''] = [['ant'], ['antler'], ['x', 'ant'], ['x', 'antler']][index % 4] ?? []
  return found(id, name, text)
})
const inTiers = [0, 1, 2, 3].flatMap((tier) =>
  tiered
    .filter((_, index) => index % 4 === tier)
    .map(({ id }) => id)
    .toReversed(),
)

function cursorLaws(test: StoreTest): void {
  describe('the pages of a search', () => {
    test('show each match once, in order, whatever their size', async ({ store }) => {
      await write(store, ...tiered)
      expect(await seek(store, 'ant')).toEqual(inTiers)
      for (const limit of [1, 5, 6, 7, 24, 25])
        expect(idsOf(await walkSearch(store, { text: 'ant', limit })), String(limit)).toEqual(inTiers)
    })

    test('end without announcing another page after the last match', async ({ store }) => {
      await write(store, ...tiered)
      expect((await searchPage(store, { text: 'ant', limit: 24 })).next).toBeUndefined()
      expect((await searchPage(store, { text: 'nothing', limit: 1 })).next).toBeUndefined()
    })

    test('show each unchanged match once while others are written', async ({ store }) => {
      await write(store, ...tiered)
      let written = 0
      const walked = await walkSearch(store, { text: 'ant', limit: 5 }, async () => {
        written += 1
        await write(store, found(`CONT_new${written}`, 'ant'))
        const other = inTiers[written] ?? ''
        await store.transaction((tx) => tx.entities.purge(main, item(other)))
      })
      const gone = new Set(inTiers.slice(1, written + 1))
      const left = inTiers.filter((id, index) => !gone.has(id) || index < 5)
      expect(idsOf(walked).filter((id) => !id.includes('new'))).toEqual(left)
    })

    test('have the same count, in whichever tier they end', async ({ store }) => {
      await write(store, ...tiered)
      for (const limit of [1, 7, 13, 19, 23]) {
        const first = await searchPage(store, { text: 'ant', limit })
        expect(first).toMatchObject({ count: 24, isCapped: false })
        const second = await searchPage(store, {
          text: 'ant',
          limit,
          ...(first.next && { after: first.next }),
        })
        expect(second).toMatchObject({ count: 24, isCapped: false })
      }
      const uncounted = await searchPage(store, { text: 'ant', count: false })
      expect(uncounted).not.toHaveProperty('count')
      expect(uncounted).not.toHaveProperty('isCapped')
    })

    test('count all visible matches among many hidden ones', async ({ store }) => {
      const many = Array.from({ length: 1_600 }, (_, index) => ({
        ...found(`CONT_${index}`, 'ant'),
        archived: index % 400 !== 0,
      }))
      await write(store, ...many)
      expect(await searchPage(store, { text: 'ant', limit: 2 })).toMatchObject({ count: 4, isCapped: false })
    })

    test(`count no further than ${mostCounted}`, async ({ store }) => {
      const many = Array.from({ length: mostCounted + 1 }, (_, index) =>
        found(`CONT_${index}`, index % 2 === 0 ? 'ant' : 'antler', index === 7 ? 'bee' : ''),
      )
      await write(store, ...many.slice(1))
      const all = await searchPage(store, { text: 'ant', limit: 1 })
      expect(all).toMatchObject({ count: mostCounted, isCapped: false })
      await write(store, ...many.slice(0, 1))
      const more = await searchPage(store, { text: 'ant', limit: 1 })
      expect(more).toMatchObject({ count: mostCounted, isCapped: true })
      expect(await searchPage(store, { text: 'ant bee' })).toMatchObject({ count: 1, isCapped: false })
      const walked = await walkSearch(store, { text: 'ant', limit: 300, count: false })
      expect(new Set(idsOf(walked)).size).toBe(mostCounted + 1)
    })
  })
}

function limitLaws(test: StoreTest): void {
  describe('a search finds', () => {
    test('archived entities only on request, and in their old position', async ({ store }) => {
      const [a, b] = [found('a', 'ant'), found('b', 'ant')]
      await write(store, a, b, sameVersion(a, { archived: true }))
      expect(await seek(store, 'ant')).toEqual(['b'])
      expect(await seek(store, 'ant', { archived: true })).toEqual(['b', 'a'])
    })

    test('what the reader may see, in rows, count and cursor', async ({ store }) => {
      const staff = { roles: { read: ['ROLE_S'], write: [], delete: [] } }
      await write(
        store,
        found('open', 'ant'),
        { ...found('staff', 'ant'), ...staff },
        { ...found('page', 'ant'), type: 'page' },
      )
      const cases = [
        [{ types: 'all', roles: [] }, ['page', 'open']],
        [{ types: 'all', roles: ['ROLE_S'] }, ['page', 'staff', 'open']],
        [{ types: ['article'], roles: ['ROLE_X'] }, ['open']],
        [{ types: ['page'], roles: 'all' }, ['page']],
        [{ types: [], roles: 'all' }, []],
      ] as const
      for (const [reader, ids] of cases) {
        const page = await searchPage(store, { text: 'ant', reader })
        expect({ ids: idsOf(page), count: page.count }).toEqual({ ids, count: ids.length })
        expect(idsOf(await walkSearch(store, { text: 'ant', reader, limit: 1 }))).toEqual(ids)
        const last = await searchPage(store, { text: 'ant', reader, limit: Math.max(1, ids.length) })
        expect(last.next).toBeUndefined()
      }
    })

    test('what matches the filter', async ({ store }) => {
      const priced = (id: string, name: string, price: number) => ({
        ...found(id, name),
        values: indexed({ price }),
      })
      await write(store, priced('a', 'ant', 1), priced('b', 'ant', 2), priced('c', 'bee', 2))
      const filter = { field: { path: 'price', list: false }, op: 'gte', value: 2 } as const
      const page = await searchPage(store, { text: 'ant', filter })
      expect({ ids: idsOf(page), count: page.count }).toEqual({ ids: ['b'], count: 1 })
      const none = await searchPage(store, { text: 'ant', filter: { any: [] } })
      expect(none).toMatchObject({ entities: [], count: 0 })
    })

    test('only entities of its repository', async ({ store }) => {
      const other = { repositoryId: 'REPO_2', packageId: null }
      await write(store, found('a', 'ant'), { ...found('b', 'ant'), ...other })
      expect([await seek(store, 'ant'), await seek(store, 'ant', { branch: other })]).toEqual([['a'], ['b']])
    })
  })
}

function overlayLaws(test: StoreTest): void {
  describe('a search through a package', () => {
    const [stored, changed, doomed] = [found('kept', 'ant'), found('changed', 'ant'), found('doomed', 'ant')]

    test('finds what the branch shows, in one order', async ({ store }) => {
      await write(store, stored, changed, doomed)
      await write(
        store,
        inPackageOf(packageId, changed, { search: given('bee', 'ant') }),
        inPackageOf(packageId, doomed, { deletedDate: 5 }),
        { ...found('created', 'ant'), packageId },
      )
      await write(store, nextVersion(stored, { search: given('ant', 'news') }), found('late', 'ant'))
      const inPackage = { branch: packageBranch }
      expect(await seek(store, 'ant', inPackage)).toEqual(['late', 'kept', 'created', 'changed'])
      expect(await seek(store, 'bee', inPackage)).toEqual(['changed'])
      expect(await seek(store, 'ant')).toEqual(['late', 'kept', 'doomed', 'changed'])
      expect(await seek(store, 'bee')).toEqual([])
      expect(idsOf(await walkSearch(store, { text: 'ant', limit: 1, branch: packageBranch }))).toEqual([
        'late',
        'kept',
        'created',
        'changed',
      ])
      expect((await searchPage(store, { text: 'ant', branch: packageBranch })).count).toBe(4)
    })

    test('does not find by main’s words what the package changed', async ({ store }) => {
      await write(store, stored, inPackageOf(packageId, stored, { search: null }))
      const heads = (branch: Branch) => searchPage(store, { text: 'ant', branch })
      expect(await heads(packageBranch)).toMatchObject({ entities: [], count: 0 })
      expect(await heads(main)).toMatchObject({ entities: [{ id: 'kept' }], count: 1 })
    })

    test('finds main’s head again once the package’s is purged', async ({ store }) => {
      await write(store, stored, inPackageOf(packageId, stored, { search: given('bee') }))
      await store.transaction((tx) => tx.entities.purge(packageBranch, item('kept')))
      expect(await seek(store, 'ant', { branch: packageBranch })).toEqual(['kept'])
      expect(await seek(store, 'bee', { branch: packageBranch })).toEqual([])
      await store.transaction((tx) => tx.entities.purge(main, item('kept')))
      expect(await seek(store, 'ant', { branch: packageBranch })).toEqual([])
      expect(await find(store, { text: 'ant' })).toEqual([])
    })

    test('is limited by the roles and the type of the head that the branch shows', async ({ store }) => {
      const roles = { read: ['ROLE_S'], write: [], delete: [] }
      await write(store, stored, { ...changed, roles })
      await write(
        store,
        inPackageOf(packageId, stored, { roles }),
        inPackageOf(packageId, anEntity({ ...changed, roles }), { roles: stored.roles, type: 'page' }),
      )
      const reader = { types: 'all', roles: [] } as const
      expect(await seek(store, 'ant', { reader })).toEqual(['kept'])
      expect(await seek(store, 'ant', { reader, branch: packageBranch })).toEqual([])
      const members = { types: 'all', roles: ['ROLE_S'] } as const
      const found = await seek(store, 'ant', { reader: members, branch: packageBranch })
      expect(found.toSorted()).toEqual(['changed', 'kept'])
      const pages = { types: ['page'], roles: 'all' } as const
      expect(await seek(store, 'ant', { reader: pages, branch: packageBranch })).toEqual(['changed'])
    })
  })
}
