import { type JobEnd, type JobWriter, type NewJob, newJobState } from '@quire/core/ports'
import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { Prepared, SqlValues, SqlWriteDriver } from '../driver.ts'
import { insertInto, names } from '../row-of.ts'
import type { Layer } from '../layer.ts'
import { claimJobs, prepareClaim } from './job-claim.ts'
import { type JobReads, createJobReader } from './job-reads.ts'
import { type JobRow, decodeJob, formatProgress, jobColumns, newJobColumns, newJobValues } from './job-row.ts'

export type JobWrites = ReturnType<typeof prepareJobWrites>

export function prepareJobWrites(driver: SqlWriteDriver, dialect: Dialect) {
  const { jobs } = dialect.tables
  const { id, kind, key, finishedAt } = jobs
  return {
    enqueue: driver.prepare<never>(
      sql`${insertInto(jobs, newJobColumns(dialect.tables))} ON CONFLICT (${names([key])}) WHERE ${names([key])} IS NOT NULL AND ${names([finishedAt])} IS NULL DO NOTHING`,
    ),
    claim: prepareClaim(driver, dialect),
    ...prepareHeld(driver, dialect),
    ...prepareOthers(driver, dialect),
    sweep: driver.prepare<never>(
      sql`DELETE FROM ${jobs} WHERE ${id} IN (SELECT ${id} FROM ${jobs} WHERE ${kind} = ${sql.placeholder('kind')} AND ${finishedAt} < ${sql.placeholder('before')} ORDER BY ${finishedAt} LIMIT ${sql.placeholder('limit')})`,
    ),
  }
}

type Updating = (change: SQL, where: SQL) => SQL

/**
 * Builds an update of one job that runs only if the condition holds, and returns the changed row.
 */
function updating({ tables }: Dialect): Updating {
  const { jobs } = tables
  return (change, where) =>
    sql`UPDATE ${jobs} SET ${change} WHERE ${jobs.id} = ${sql.placeholder('id')} AND ${where} RETURNING ${names(jobColumns(tables))}`
}

/** Updates that only the holder of the current lease may make. */
function prepareHeld(driver: SqlWriteDriver, dialect: Dialect) {
  const { state, runAt, finishedAt, error, result, progress, lease, beat, attempts, maxAttempts } =
    dialect.tables.jobs
  const update = updating(dialect)
  const at = sql.placeholder('at')
  const held = sql`${state} = 'running' AND ${lease} = ${sql.placeholder('lease')}`
  const unmoved = sql`${held} AND ${beat} = ${sql.placeholder('beat')}`
  const given = sql`${names([error])} = ${sql.placeholder('error')}`
  return {
    beat: driver.prepare<JobRow>(
      update(
        sql`${names([beat])} = ${beat} + 1, ${names([progress])} = coalesce(${sql.placeholder('progress')}, ${progress})`,
        held,
      ),
    ),
    end: driver.prepare<JobRow>(
      update(
        sql`${names([state])} = ${sql.placeholder('state')}, ${names([finishedAt])} = ${at}, ${given}, ${names([result])} = ${sql.placeholder('result')}`,
        held,
      ),
    ),
    putBack: driver.prepare<JobRow>(
      update(sql`${names([state])} = 'queued', ${names([runAt])} = ${at}, ${given}`, held),
    ),
    releaseToQueue: driver.prepare<JobRow>(
      update(sql`${names([state])} = 'queued'`, sql`${unmoved} AND ${attempts} < ${maxAttempts}`),
    ),
    releaseAsFailed: driver.prepare<JobRow>(
      update(
        sql`${names([state])} = 'failed', ${names([finishedAt])} = ${at}, ${given}`,
        sql`${unmoved} AND ${attempts} >= ${maxAttempts}`,
      ),
    ),
  }
}

/** Updates that people request. */
function prepareOthers(driver: SqlWriteDriver, dialect: Dialect) {
  const { jobs } = dialect.tables
  const { state, key, runAt, finishedAt, error, result, cancelling, attempts, maxAttempts } = jobs
  const update = updating(dialect)
  const anew = sql`${names([state])} = 'queued', ${names([runAt])} = ${sql.placeholder('runAt')}, ${names([maxAttempts])} = ${attempts} + 1, ${names([finishedAt])} = NULL, ${names([error])} = NULL, ${names([result])} = NULL, ${names([cancelling])} = 0`
  const other = sql`SELECT 1 FROM ${jobs} o WHERE o.${names([key])} = ${key} AND o.${names([finishedAt])} IS NULL`
  return {
    cancelQueued: driver.prepare<JobRow>(
      update(
        sql`${names([state])} = 'cancelled', ${names([finishedAt])} = ${sql.placeholder('at')}`,
        sql`${state} = 'queued'`,
      ),
    ),
    cancelRunning: driver.prepare<JobRow>(update(sql`${names([cancelling])} = 1`, sql`${state} = 'running'`)),
    retry: driver.prepare<JobRow>(
      update(anew, sql`${state} IN ('failed', 'cancelled') AND NOT EXISTS (${other})`),
    ),
  }
}

/** Reads and writes jobs in a transaction. */
export function createJobWriter(
  { reads, writes }: { reads: JobReads; writes: JobWrites },
  layer: Layer,
): JobWriter {
  const reader = createJobReader(reads, layer)
  const change = async (statement: Prepared<JobRow>, values: SqlValues) => {
    layer.requireOpen()
    const row = await statement.get(values)
    return row ? decodeJob(row) : null
  }
  return {
    ...reader,
    async enqueue(job: NewJob) {
      layer.requireOpen()
      for (;;) {
        const added = await writes.enqueue.run(newJobValues(job))
        if (added > 0 && job.runAt <= job.createdAt) layer.queued.add([job.id])
        if (added > 0 || job.key === null) return { ...job, ...newJobState }
        const joined = await reader.findUnended(job.key)
        // The other job may have ended since the insert.
        if (joined) return joined
      }
    },
    async claim(claim) {
      layer.requireOpen()
      return claimJobs(writes.claim, claim)
    },
    beat: (id, lease, progress) =>
      change(writes.beat, { id, lease, progress: progress ? formatProgress(progress) : null }),
    async finish(end) {
      layer.requireOpen()
      return (await ending(writes, end)) !== undefined
    },
    release: async ({ id, lease, beat }, { at, error }) =>
      (await change(writes.releaseToQueue, { id, lease, beat })) ??
      change(writes.releaseAsFailed, { id, lease, beat, at, error }),
    cancel: async (id, at) =>
      (await change(writes.cancelQueued, { id, at })) ?? change(writes.cancelRunning, { id }),
    async retry(id, runAt) {
      const retried = await change(writes.retry, { id, runAt })
      if (retried) layer.queued.add([id])
      return retried
    },
    async sweep(query) {
      layer.requireOpen()
      return writes.sweep.run({ ...query })
    },
  }
}

function ending(
  { putBack, end }: JobWrites,
  { state, result, ...given }: JobEnd,
): Promise<JobRow | undefined> {
  if (state === 'queued') return putBack.get(given)
  return end.get({ ...given, state, result: result && JSON.stringify(result) })
}
