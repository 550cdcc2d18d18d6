import type { Client } from 'pg'

/**
 * The table that records where the rows of a schema were copied from. A schema without it was
 * written by a store.
 */
export const copyTable = 'store_copy'

/** The progress of a copy. */
export interface CopyLocation {
  /** The current step: a table, or a name given by the caller. */
  readonly step: string
  /** The last copied item of the step, in the caller's notation; null for none. */
  readonly after: string | null
}

/** The record of a copy. */
export interface CopyRecord {
  /** The source of the copy, as the caller named it. */
  readonly source: string
  /** Null before anything was copied. */
  readonly location: CopyLocation | null
  /** When the copy was found to be complete (Unix ms); null before that. */
  readonly finished: number | null
}

interface CopyRow {
  readonly source: string
  readonly step: string | null
  readonly after: string | null
  readonly finished: number | null
}

/** Records the start of a copy. */
export async function beginCopy(client: Client, source: string): Promise<void> {
  await client.query(
    `CREATE TABLE ${copyTable} (source text NOT NULL, step text, after text, finished bigint)`,
  )
  await client.query(`INSERT INTO ${copyTable} (source) VALUES ($1)`, [source])
}

/** The schema's record of its copy; null when there is none. */
export async function findCopy(client: Client): Promise<CopyRecord | null> {
  const { rows } = await client.query<CopyRow>(`SELECT source, step, after, finished FROM ${copyTable}`)
  const [row] = rows
  if (!row) return null
  const { source, step, after, finished } = row
  return { source, finished, location: step === null ? null : { step, after } }
}

/** Sets the progress of a copy to `$1` and `$2`, in the same statement as what follows. */
export const placing = `UPDATE ${copyTable} SET step = $1, after = $2`

/** Records that a copy is complete. */
export async function endCopy(client: Client): Promise<void> {
  await client.query(
    `UPDATE ${copyTable} SET finished = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
  )
}
