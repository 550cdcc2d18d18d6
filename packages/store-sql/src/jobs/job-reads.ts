import type { JobCount, JobReader } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { listText } from '../list-text.ts'
import { type RowOf, selected } from '../row-of.ts'
import type { Session } from '../session.ts'
import { prepareJobList } from './job-list.ts'
import { type JobRow, decodeJob, jobColumns } from './job-row.ts'

/** The reads of jobs. */
export type JobReads = ReturnType<typeof prepareJobReads>

/** Prepares the reads of jobs; `heavy` counts them. */
export function prepareJobReads(driver: SqlDriver, dialect: Dialect, heavy: SqlDriver = driver) {
  const { jobs } = dialect.tables
  const { id, kind, state, repositoryId, key, runAt, finishedAt, lease, beat } = jobs
  const job = sql`SELECT ${selected(jobColumns(dialect.tables))} FROM ${jobs} WHERE`
  const running = [id, kind, lease, beat] as const
  const kinds = dialect.rowsOf(sql.placeholder('kinds'))
  const due = sql`(SELECT min(${runAt}) FROM ${jobs} WHERE ${kind} = ${kinds.member(0)} AND ${state} = 'queued')`
  const group = selected([kind, state, repositoryId])
  return {
    list: prepareJobList(driver, dialect),
    get: driver.prepare<JobRow>(sql`${job} ${id} = ${sql.placeholder('id')}`),
    findUnended: driver.prepare<JobRow>(
      sql`${job} ${key} = ${sql.placeholder('key')} AND ${finishedAt} IS NULL`,
    ),
    running: driver.prepare<RowOf<typeof running>>(
      sql`SELECT ${selected(running)} FROM ${jobs} WHERE ${state} = 'running' ORDER BY ${id} LIMIT ${sql.placeholder('limit')}`,
    ),
    nextDue: driver.prepare<readonly [string, number | null]>(
      sql`SELECT ${kinds.member(0)}, ${due} FROM ${kinds.from}`,
    ),
    counts: heavy.prepare<
      readonly [...RowOf<readonly [typeof kind, typeof state, typeof repositoryId]>, number, number]
    >(sql`SELECT ${group}, count(*), min(${runAt}) FROM ${jobs} GROUP BY ${group} ORDER BY ${group}`),
  }
}

/** Jobs as a session reads them. */
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
      return new Map(rows.flatMap(([kind, due]) => (due === null ? [] : [[kind, due] as const])))
    },
  }
}
