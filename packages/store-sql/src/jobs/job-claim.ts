import type { Job, JobClaim } from '@quire/core/ports'
import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import { names, selected } from '../row-of.ts'
import { type JobRow, decodeJob, jobColumns } from './job-row.ts'
import { firstQueued, queuedOf } from './queued.ts'

export type ClaimStatements = ReturnType<typeof prepareClaim>

/** Prepares the statements that a claim needs. */
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

/** Claims due jobs, in the order in which they were due. Writes nothing when no job is due. */
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
 * Chooses the jobs to claim. First the earliest queued job of each subject is found, with one
 * look-up per subject. Then the subjects with the earliest due jobs are chosen, at most as many as
 * jobs may be claimed: no job of any other subject could be among them. The result is taken from
 * the due jobs of these subjects.
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
