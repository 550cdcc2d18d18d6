import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { checkJobs, type JobFigures } from './check-jobs.ts'
import { onSqlite, type OpenJobService } from './job-service.ts'
import { ask, askOnce, deletedCount, prepare, untilEnded } from './job-tasks.ts'

/** How often to kill a service while it does jobs. */
export interface JobRun {
  readonly kills: number
  /** What is killed. Default: one process after the other on SQLite. */
  readonly open?: OpenJobService
  /** Ms after which a job is taken from a service that is gone. Default: 500. */
  readonly leaseMs?: number
  /** Ms from what is asked for to the kill. Default: up to 2 500, most of them below 700. */
  readonly killAfter?: () => number
  /** Ms that the end may take: promised are the lease and 30 s for each begin (TRUST F05). Default: 60 000. */
  readonly patienceMs?: number
  /** Told after each kill. */
  readonly reported?: (kills: number) => void
}

/** What came of it. */
export interface JobReport extends JobFigures {
  readonly kills: number
}

/** Kills a service with SIGKILL while it does jobs of every kind, and at the end compares jobs with what they have done. */
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
    // The one before may have been killed as often as it may be begun: then it has failed.
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
    `${kills} kills, ${ended} jobs ended: ${succeeded} succeeded, ${failed} failed, ${repeated} begun again; ` +
    `${purged} purged; ${findings.length} findings`
  )
}
