import type { Job, JobClaim } from '@quire/core/ports'
import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import { names, selected } from '../row-of.ts'
import { type JobRow, decodeJob, jobColumns } from './job-row.ts'
import { firstQueued, queuedOf } from './queued.ts'

/** What a claim needs. */
export type ClaimStatements = ReturnType<typeof prepareClaim>

/** Prepares what a claim needs. */
export function prepareClaim(driver: SqlWriteDriver, dialect: Dialect) {
  const { tables } = dialect
  const { id, state, attempts, lease, startedAt } = tables.jobs
  const more = sql`${names([attempts])} = ${attempts} + 1, ${names([lease])} = ${lease} + 1`
  return {
    choose: driver.prepare<readonly [string]>(chooseQuery(dialect)),
    begin: driver.prepare<JobRow>(
      sql`UPDATE ${tables.jobs} SET ${names([state])} = 'running', ${more}, ${names([startedAt])} = ${sql.placeholder('now')} WHERE ${dialect.anyOf(id, sql.placeholder('ids'))} AND ${state} = 'queued' RETURNING ${names(jobColumns(tables))}`,
    ),
  }
}

/** Begins jobs, in the order in which they were due. What has nothing to begin writes nothing. */
export async function claimJobs(
  { choose, begin }: ClaimStatements,
  { except, ...claim }: JobClaim,
): Promise<readonly Job[]> {
  const chosen = await choose.all({ ...claim, except: listText(except) })
  if (chosen.length === 0) return []
  const ids = chosen.map(([id]) => id)
  const rows = await begin.all({ ids: listText(ids), now: claim.now })
  const begun = new Map(rows.map((row) => [row[0], row]))
  return ids.flatMap((id) => {
    const row = begun.get(id)
    return row ? [decodeJob(row)] : []
  })
}

/**
 * The first job of each subject that has something queued, each looked up after the one before; of the subjects whose first job was due
 * first, as many as jobs may be begun, because no other subject can have one of these; and the first jobs of each.
 */
function chooseQuery(dialect: Dialect): SQL {
  const { jobs } = dialect.tables
  const { id, subject, runAt } = jobs
  const limit = sql.placeholder('limit')
  const now = sql.placeholder('now')
  const kind = sql`${sql.placeholder('kind')}`
  const first = [subject, runAt, id]
  const next = dialect.lateral(first, firstQueued(dialect, kind, sql`AND ${subject} > p.subject`))
  const firsts = sql`SELECT * FROM (SELECT ${selected(first)} ${firstQueued(dialect, kind)}) p UNION ALL SELECT ${next.member(0)}, ${next.member(1)}, ${next.member(2)} FROM firsts p ${dialect.joinInOrder} ${next.from} ON TRUE`
  const due = sql`SELECT p.subject FROM firsts p WHERE p.due <= ${now} AND NOT ${dialect.anyOf(sql`p.subject`, sql.placeholder('except'))} ORDER BY p.due, p.id LIMIT ${limit}`
  const each = dialect.lateral(
    [runAt, id],
    sql`${queuedOf(dialect, kind)} AND ${subject} = p.subject AND ${runAt} <= ${now} ORDER BY ${runAt}, ${id} LIMIT ${sql.placeholder('each')}`,
  )
  const [at, chosen] = [each.member(0), each.member(1)]
  return sql`WITH RECURSIVE firsts (subject, due, id) AS (${firsts}) SELECT ${chosen} FROM (${due}) p ${dialect.joinInOrder} ${each.from} ON TRUE ORDER BY ${at}, ${chosen} LIMIT ${limit}`
}
