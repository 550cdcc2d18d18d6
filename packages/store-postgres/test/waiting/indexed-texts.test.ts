import { indexedTexts } from '@quire/store-sql'
import { describe, expect, it } from 'vitest'
import { asAdministrator, location, openTestStore, testDatabase } from '../../../../test/services/postgres.ts'

describe.skipIf(testDatabase === null)(`the indexes in PostgreSQL ${location}`, () => {
  it('hold the texts that waiting writes are checked for', async () => {
    const { schema, dispose } = await openTestStore()
    const { rows } = await asAdministrator((client) =>
      client.query<{ readonly table: string; readonly columns: string[] }>(
        `SELECT t.relname AS table, array_agg(DISTINCT a.attname::text ORDER BY a.attname::text)
           FILTER (WHERE a.attname IS NOT NULL) AS columns
         FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid
         LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.atttypid = 'text'::regtype AND a.attnum = ANY (i.indkey)
         WHERE t.relnamespace = $1::regnamespace AND t.relname = ANY ($2) GROUP BY t.relname`,
        [schema, Object.keys(indexedTexts)],
      ),
    )
    await dispose()
    const found = Object.fromEntries(rows.map(({ table, columns }) => [table, columns ?? []]))
    expect(found).toEqual(indexedTexts)
  })
})
