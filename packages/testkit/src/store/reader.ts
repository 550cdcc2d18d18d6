import type { Reader, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, indexed, inPackageOf, textOf } from '../entity.ts'
import {
  aQuery,
  find,
  idsOf,
  main,
  packageId,
  packageBranch,
  walk,
  write,
  type Listing,
  type StoreTest,
} from './fixture.ts'

const limited = (...read: readonly string[]) => ({ roles: { read, write: ['ROLE_W'], delete: ['ROLE_D'] } })

const open = anEntity({ id: 'CONT_open', search: textOf('secret'), values: indexed({ n: 1 }) })
const staff = anEntity({
  id: 'CONT_staff',
  search: textOf('secret'),
  ...limited('ROLE_S'),
  values: indexed({ n: 2 }),
})
const either = anEntity({ id: 'CONT_either', search: textOf('secret'), ...limited('ROLE_S', 'ROLE_T') })
const page = anEntity({ id: 'CONT_page', type: 'page', search: textOf('secret'), values: indexed({ n: 4 }) })

const readers: Readonly<Record<string, { reader: Reader; sees: readonly string[] }>> = {
  'of everything sees everything': {
    reader: { types: 'all', roles: 'all' },
    sees: ['CONT_either', 'CONT_open', 'CONT_page', 'CONT_staff'],
  },
  'without roles sees what has no read roles': {
    reader: { types: 'all', roles: [] },
    sees: ['CONT_open', 'CONT_page'],
  },
  'with one of the roles sees what names that role': {
    reader: { types: 'all', roles: ['ROLE_T', 'ROLE_X'] },
    sees: ['CONT_either', 'CONT_open', 'CONT_page'],
  },
  'gains nothing from roles to write or delete': {
    reader: { types: 'all', roles: ['ROLE_W', 'ROLE_D'] },
    sees: ['CONT_open', 'CONT_page'],
  },
  'of one type sees that type': {
    reader: { types: ['page'], roles: 'all' },
    sees: ['CONT_page'],
  },
  'of some types and roles needs both': {
    reader: { types: ['article'], roles: ['ROLE_S'] },
    sees: ['CONT_either', 'CONT_open', 'CONT_staff'],
  },
  'of no types sees nothing': { reader: { types: [], roles: 'all' }, sees: [] },
}

export function readerLaws(test: StoreTest): void {
  describe('a reader', () => {
    for (const [name, { reader, sees }] of Object.entries(readers)) {
      test(`${name}, in rows and counts, by filter, text and page`, async ({ store }) => {
        await write(store, open, staff, either, page)
        await expectSeen(store, { reader, sees }, {})
        await expectSeen(store, { reader, sees }, { text: 'secret' })
        await expectSeen(
          store,
          { reader, sees },
          { sort: [{ field: { path: 'n', list: false }, descending: true }] },
        )
        await expectSeen(
          store,
          { reader, sees },
          { filter: { field: { member: 'id' }, op: 'exists', value: true } },
        )
        await expectSeen(store, { reader, sees }, { filter: { not: { any: [] } } })
      })
    }

    test('gets full pages: hidden entities do not take up space', async ({ store }) => {
      await write(store, open, staff, either, page)
      const reader = { types: 'all', roles: [] } as const
      const first = await store.entities.list(main, aQuery({ reader, limit: 2 }))
      expect(first).toMatchObject({ entities: [{ id: 'CONT_open' }, { id: 'CONT_page' }], count: 2 })
      expect(first.next).toBeUndefined()
      expect(await find(store, { reader, offset: 1 })).toEqual(['CONT_page'])
    })

    test('is limited by the roles of the head that the branch shows, and in a package also by main’s', async ({
      store,
    }) => {
      await write(store, open, staff)
      await write(
        store,
        inPackageOf(packageId, open, limited('ROLE_S')),
        inPackageOf(packageId, staff, { roles: open.roles }),
      )
      const reader = { types: 'all', roles: [] } as const
      const nothing = await store.entities.list(packageBranch, aQuery({ reader }))
      expect(nothing).toMatchObject({ entities: [], count: 0 })
      const members = { types: 'all', roles: ['ROLE_S'] } as const
      const seen = await store.entities.list(packageBranch, aQuery({ reader: members }))
      expect(seen).toMatchObject({ entities: [{ packageId }, { packageId }], count: 2 })
      expect(await find(store, { reader })).toEqual(['CONT_open'])
    })
  })
}

async function expectSeen(
  store: Store,
  { reader, sees }: { reader: Reader; sees: readonly string[] },
  query: Listing,
): Promise<void> {
  const found = await store.entities.list(main, aQuery({ reader, ...query }))
  expect({ ids: idsOf(found).toSorted(), count: found.count }).toEqual({ ids: sees, count: sees.length })
  const walked = await walk(store, { reader, ...query, limit: 1 })
  expect(idsOf(walked)).toEqual(idsOf(found))
}
