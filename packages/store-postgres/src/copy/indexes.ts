import type { Client } from 'pg'

/** The table of what was taken away for the time of a copy. */
const laterTable = 'store_copy_indexes'

const notUnique = `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = to_regnamespace($1) AND NOT i.indisunique`

/**
 * Takes away the indexes that a copy does not need, and keeps what they are. Made at the end, of rows that are there, they take a fraction of
 * the time that they take row by row.
 */
export async function putOffIndexes(client: Client, schema: string): Promise<void> {
  await client.query(`CREATE TABLE ${laterTable} AS ${notUnique.replace('$1', `'${schema}'`)}`)
  for (const { name } of await indexesPutOff(client)) await client.query(`DROP INDEX ${name}`)
}

/** An index that is not there yet. */
export interface IndexPutOff {
  readonly name: string
  readonly definition: string
}

/** Those that are still to be made. */
export async function indexesPutOff(client: Client): Promise<readonly IndexPutOff[]> {
  const { rows } = await client.query<IndexPutOff>(`SELECT name, definition FROM ${laterTable} ORDER BY name`)
  return rows
}

/** Memory for the making of an index: with the 64 MB that PostgreSQL takes by itself that of words takes longer. */
const MEMORY = '256MB'

/** Makes an index, once. */
export async function makeIndex(client: Client, { name, definition }: IndexPutOff): Promise<void> {
  await client.query(
    `BEGIN; SET LOCAL maintenance_work_mem = '${MEMORY}'; ${definition}; DELETE FROM ${laterTable} WHERE name = '${name}'; COMMIT`,
  )
}

/** To be called once all of them are made. */
export async function forgetPutOff(client: Client): Promise<void> {
  await client.query(`DROP TABLE ${laterTable}`)
}
