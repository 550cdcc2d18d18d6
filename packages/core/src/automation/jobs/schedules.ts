import type { Call, WriteCall } from '../../engine/call.ts'
import { newJob } from '../../engine/job.ts'
import type { Job, Transaction } from '../../ports/index.ts'

/** A job that the service runs by itself at intervals. */
export interface Schedule {
  readonly kind: string
  /** Milliseconds from the end of one run to the start of the next. */
  readonly everyMs: number
  /** Whether the first run waits for one interval as well, because a new queue needs none. */
  readonly startsLate?: true
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** To add a schedule, add a line here and a handler for its kind. */
export const schedules: readonly Schedule[] = [
  { kind: 'ephemera.sweep', everyMs: hourMs },
  { kind: 'jobs.sweep', everyMs: hourMs, startsLate: true },
  { kind: 'keys.turn', everyMs: hourMs },
  { kind: 'uploads.sweep', everyMs: hourMs },
  { kind: 'usage.fold', everyMs: hourMs },
  { kind: 'items.purge', everyMs: hourMs },
  { kind: 'blobs.sweep', everyMs: dayMs },
  { kind: 'blobs.scrub', everyMs: 7 * dayMs },
]

/**
 * Ensures that the next job of every schedule is in the queue. It is due one interval after the
 * last one ended, or at once if there was none and the schedule does not start late. Concurrent
 * calls, also from several processes, still queue one job per schedule, because its key is unique.
 */
export async function enqueueSchedules(call: Call): Promise<void> {
  const missing: Schedule[] = []
  for (const schedule of schedules)
    if (!isOnTime(call, schedule, await call.store.jobs.findUnended(schedule.kind))) missing.push(schedule)
  if (missing.length === 0) return
  await call.write(async (call) => {
    for (const schedule of missing) await enqueueNext(call, schedule)
  })
}

/**
 * Whether the job is running, or due within one interval. A job queued while the clock was years
 * ahead is not.
 */
function isOnTime({ now }: Call, { everyMs }: Schedule, job: Job | null): boolean {
  return job !== null && (job.state !== 'queued' || job.runAt <= now + everyMs)
}

async function enqueueNext(call: WriteCall, schedule: Schedule): Promise<void> {
  const { kind, everyMs, startsLate } = schedule
  const unended = await call.store.jobs.findUnended(kind)
  if (isOnTime(call, schedule, unended)) return
  if (unended) await call.store.jobs.cancel(unended.id, call.now)
  const last = await findLastEnd(call.store, kind)
  const runAt = last === null && !startsLate ? call.now : Math.min(last ?? call.now, call.now) + everyMs
  await call.enqueue(newJob(call, { kind, key: kind, maxAttempts: 3, runAt }))
}

/** When the last job of a kind ended, in Unix ms; null if there never was one. */
async function findLastEnd({ jobs }: Transaction, kind: string): Promise<number | null> {
  const [newest] = await jobs.list({ kind, limit: 1 })
  return newest?.finishedAt ?? null
}
