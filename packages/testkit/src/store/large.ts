import type { EntityWrite, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, indexed, inPackageOf, textOf } from '../entity.ts'
import { aQuery, main, packageId, packageBranch, walk, write, type StoreTest, item } from './fixture.ts'

const MANY = 5_000

export function largeLaws(test: StoreTest): void {
  describe('five thousand entities', { timeout: 60_000 }, () => {
    test('can be written at once, counted, and all read in pages of 500', async ({ store }) => {
      const entities = await writeMany(store)
      const sort = [{ field: { path: 'price', list: false }, descending: true }]
      const page = await store.entities.list(main, aQuery({ sort, limit: 1 }))
      expect(page.count).toBe(MANY)
      const walked = await walk(store, { sort, limit: 500, count: false })
      expect(walked).toHaveLength(MANY)
      expect(new Set(walked.map(({ id }) => id))).toEqual(new Set(entities.map(({ id }) => id)))
      const even = { field: { path: 'parity', list: false }, op: 'eq', value: 'even' } as const
      expect((await store.entities.list(main, aQuery({ filter: even, limit: 1 }))).count).toBe(MANY / 2)
      expect((await store.entities.list(main, aQuery({ text: 'word4999', limit: 1 }))).count).toBe(1)
    })

    test('can be read through a package that changed some', async ({ store }) => {
      const entities = await writeMany(store)
      const changed = entities.filter((_, index) => index % 10 === 0)
      await write(store, ...changed.map((entity) => inPackageOf(packageId, entity, { name: 'Changed' })))
      const walked = await walk(store, { branch: packageBranch, limit: 1000, count: false })
      expect(walked.map(({ id }) => id)).toEqual(entities.map(({ id }) => id))
      expect(walked.filter(({ name }) => name === 'Changed')).toHaveLength(changed.length)
    })

    test('can be read a thousand ids at a time', async ({ store }) => {
      const entities = await writeMany(store)
      const ids = entities.slice(2000, 3000).map(({ id }) => id)
      const found = await store.entities.getMany(main, 'item', ids)
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids))
    })
  })

  describe('a megabyte', () => {
    test('of body and JSON reads as it was put', async ({ store }) => {
      const text = 'Grüße 😀 '.repeat(2 ** 17)
      const large = anEntity({ id: 'CONT_1', body: { text }, json: JSON.stringify({ text }) })
      await write(store, large)
      const head = await store.entities.get(main, 'item', 'CONT_1')
      expect(head?.body['text'] === text).toBe(true)
      expect(head?.json === large.json).toBe(true)
      const version = await store.entities.version(main, item('CONT_1'), 1)
      expect(version?.body['text'] === text).toBe(true)
    })
  })
}

async function writeMany(store: Store): Promise<readonly EntityWrite[]> {
  const entities = Array.from({ length: MANY }, (_, index) =>
    anEntity({
      id: `CONT_${String(index).padStart(6, '0')}`,
      slug: `entity-${index}`,
      values: indexed({ price: (index * 7919) % 1000, parity: index % 2 === 0 ? 'even' : 'odd' }),
      search: textOf(`word${index} shared`),
    }),
  )
  await write(store, ...entities)
  return entities
}
