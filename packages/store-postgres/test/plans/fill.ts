import { postgresDialect } from '@quire/store-sql'
import { writePlanHeads } from '@quire/testkit'
import { type Table, getTableColumns, getTableName } from 'drizzle-orm'
import { type RecordedStore, openRecorded } from './recorded-store.ts'

/**
 * The number of other repositories, and the number of heads in each, so that one repository is a
 * small part of the data.
 */
const OTHERS = 60
const EACH = 200

/** Additional heads on main itself, so that an index on its order pays off. */
const OF_MAIN = 200

const { heads, headJsonRows, fieldValues, edges, searchRows } = postgresDialect.tables

const copied: readonly Table[] = [heads, headJsonRows, fieldValues, edges, searchRows]

/**
 * A recorded store with heads that have everything lists read, among those of many other
 * repositories; with a queue, and with statistics. Row look-ups cost as if all data were in memory,
 * and table scans are the most expensive: a plan has one only if no index helps.
 */
export async function openFilled(): Promise<RecordedStore> {
  const store = await openRecorded()
  const { client } = store
  await store.write(writePlanHeads)
  for (const table of copied) await client.query(copiesOf(table))
  await client.query(words)
  await client.query(roles)
  await client.query(queue)
  await client.query(`ANALYZE search, head_roles, jobs, ${copied.map(getTableName).join(', ')}`)
  await client.query('SET enable_seqscan = off; SET random_page_cost = 1.1')
  return store
}

/** Copies of the first head's rows: some on its own branch, others on branches of their own. */
function copiesOf(table: Table): string {
  const changed = new Map([
    ['head', 'head + 1000 + n.i'],
    ['row', '"row" + 1000 + n.i'],
    ['branch', `CASE WHEN n.i <= ${OF_MAIN} THEN branch ELSE 100 + n.i / ${EACH} END`],
    ['id', `id || '_' || n.i`],
    ['slug', `slug || '_' || n.i`],
    ['name', `name || ' ' || n.i`],
    ['created_date', 'created_date + n.i'],
    ['updated_date', 'updated_date + n.i'],
  ])
  const columns = Object.values(getTableColumns(table)).map(({ name }) => name)
  const values = columns.map((name) => changed.get(name) ?? `"${name}"`)
  return `INSERT INTO ${getTableName(table)} (${columns.map((name) => `"${name}"`).join(', ')})
    SELECT ${values.join(', ')} FROM ${getTableName(table)}, generate_series(1, ${OF_MAIN + OTHERS * EACH}) AS n (i)
    WHERE head = (SELECT head FROM heads WHERE id = 'CONT_0')`
}

/** The words of the copies: those of the first head, with the branches of the copies. */
const words = `
INSERT INTO search (rowid, words)
  SELECT r.row, replace(s.words, substr(s.words, 1, 5), lpad(r.branch::text, 5, '0'))
  FROM search_rows r, (SELECT words FROM search ORDER BY rowid LIMIT 1) s WHERE r.row > 1000`

/** Read roles: as many rows as heads. */
const roles = `INSERT INTO head_roles SELECT head, 'ROLE_' || head % 3 FROM heads`

/** Jobs of some kinds, states, repositories and subjects. */
const queue = `
INSERT INTO jobs (id, key, kind, state, repository_id, subject, max_attempts, run_at, created_at, finished_at, person, payload)
  SELECT 'JOB_' || lpad(i::text, 9, '0'), 'key ' || i, 'kind ' || i % 5, state, 'REPO_' || i % 20, 'subject ' || i % 50, 1, i, i,
    CASE WHEN state IN ('succeeded', 'failed', 'cancelled') THEN i END, '{}', '{}'
  FROM generate_series(1, 5000) AS n (i),
    LATERAL (SELECT (ARRAY['queued', 'succeeded', 'succeeded', 'failed', 'cancelled'])[1 + i / 5 % 5] AS state) s`
