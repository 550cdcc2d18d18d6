import { hash } from 'node:crypto'
import type { SqliteRows } from '@quire/store-sqlite'
import { writtenTables } from './copy-rows.ts'

/** What tells one installation, as it is now, from others: how many rows each of its tables has, and the first of them. Cost: a count of every table. */
export function fingerprintOf(source: SqliteRows): string {
  const given = writtenTables.map((table) => {
    const [first = null] = source.rows(table)
    return [table.name, source.count(table), first]
  })
  return hash('sha256', JSON.stringify(given))
}
