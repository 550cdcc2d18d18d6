import { textQueryOf } from '@quire/core/ports'
import { anEntity, indexed, textOf } from '@quire/testkit'
import { describe, expect, it } from 'vitest'
import { asAdministrator, openTestStore, location, testDatabase } from '../../../test/services/postgres.ts'

const MANY = 3_000

const main = { repositoryId: anEntity().repositoryId, packageId: null }

interface Scans {
  readonly name: string
  readonly scans: string
}

describe.skipIf(testDatabase === null)(`PostgreSQL ${location}`, () => {
  it(
    'finds values and words by their indexes, without walking their tables',
    { timeout: 60_000 },
    async () => {
      const { store, schema, dispose } = await openTestStore()
      await store.transaction(async (tx) => {
        for (let index = 0; index < MANY; index += 1) {
          const values = indexed({ color: `color ${index % 500}` })
          const id = `CONT_${index}`
          await tx.entities.put(
            anEntity({ id, slug: id, values, search: textOf(`word${index % 500} all`) }),
            0,
          )
        }
      })
      await asAdministrator((client) => client.query(`ANALYZE ${schema}.field_values, ${schema}.search`))
      const scansOf = (kind: 'tables' | 'indexes') =>
        asAdministrator(async (client) => {
          const [name, scans] = kind === 'tables' ? ['relname', 'seq_scan'] : ['indexrelname', 'idx_scan']
          const { rows } = await client.query<Scans>(
            `SELECT ${name} AS name, ${scans} AS scans FROM pg_stat_user_${kind} WHERE schemaname = $1`,
            [schema],
          )
          return new Map(rows.map((row) => [row.name, Number(row.scans)]))
        })
      const before = await scansOf('tables')
      const asked = {
        kind: 'item',
        reader: { types: 'all', roles: 'all' },
        archived: false,
        limit: 9,
      } as const
      const filter = { field: { path: 'color', list: false }, op: 'eq', value: 'color 7' } as const
      const list = await store.entities.list(main, { ...asked, sort: [], filter, count: true })
      expect(list.count).toBe(MANY / 500)
      const found = await store.entities.search(main, { ...asked, text: textQueryOf('word499'), count: true })
      expect(found.count).toBe(MANY / 500)
      // A connection reports its statistics when it ends.
      await store.close()
      const [tables, indexes] = [await scansOf('tables'), await scansOf('indexes')]
      for (const table of ['field_values', 'search']) expect(tables.get(table)).toBe(before.get(table))
      expect(indexes.get('field_values_order')).toBeGreaterThan(0)
      expect(indexes.get('search_vector')).toBeGreaterThan(0)
      await dispose()
    },
  )
})
