import type { Database } from 'better-sqlite3'

/**
 * Copies a head, with its rows that lists read, `times` times directly into the tables. This is a
 * hundred times as fast as writing each.
 */
export function copyHead(database: Database, id: string, times: number): void {
  database.exec('BEGIN')
  for (const table of ['heads', 'head_json', 'field_values'])
    database.prepare(copyOf(database, table)).run(times, id)
  database.exec('COMMIT')
}

/** Inserts copies of a head's rows of a table, each for a new head and id. */
function copyOf(database: Database, table: string): string {
  const names = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  const changed = new Map([
    ['head', 'head + 1000 + n.i'],
    ['id', `id || '_' || n.i`],
    ['slug', `slug || '_' || n.i`],
    ['updated_date', 'updated_date + n.i'],
  ])
  const columns = names.map((name) => changed.get(name) ?? name).join(', ')
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
  return `INSERT INTO ${table} ${numbers} SELECT ${columns} FROM ${table}, n WHERE head = (SELECT head FROM heads WHERE id = ?)`
}
