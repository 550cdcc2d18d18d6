import type { Call, WriteCall } from '../../engine/call.ts'
import { newJob } from '../../engine/job.ts'
import type { Job, Transaction } from '../../ports/index.ts'

/** A job of the service that comes again and again. */
export interface Schedule {
  readonly kind: string
  /** Ms between the end of one and the begin of the next. */
  readonly everyMs: number
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** What the service does by itself. A new one costs one line here. */
export const schedules: readonly Schedule[] = [
  { kind: 'ephemera.sweep', everyMs: hourMs },
  { kind: 'jobs.sweep', everyMs: hourMs },
  { kind: 'keys.turn', everyMs: hourMs },
  { kind: 'uploads.sweep', everyMs: hourMs },
  { kind: 'usage.fold', everyMs: hourMs },
  { kind: 'items.purge', everyMs: hourMs },
  { kind: 'blobs.sweep', everyMs: dayMs },
  { kind: 'blobs.scrub', everyMs: 7 * dayMs },
]

/**
 * Sees to it that the next job of every schedule is in the queue: due so long after the last one ended, at once where there was none. Concurrent calls, of
 * several processes too: one job of each is in the queue, by its key.
 */
export async function storeSchedules(call: Call): Promise<void> {
  const missing: Schedule[] = []
  for (const schedule of schedules)
    if (!isInTime(call, schedule, await call.store.jobs.findUnended(schedule.kind))) missing.push(schedule)
  if (missing.length === 0) return
  await call.write(async (call) => {
    for (const schedule of missing) await enqueueNext(call, schedule)
  })
}

/** Whether a job of the schedule is under way, or due in time: one that was queued while the clock was years ahead is not. */
function isInTime({ now }: Call, { everyMs }: Schedule, job: Job | null): boolean {
  return job !== null && (job.state !== 'queued' || job.runAt <= now + everyMs)
}

async function enqueueNext(call: WriteCall, schedule: Schedule): Promise<void> {
  const { kind, everyMs } = schedule
  const unended = await call.store.jobs.findUnended(kind)
  if (isInTime(call, schedule, unended)) return
  if (unended) await call.store.jobs.cancel(unended.id, call.now)
  const last = await lastEnd(call.store, kind)
  const runAt = last === null ? call.now : Math.min(last, call.now) + everyMs
  await call.enqueue(newJob(call, { kind, key: kind, maxAttempts: 3, runAt }))
}

/** When the last job of a kind ended, in Unix ms; null when there never was one. */
async function lastEnd({ jobs }: Transaction, kind: string): Promise<number | null> {
  const [newest] = await jobs.list({ kind, limit: 1 })
  return newest?.finishedAt ?? null
}
