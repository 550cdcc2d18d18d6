import { DatabaseSync } from 'node:sqlite'
import { fault, ok, type Check } from './finding.ts'

/**
 * Looks into the database with a SQLite of its own, read-only, so that it works while a server runs and shares no code with what it
 * judges. Reads every page: a minute for some gigabytes.
 */
export function checkDatabase(file: string): Check[] {
  let database: DatabaseSync | undefined
  try {
    const opened = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    database = opened
    const damage = integrity(opened)
    // What follows reads rows: of a damaged file it would say nothing worth knowing.
    return damage.outcome === 'fault'
      ? [damage]
      : [damage, ...contents.map((check) => countOf(opened, check))]
  } catch (error) {
    return [
      fault(
        'integrity',
        `the database cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      ),
    ]
  } finally {
    database?.close()
  }
}

function integrity(database: DatabaseSync): Check {
  const rows = database
    .prepare('PRAGMA integrity_check(10)')
    .all()
    .map(({ integrity_check: text }) => String(text))
  return rows.length === 1 && rows[0] === 'ok'
    ? ok('integrity', 'integrity_check: ok')
    : fault('integrity', `the database is damaged, restore a backup: ${rows.join('; ')}`)
}

/** A query that finds what should not be. */
interface Search {
  readonly name: string
  readonly finds: string
  readonly sql: string
}

// Types that keep only their newest versions.
const forgetful = `SELECT json_extract(data, '$.name') FROM records
  WHERE kind = 'type' AND json_extract(data, '$.settings.versionLimit') IS NOT NULL`

const contents: readonly Search[] = [
  {
    name: 'foreign keys',
    finds: 'rows refer to rows that are not there',
    sql: 'SELECT count(*) AS found FROM pragma_foreign_key_check',
  },
  {
    name: 'versions',
    finds: 'entities have gaps in their versions',
    sql: `SELECT count(*) AS found FROM (
      SELECT 1 FROM versions WHERE type NOT IN (${forgetful}) GROUP BY line, kind, id HAVING min(version) <> 1 OR max(version) <> count(*))`,
  },
  {
    name: 'heads',
    finds: 'heads are not at their newest version',
    sql: `SELECT count(*) AS found FROM heads WHERE version <> coalesce(
      (SELECT max(v.version) FROM versions v WHERE v.line = heads.line AND v.kind = heads.kind AND v.id = heads.id), 0)`,
  },
  {
    name: 'search',
    finds: 'items are missing from the search index, or in it without being there: rebuild it',
    sql: `SELECT (
        SELECT count(*) FROM heads WHERE kind = 'item' AND deleted_date IS NULL AND head NOT IN (SELECT id FROM search_docsize)
      ) + (
        SELECT count(*) FROM search_docsize WHERE id NOT IN (SELECT head FROM heads WHERE deleted_date IS NULL)
      ) AS found`,
  },
]

function countOf(database: DatabaseSync, { name, finds, sql }: Search): Check {
  const found = Number(database.prepare(sql).get()?.['found'])
  return found === 0 ? ok(name, 'as they should be') : fault(name, `${found} ${finds}`)
}
