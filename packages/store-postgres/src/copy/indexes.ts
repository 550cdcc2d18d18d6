import type { Client } from 'pg'

/** The table of the indexes that were dropped for the duration of a copy. */
const laterTable = 'store_copy_indexes'

const notUnique = `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = to_regnamespace($1) AND NOT i.indisunique`

/**
 * Drops the indexes that a copy does not need, and saves their definitions. Creating them at the
 * end takes a fraction of the time that updating them row by row takes.
 */
export async function putOffIndexes(client: Client, schema: string): Promise<void> {
  await client.query(`CREATE TABLE ${laterTable} AS ${notUnique.replace('$1', `'${schema}'`)}`)
  for (const { name } of await indexesPutOff(client)) await client.query(`DROP INDEX ${name}`)
}

/** An index that was dropped and must be created again. */
export interface IndexPutOff {
  readonly name: string
  readonly definition: string
}

/** The indexes that must still be created. */
export async function indexesPutOff(client: Client): Promise<readonly IndexPutOff[]> {
  const { rows } = await client.query<IndexPutOff>(`SELECT name, definition FROM ${laterTable} ORDER BY name`)
  return rows
}

/**
 * Memory for creating an index. With PostgreSQL's default of 64 MB, the index of words takes
 * longer.
 */
const MEMORY = '256MB'

/** Creates an index and removes it from the list, in one transaction. */
export async function makeIndex(client: Client, { name, definition }: IndexPutOff): Promise<void> {
  await client.query(
    `BEGIN; SET LOCAL maintenance_work_mem = '${MEMORY}'; ${definition}; DELETE FROM ${laterTable} WHERE name = '${name}'; COMMIT`,
  )
}

/** Call once all of them are created. */
export async function forgetPutOff(client: Client): Promise<void> {
  await client.query(`DROP TABLE ${laterTable}`)
}
