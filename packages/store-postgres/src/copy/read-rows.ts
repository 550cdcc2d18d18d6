import type { CopiedTable, SqlValue } from '@quire/store-sql'
import type { Client } from 'pg'

/** Rows per fetch; some may be megabytes long. At half, narrow rows take a quarter longer. */
const AT_ONCE = 200

/** All rows of a table with their columns in order; in no particular order, and in batches. */
export async function* readRows(
  client: Client,
  { name, columns }: CopiedTable,
): AsyncGenerator<readonly SqlValue[][]> {
  const names = columns.map((column) => column.name).join()
  await client.query(`BEGIN READ ONLY; DECLARE copied NO SCROLL CURSOR FOR SELECT ${names} FROM ${name}`)
  try {
    for (;;) {
      const text = `FETCH ${AT_ONCE} FROM copied`
      const { rows } = await client.query<SqlValue[]>({ text, rowMode: 'array' })
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    await client.query('ROLLBACK')
  }
}
