import type { EntityWrite, SortKey } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, indexed, nextVersion, sameVersion } from '../entity.ts'
import { aQuery, find, idsOf, main, walk, write, type StoreTest, item } from './fixture.ts'

const byPrice: readonly SortKey[] = [{ field: { path: 'price', list: false }, descending: false }]

const priced = (id: string, price: number | null): EntityWrite =>
  anEntity({ id, name: id, values: indexed({ price }) })

const ten = Array.from({ length: 10 }, (_, index) => priced(`CONT_${index}`, index * 10))

export function cursorLaws(test: StoreTest): void {
  describe('a cursor', () => {
    test('is there exactly when there is more', async ({ store }) => {
      await write(store, ...ten)
      const nextOf = async (limit: number) => (await store.entities.list(main, aQuery({ limit }))).next
      expect(await nextOf(9)).toBeDefined()
      expect(await nextOf(10)).toBeUndefined()
      expect(await nextOf(11)).toBeUndefined()
    })

    test('holds the sort values and the id of the last entity of the page', async ({ store }) => {
      await write(store, priced('CONT_1', null), priced('CONT_2', 1.5), priced('CONT_3', 7))
      const sort: readonly SortKey[] = [...byPrice, { field: { member: 'name' }, descending: true }]
      const first = await store.entities.list(main, aQuery({ sort, limit: 1 }))
      expect(first.next).toEqual({ values: [null, 'CONT_1'], id: 'CONT_1' })
      const second = await store.entities.list(main, aQuery({ sort, limit: 2 }))
      expect(second.next).toEqual({ values: [1.5, 'CONT_2'], id: 'CONT_2' })
    })

    test('survives being sent as JSON', async ({ store }) => {
      const odd = [0.1 + 0.2, -1e21, Number.MAX_VALUE, 1e-9].map((price, index) =>
        priced(`CONT_${index}`, price),
      )
      await write(store, ...odd)
      const first = await store.entities.list(main, aQuery({ sort: byPrice, limit: 2 }))
      const after = JSON.parse(JSON.stringify(first.next))
      const rest = await store.entities.list(main, aQuery({ sort: byPrice, after }))
      expect([...idsOf(first), ...idsOf(rest)]).toEqual(['CONT_1', 'CONT_3', 'CONT_0', 'CONT_2'])
    })

    test('steps through equal values one at a time', async ({ store }) => {
      await write(store, ...['a', 'b', 'c', 'd'].map((id) => priced(id, id < 'c' ? null : 1)))
      for (const descending of [false, true]) {
        const sort = byPrice.map((key) => ({ ...key, descending }))
        const walked = idsOf(await walk(store, { sort, limit: 1 }))
        expect(walked).toEqual(descending ? ['c', 'd', 'a', 'b'] : ['a', 'b', 'c', 'd'])
      }
    })

    test('keeps its position when its entity is deleted', async ({ store }) => {
      await write(store, ...ten)
      const { next } = await store.entities.list(main, aQuery({ sort: byPrice, limit: 3 }))
      await store.transaction((tx) => tx.entities.purge(main, item('CONT_2')))
      const after = await find(store, { sort: byPrice, limit: 2, ...(next && { after: next }) })
      expect(after).toEqual(['CONT_3', 'CONT_4'])
    })

    test('shows each untouched entity once while others are written, moved and deleted', async ({
      store,
    }) => {
      await write(store, ...ten)
      let round = 0
      const walked = await walk(store, { sort: byPrice, limit: 2 }, async () => {
        const changes = disturbances[round] ?? []
        round += 1
        await write(store, ...changes)
      })
      const untouched = ['CONT_1', 'CONT_2', 'CONT_3', 'CONT_5', 'CONT_6', 'CONT_8', 'CONT_9']
      expect(round).toBeGreaterThan(3)
      expect(idsOf(walked).filter((id) => untouched.includes(id))).toEqual(untouched)
    })

    test('counts all matches on every page', async ({ store }) => {
      await write(store, ...ten)
      const counts: (number | undefined)[] = []
      await walk(store, { sort: byPrice, limit: 4 }, async ({ count }) => void counts.push(count))
      const { next } = await store.entities.list(main, aQuery({ sort: byPrice, limit: 8 }))
      const last = await store.entities.list(main, aQuery({ sort: byPrice, ...(next && { after: next }) }))
      expect([...counts, last.count]).toEqual([10, 10, 10])
    })
  })

  describe('an offset', () => {
    test('skips the given number of matches', async ({ store }) => {
      await write(store, ...ten)
      const descending = byPrice.map((key) => ({ ...key, descending: true }))
      expect(await find(store, { sort: descending, offset: 7, limit: 2 })).toEqual(['CONT_2', 'CONT_1'])
      expect(await find(store, { offset: 0, limit: 1 })).toEqual(['CONT_0'])
      expect(await find(store, { offset: 10 })).toEqual([])
      expect(await find(store, { offset: 1000 })).toEqual([])
    })

    test('has a cursor after it while there is more', async ({ store }) => {
      await write(store, ...ten)
      const page = await store.entities.list(main, aQuery({ offset: 5, limit: 2 }))
      expect(page.next?.id).toBe('CONT_6')
      const rest = page.next ? await find(store, { after: page.next }) : []
      expect(rest).toEqual(['CONT_7', 'CONT_8', 'CONT_9'])
      expect((await store.entities.list(main, aQuery({ offset: 8, limit: 2 }))).next).toBeUndefined()
    })
  })
}

/**
 * What another writer does after each page: new entities on both sides, moves, deletes, a new
 * version in place.
 */
const disturbances: readonly (readonly EntityWrite[])[] = [
  [priced('CONT_A', -5), priced('CONT_B', 45)],
  [nextVersion(priced('CONT_0', 0), { values: indexed({ price: 95 }) })],
  [
    sameVersion(priced('CONT_4', 40), { deletedDate: 1 }),
    sameVersion(priced('CONT_7', 70), { archived: true }),
  ],
  [
    nextVersion(nextVersion(priced('CONT_0', 0)), { values: indexed({ price: null }) }),
    priced('CONT_C', null),
  ],
]
