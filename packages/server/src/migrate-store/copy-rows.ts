import type { CopyLocation, PostgresCopy } from '@quire/store-postgres'
import { type CopiedTable, type Row, copiedTables, wordsTable } from '@quire/store-sql'
import type { SqliteRows } from '@quire/store-sqlite'
import type { MigrationListener } from './progress.ts'
import { keyOf, rowBatches } from './row-batches.ts'

/** Where rows come from and go to, and who is told. */
export interface RowCopy {
  readonly source: SqliteRows
  readonly target: PostgresCopy
  readonly listener: MigrationListener
}

/** Every table that is written. Words come last: they are made of what is there by then. */
export const writtenTables: readonly CopiedTable[] = [...copiedTables, wordsTable]

/** Copies every row that an earlier call did not copy. Answers how many there are now. */
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

/** Where a table is gone on with: after a key, and after how many rows. */
interface Reached {
  readonly after?: Row | undefined
  readonly rows: number
}

function startOf(location: CopyLocation | null): Reached & { readonly first: number } {
  if (location === null) return { first: 0, rows: 0 }
  const first = writtenTables.findIndex(({ name }) => name === location.step)
  // What comes after the rows: all of them are there.
  if (first === -1) return { first: writtenTables.length, rows: 0 }
  const reached: Reached = JSON.parse(location.after ?? '{"rows":0}')
  return { first, ...reached }
}

/** While the database writes some rows, the next ones are read. */
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
