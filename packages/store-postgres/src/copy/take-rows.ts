import type { CopiedTable, Row, SqlValue } from '@quire/store-sql'
import type { Client } from 'pg'
import { holdable } from '../holdable.ts'
import { type CopyLocation, placing } from './copy-record.ts'

/** Rows to write, and the progress of the copy after them. */
export interface RowsToTake {
  readonly table: CopiedTable
  readonly rows: readonly Row[]
  readonly location: CopyLocation
}

/** Writes rows and progress: both or neither. */
export async function takeRows(client: Client, { table, rows, location }: RowsToTake): Promise<void> {
  const columns = table.columns.map((_, index) => rows.map((row) => holdable(row[index] ?? null)))
  await client.query(insertInto(table), [location.step, location.after, ...columns])
}

/** A row as it is stored here. */
export function rowToStore(row: Row): Row {
  return row.some(isChanged) ? row.map(holdable) : row
}

function isChanged(value: SqlValue): boolean {
  return holdable(value) !== value
}

/** Each column is one parameter: an array of its values in all rows. */
function insertInto({ name, columns }: CopiedTable): string {
  const arrays = columns.map(
    ({ holds }, index) => `$${index + 3}::${holds === 'number' ? 'bigint' : 'text'}[]`,
  )
  const names = columns.map((column) => column.name)
  return `WITH placed AS (${placing}) INSERT INTO ${name} (${names.join()}) SELECT * FROM unnest(${arrays.join()})`
}
