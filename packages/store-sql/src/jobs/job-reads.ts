import type { JobCount, JobReader } from '@quire/core/ports'
import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import { type RowOf, selected } from '../row-of.ts'
import type { Session } from '../session.ts'
import { prepareJobCount, prepareJobList } from './job-list.ts'
import { type JobRow, decodeJob, jobColumns } from './job-row.ts'
import { firstQueued } from './queued.ts'

export type JobReads = ReturnType<typeof prepareJobReads>

/** Prepares the reads of jobs; counts run on `heavy`. */
export function prepareJobReads(driver: SqlDriver, dialect: Dialect, heavy: SqlDriver = driver) {
  const { jobs } = dialect.tables
  const { id, kind, state, repositoryId, key, finishedAt, lease, beat } = jobs
  const job = sql`SELECT ${selected(jobColumns(dialect.tables))} FROM ${jobs} WHERE`
  const running = [id, kind, lease, beat] as const
  return {
    list: prepareJobList(driver, dialect),
    count: prepareJobCount(heavy, dialect),
    get: driver.prepare<JobRow>(sql`${job} ${id} = ${sql.placeholder('id')}`),
    findUnended: driver.prepare<JobRow>(
      sql`${job} ${key} = ${sql.placeholder('key')} AND ${finishedAt} IS NULL`,
    ),
    running: driver.prepare<RowOf<typeof running>>(
      sql`SELECT ${selected(running)} FROM ${jobs} WHERE ${state} = 'running' ORDER BY ${id} LIMIT ${sql.placeholder('limit')}`,
    ),
    nextDue: driver.prepare<readonly [string, number]>(nextDueQuery(dialect)),
    counts: heavy.prepare<
      readonly [...RowOf<readonly [typeof kind, typeof state, typeof repositoryId]>, number, number]
    >(countsQuery(dialect)),
  }
}

/**
 * When the next job of each kind is due. Finds the first queued job of each subject, one look-up
 * per subject.
 */
function nextDueQuery(dialect: Dialect): SQL {
  const { subject, runAt } = dialect.tables.jobs
  const kinds = dialect.rowsOf(sql.placeholder('kinds'))
  const first = (after: SQL) => dialect.lateral([subject, runAt], firstQueued(dialect, sql`p.kind`, after))
  const [one, next] = [first(sql``), first(sql`AND ${subject} > p.subject`)]
  const named = sql`SELECT DISTINCT ${kinds.member(0)} AS kind FROM ${kinds.from}`
  const firsts = sql`SELECT p.kind, ${one.member(0)}, ${one.member(1)} FROM (${named}) p ${dialect.joinInOrder} ${one.from} ON TRUE UNION ALL SELECT p.kind, ${next.member(0)}, ${next.member(1)} FROM firsts p ${dialect.joinInOrder} ${next.from} ON TRUE`
  return sql`WITH RECURSIVE firsts (kind, subject, due) AS (${firsts}) SELECT p.kind, min(p.due) FROM firsts p GROUP BY p.kind`
}

/** Counts queued and other jobs separately, because no index has both. */
function countsQuery({ tables: { jobs } }: Dialect): SQL {
  const { kind, state, repositoryId, runAt } = jobs
  const counted = (which: SQL) =>
    sql`SELECT ${kind} AS kind, ${state} AS state, ${repositoryId} AS repository, count(*) AS jobs, min(${runAt}) AS oldest FROM ${jobs} WHERE ${state} ${which} 'queued' GROUP BY ${selected([kind, state, repositoryId])}`
  return sql`SELECT kind, state, repository, jobs, oldest FROM (${counted(sql`=`)} UNION ALL ${counted(sql`<>`)}) c ORDER BY kind, state, repository`
}

/** Reads jobs in a session. */
export function createJobReader(reads: JobReads, session: Session): JobReader {
  return {
    async get(id) {
      session.requireOpen()
      const row = await reads.get.get({ id })
      return row ? decodeJob(row) : null
    },
    async findUnended(key) {
      session.requireOpen()
      const row = await reads.findUnended.get({ key })
      return row ? decodeJob(row) : null
    },
    async list(query) {
      session.requireOpen()
      const rows = await reads.list(query)
      return rows.map(decodeJob)
    },
    async count(query) {
      session.requireOpen()
      return reads.count(query)
    },
    async counts() {
      session.requireOpen()
      const rows = await reads.counts.all()
      return rows.map(([kind, state, repositoryId, count, oldest]): JobCount => {
        return { kind, state, repositoryId, count, oldest }
      })
    },
    async running(limit) {
      session.requireOpen()
      const rows = await reads.running.all({ limit })
      return rows.map(([id, kind, lease, beat]) => ({ id, kind, lease, beat }))
    },
    async nextDue(kinds) {
      session.requireOpen()
      const rows = await reads.nextDue.all({ kinds: listText(kinds.map((kind) => [kind])) })
      return new Map(rows)
    },
  }
}
