import { limits } from '@quire/contract'
import { fault, note, ok, type Check } from './finding.ts'
import type { Reader } from './reader.ts'

/**
 * Checks the content of the database. Reads every page of a SQLite file: about a minute for a few
 * gigabytes.
 */
export async function checkDatabase(open: () => Promise<Reader> | Reader): Promise<Check[]> {
  let reader: Reader | undefined
  try {
    const opened = await open()
    reader = opened
    const damage = await integrity(opened)
    // The following checks read rows. Their results for a damaged file would be meaningless.
    if (damage.outcome === 'fault') return [damage]
    const checks = [damage]
    for (const check of contents[opened.kind]) checks.push(await countOf(opened, check))
    return checks
  } catch (error) {
    return [
      fault(
        'integrity',
        `the database cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      ),
    ]
  } finally {
    await reader?.close()
  }
}

async function integrity(reader: Reader): Promise<Check> {
  if (reader.kind === 'postgresql')
    return note(
      'integrity',
      'check pages with pg_amcheck; PostgreSQL checks them on every read if data checksums are on',
    )
  const found = await reader.all('PRAGMA integrity_check(10)')
  const rows = found.map(({ integrity_check: text }) => String(text))
  return rows.length === 1 && rows[0] === 'ok'
    ? ok('integrity', 'integrity_check: ok')
    : fault('integrity', `the database is damaged, restore a backup: ${rows.join('; ')}`)
}

/** A query that counts rows that should not exist. */
interface Search {
  readonly name: string
  readonly finds: string
  readonly sql: string
}

const foreignKeys: Search = {
  name: 'foreign keys',
  finds: 'rows refer to rows that do not exist',
  sql: 'SELECT count(*) AS found FROM pragma_foreign_key_check',
}

/**
 * The searches that both databases share. An item may have lost old versions once it has more than
 * are always retained. In a package, the first version is not 1 if main's numbers go on.
 * `forgetful` is a query for the names of types that retain only their newest versions; `indexed`
 * is the rows of the search index, as `id`; `hashed` the hash of `value`.
 */
const rowsOf = ({
  forgetful,
  indexed,
  hashed,
}: {
  readonly forgetful: string
  readonly indexed: string
  readonly hashed: string
}): Search[] => [
  {
    name: 'versions',
    finds: 'items and other versioned entities have gaps in their versions',
    sql: `SELECT count(*) AS found FROM (
      SELECT 1 FROM (
        SELECT count(*) AS kept, max(v.version) - CASE WHEN b.package_id IS NULL THEN 0 ELSE min(v.version) - 1 END AS numbered
        FROM versions v JOIN branches b ON b.id = v.branch WHERE v.type NOT IN (${forgetful}) GROUP BY v.branch, b.package_id, v.kind, v.id) AS histories
      WHERE kept <> numbered AND (numbered <= ${limits.versionsKept} OR kept < ${limits.versionsKept})) AS gaps`,
  },
  {
    name: 'heads',
    finds: 'heads do not point to their newest version',
    sql: `SELECT count(*) AS found FROM heads WHERE version <> coalesce(
      (SELECT max(v.version) FROM versions v WHERE v.branch = heads.branch AND v.kind = heads.kind AND v.id = heads.id), 0)`,
  },
  {
    name: 'values',
    finds: 'large values of items are missing, damaged, or left over',
    sql: `SELECT (
        SELECT count(*) FROM (
          SELECT hash FROM version_values EXCEPT SELECT hash FROM large_values) AS missing
      ) + (
        SELECT count(*) FROM (
          SELECT hash FROM large_values EXCEPT SELECT hash FROM version_values) AS left_over
      ) + (
        SELECT count(*) FROM large_values WHERE hash <> ${hashed}
      ) AS found`,
  },
  {
    name: 'search',
    finds: 'items are missing from the search index or left over in it: rebuild the index',
    sql: `SELECT (
        SELECT count(*) FROM (
          SELECT head FROM heads WHERE kind = 'item' AND deleted_date IS NULL
          EXCEPT SELECT r.head FROM search_rows r JOIN ${indexed} i ON i.id = r.row) AS missing
      ) + (
        SELECT count(*) FROM (
          SELECT i.id FROM ${indexed} i
          EXCEPT SELECT r.row FROM search_rows r JOIN heads h ON h.head = r.head WHERE h.deleted_date IS NULL) AS left_over
      ) AS found`,
  },
]

const contents: Readonly<Record<Reader['kind'], readonly Search[]>> = {
  sqlite: [
    foreignKeys,
    ...rowsOf({
      forgetful: `SELECT json_extract(data, '$.name') FROM records
        WHERE kind = 'type' AND json_extract(data, '$.settings.versionLimit') IS NOT NULL`,
      indexed: 'search_docsize',
      hashed: 'sha256(value)',
    }),
  ],
  postgresql: rowsOf({
    forgetful: `SELECT data::jsonb ->> 'name' FROM records
      WHERE kind = 'type' AND data::jsonb #>> '{settings,versionLimit}' IS NOT NULL`,
    indexed: '(SELECT rowid AS id FROM search)',
    hashed: "encode(sha256(convert_to(value, 'UTF8')), 'hex')",
  }),
}

async function countOf(reader: Reader, { name, finds, sql }: Search): Promise<Check> {
  const [row] = await reader.all(sql)
  const found = Number(row?.['found'])
  return found === 0 ? ok(name, 'no problems found') : fault(name, `${found} ${finds}`)
}
