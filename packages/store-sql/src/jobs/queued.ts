import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import { selected } from '../row-of.ts'

/** The queued jobs of a kind, for a `SELECT`. */
export function queuedOf({ tables: { jobs } }: Dialect, kind: SQL): SQL {
  return sql`FROM ${jobs} WHERE ${jobs.kind} = ${kind} AND ${jobs.state} = 'queued'`
}

/**
 * The first queued job of the first subject that fulfils `after`, by one look-up in `jobs_queue`.
 */
export function firstQueued(dialect: Dialect, kind: SQL, after: SQL = sql``): SQL {
  const { subject, runAt, id } = dialect.tables.jobs
  return sql`${queuedOf(dialect, kind)} ${after} ORDER BY ${selected([subject, runAt, id])} LIMIT 1`
}
