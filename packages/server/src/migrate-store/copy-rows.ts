import type { CopyLocation, PostgresCopy } from '@quire/store-postgres/copy'
import { type CopiedTable, type Row, copiedTables, wordsTable } from '@quire/store-sql'
import type { SqliteRows } from '@quire/store-sqlite/rows'
import type { MigrationListener } from './progress.ts'
import { keyOf, rowBatches } from './row-batches.ts'

/** The source and target of rows, and who receives the progress. */
export interface RowCopy {
  readonly source: SqliteRows
  readonly target: PostgresCopy
  readonly listener: MigrationListener
}

/**
 * The tables to write, in order. The words come last because they are derived from the other rows.
 */
export const writtenTables: readonly CopiedTable[] = [...copiedTables, wordsTable]

/** Copies the rows that an earlier call did not copy. Returns how many rows there are in all. */
export async function copyRows(copy: RowCopy): Promise<number> {
  const counts = writtenTables.map((table) => copy.source.count(table))
  const [total, { first, after, rows }] = [sumOf(counts), startOf(copy.target.location)]
  const before = sumOf(counts.slice(0, first)) + rows
  copy.listener.begin({ name: 'copying rows', unit: 'rows', total, before })
  for (const [index, table] of writtenTables.slice(first).entries())
    await copyTable(copy, table, index === 0 ? { after, rows } : { rows: 0 })
  copy.listener.end()
  return total
}

/** How far the copy of a table came: the key of its last row, and its number of rows. */
interface Reached {
  readonly after?: Row | undefined
  readonly rows: number
}

function startOf(location: CopyLocation | null): Reached & { readonly first: number } {
  if (location === null) return { first: 0, rows: 0 }
  const first = writtenTables.findIndex(({ name }) => name === location.step)
  // The copy is at a step after the rows: all rows are there.
  if (first === -1) return { first: writtenTables.length, rows: 0 }
  const reached: Reached = JSON.parse(location.after ?? '{"rows":0}')
  return { first, ...reached }
}

/** Copies one table. The next rows are read while the database writes the previous ones. */
async function copyTable({ source, target, listener }: RowCopy, table: CopiedTable, from: Reached) {
  let done = from.rows
  let accepted = Promise.resolve()
  for (const rows of rowBatches(source.rows(table, from.after))) {
    await accepted
    done += rows.length
    const reached: Reached = { after: keyOf(table, rows.at(-1) ?? []), rows: done }
    accepted = target.take({ table, rows, location: { step: table.name, after: JSON.stringify(reached) } })
    listener.moved(rows.length, table.name)
  }
  await accepted
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
