import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { checkJobs, type JobFigures } from './check-jobs.ts'
import { onSqlite, type OpenJobService } from './job-service.ts'
import { ask, askOnce, deletedCount, prepare, untilEnded } from './job-tasks.ts'

/** Options of a run. */
export interface JobRun {
  readonly kills: number
  /** What is killed. Default: consecutive processes on SQLite. */
  readonly open?: OpenJobService
  /** Lease of a job in ms, after which it is taken over from a dead process. Default: 500. */
  readonly leaseMs?: number
  /** Ms from the request to the kill. Default: up to 2 500, mostly below 700. */
  readonly killAfter?: () => number
  /**
   * Ms that the remaining jobs may take at the end. The promise is the lease plus 30 s per attempt
   * (TRUST F05). Default: 60 000.
   */
  readonly patienceMs?: number
  /** Called after each kill. */
  readonly reported?: (kills: number) => void
}

/** The result of a run. */
export interface JobReport extends JobFigures {
  readonly kills: number
}

/**
 * Kills a service with SIGKILL while it runs jobs of every kind, and compares jobs with their
 * effects at the end.
 */
export async function runJobs({
  kills,
  open = onSqlite,
  leaseMs = 500,
  killAfter = () => Math.random() ** 2 * 2500,
  patienceMs = 60_000,
  reported,
}: JobRun): Promise<JobReport> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-jobs-'))
  const service = open(folder, leaseMs)
  try {
    await service.prepare(prepare)
    for (let kill = 0; kill < kills; kill++) {
      const call = await service.up()
      await ask(call, { cycle: kill, now: Date.now() + service.ahead })
      await wait(killAfter())
      await service.kill()
      reported?.(kill + 1)
    }
    const call = await service.later()
    const { rows, ahead } = service
    await untilEnded(call, { ahead, patienceMs })
    // The previous job may have been killed in every attempt, and so have failed.
    await askOnce(call)
    await untilEnded(call, { ahead, patienceMs })
    await service.end()
    const figures = await checkJobs(rows, { now: Date.now() + ahead, deleted: deletedCount })
    return { kills, ...figures }
  } finally {
    await service.end()
    await service.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `20 kills, 230 jobs ended: …` */
export function jobSummary({
  kills,
  ended,
  succeeded,
  failed,
  repeated,
  purged,
  findings,
}: JobReport): string {
  return (
    `${kills} kills, ${ended} jobs ended: ${succeeded} succeeded, ${failed} failed, ${repeated} started again; ` +
    `${purged} purged; ${findings.length} findings`
  )
}
