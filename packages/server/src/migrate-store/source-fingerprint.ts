import { hash } from 'node:crypto'
import type { SqliteRows } from '@quire/store-sqlite/rows'
import { writtenTables } from './copy-rows.ts'

/**
 * Identifies an installation in its current state: the number of rows of each table, and its first
 * row. Cost: counts every table.
 */
export function fingerprintOf(source: SqliteRows): string {
  const given = writtenTables.map((table) => {
    const [first = null] = source.rows(table)
    return [table.name, source.count(table), first]
  })
  return hash('sha256', JSON.stringify(given))
}
