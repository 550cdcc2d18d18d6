import { randomBytes } from 'node:crypto'
import type { EntityQuery, QueryMember, QueryValue, Store, Transaction } from '@quire/core/ports'
import { textQueryOf } from '@quire/core/ports'
import { anEntity, textOf } from '@quire/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestStore, location, testDatabase } from '../../../test/services/postgres.ts'

const main = { repositoryId: anEntity().repositoryId, packageId: null }

const query = (asked: Partial<EntityQuery>): EntityQuery => ({
  kind: 'item',
  reader: { types: 'all', roles: 'all' },
  archived: false,
  sort: [],
  limit: 9,
  count: true,
  ...asked,
})

const texts = [
  "'",
  '"',
  '`',
  ';--',
  '%',
  '_',
  '\\',
  '*',
  "a' OR 'b",
  '$.a',
  '\0',
  '\ud800',
  ':*',
  '&',
  '!',
  '<->',
  '(',
]

const numbers = [0.5, -0.5, 1e300, -1e300, 1e21, 2 ** 53, -0, Number.MAX_SAFE_INTEGER]

const members: readonly QueryMember[] = [
  'id',
  'name',
  'slug',
  'version',
  'archived',
  'createdDate',
  'publishedDate',
]

describe.skipIf(testDatabase === null)(
  `unusual input does not cause an error of PostgreSQL ${location}`,
  () => {
    let opened: Awaited<ReturnType<typeof openTestStore>>
    let store: Store
    beforeEach(async () => {
      opened = await openTestStore()
      store = opened.store
      await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1', search: textOf('news') }), 0))
    })
    afterEach(() => opened.dispose())
    const listed = async (asked: Partial<EntityQuery>) => {
      const { entities, count } = await store.entities.list(main, query(asked))
      return [entities.length, count]
    }

    it('in a text to search for', async () => {
      for (const text of texts) {
        expect(await store.entities.getMany(main, 'item', [text])).toEqual([])
        expect(await store.entities.get(main, 'item', text)).toBeNull()
        expect(await store.ephemera.get(text, 1)).toBeNull()
        for (const op of ['eq', 'contains', 'startsWith'] as const)
          expect(await listed({ filter: { field: { member: 'name' }, op, value: text } }), text).toEqual([
            0, 0,
          ])
        const some = { field: { path: 'a', list: false }, op: 'in' as const, value: [text, 1.5, true] }
        expect(await listed({ filter: some }), text).toEqual([0, 0])
        const found = await store.entities.list(main, query({ text: textQueryOf(`news ${text}x`) }))
        expect(found.count, text).toBe(0)
      }
    })

    it('in a number that no column holds', async () => {
      const first = { member: 'version' } as const
      for (const value of numbers) {
        const passing = (await store.entities.list(main, query({}))).entities.filter(
          ({ version }) => version > value,
        )
        expect(await listed({ filter: { field: first, op: 'gt', value } })).toEqual([
          passing.length,
          passing.length,
        ])
        expect(await listed({ filter: { field: first, op: 'eq', value } })).toEqual([0, 0])
        expect(await listed({ filter: { field: first, op: 'in', value: [value] } })).toEqual([0, 0])
        await store.entities.versions(main, { kind: 'item', id: 'CONT_1' }, { before: value, limit: 9 })
        await store.journal.readBack({ before: value, limit: 9 })
      }
    })

    it('in a cursor', async () => {
      const values: (QueryValue | null)[] = [...texts, ...numbers, true, null]
      for (const member of members) {
        for (const value of values) {
          const sort = [{ field: { member }, descending: false }]
          const page = await store.entities.list(main, query({ sort, after: { values: [value], id: '\0' } }))
          expect(page.count).toBe(1)
        }
      }
    })

    it('in a value that is too long for an index: only that write is refused', async () => {
      const putAll = async (tx: Transaction) => {
        await tx.ephemera.put('before', 'kept', 9)
        await tx.nested((inner) => inner.ephemera.put(tooLong, '', 9)).catch(() => undefined)
        await tx.ephemera.put('after', 'kept', 9)
      }
      const tooLong = randomBytes(9_000).toString('base64')
      const ended = await Promise.allSettled([
        store.transaction((tx) => tx.ephemera.put('first', 'kept', 9)),
        store.transaction((tx) => tx.ephemera.put(tooLong, '', 9)),
        store.transaction(putAll),
      ])
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(ended[1]).toMatchObject({ reason: { code: '54000' } })
      for (const key of ['first', 'before', 'after']) expect(await store.ephemera.get(key, 1)).toBe('kept')
    })

    it('in a document with more different words than a vector holds: the first ones are found', async () => {
      const words = Array.from({ length: 150_000 }, (_, index) => `word${index}`)
      const long = anEntity({ id: 'CONT_2', search: textOf(words.join(' ')) })
      await store.transaction((tx) => tx.entities.put(long, 0))
      const count = async (text: string) => (await listed({ text: textQueryOf(text) }))[1]
      expect([await count('word0'), await count('"word7 word8"'), await count('word149999')]).toEqual([
        1, 1, 0,
      ])
    })
  },
)
