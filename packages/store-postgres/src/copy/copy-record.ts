import type { Client } from 'pg'

/** The table that says where the rows of a schema were copied from. Where it is not, they were written here. */
export const copyTable = 'store_copy'

/** How far a copy has come. */
export interface CopyLocation {
  /** What is being copied: a table, or what the caller names. */
  readonly step: string
  /** The last of it that is there, as the caller says it; null when nothing is. */
  readonly after: string | null
}

/** What is known of a copy. */
export interface CopyRecord {
  /** What it is a copy of, as the caller named it. */
  readonly source: string
  /** Null before anything is there. */
  readonly location: CopyLocation | null
  /** When it was found to be whole, Unix ms; null before that. */
  readonly finished: number | null
}

interface CopyRow {
  readonly source: string
  readonly step: string | null
  readonly after: string | null
  readonly finished: number | null
}

/** Notes that a copy begins. */
export async function beginCopy(client: Client, source: string): Promise<void> {
  await client.query(
    `CREATE TABLE ${copyTable} (source text NOT NULL, step text, after text, finished bigint)`,
  )
  await client.query(`INSERT INTO ${copyTable} (source) VALUES ($1)`, [source])
}

/** What the schema says of its copy; null where it says nothing. */
export async function findCopy(client: Client): Promise<CopyRecord | null> {
  const { rows } = await client.query<CopyRow>(`SELECT source, step, after, finished FROM ${copyTable}`)
  const [row] = rows
  if (!row) return null
  const { source, step, after, finished } = row
  return { source, finished, location: step === null ? null : { step, after } }
}

/** Sets the place of a copy to `$1` and `$2`, in the same statement as what follows. */
export const placing = `UPDATE ${copyTable} SET step = $1, after = $2`

/** Notes that a copy is whole. */
export async function endCopy(client: Client): Promise<void> {
  await client.query(
    `UPDATE ${copyTable} SET finished = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
  )
}
