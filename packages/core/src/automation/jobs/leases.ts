import type { Call } from '../../engine/call.ts'
import type { Job, JobProgress, RunningJob } from '../../ports/index.ts'
import type { WorkerParts } from './worker-parts.ts'

/** Who holds which job, as one worker knows it: says of its own that they are done, and watches those of others. */
export interface Leases {
  /** Holds a job: from now on its lease is renewed. `abort` is told when it is lost, or somebody cancels the job. */
  hold(job: Job, abort: AbortController): Holding
  /** Renews what is held where that is due, and takes jobs from workers that are gone. To be called about once a second. */
  look(): Promise<void>
}

/** One job that is held. */
export interface Holding {
  /** Says how far it is, with the next renewal. */
  readonly progress: (progress: JobProgress) => void
  readonly letGo: () => void
}

interface Held {
  readonly job: Job
  readonly abort: AbortController
  progress?: JobProgress | undefined
  /** By the watch of this process, which no change of the clock moves (TRUST F12). */
  renewed: number
}

interface Seen extends RunningJob {
  readonly since: number
}

// Jobs of others that are watched at a time: the others are looked at when these have moved.
const MOST_WATCHED = 10_000

/** Nothing is held yet. */
export function createLeases({ store, leaseMs, callOf, handlers, report }: WorkerParts): Leases {
  const held = new Map<string, Held>()
  let seen = new Map<string, Seen>()
  let looking: Promise<void> | undefined
  const look = async () => {
    const now = performance.now()
    await renew(callOf(null), dueAmong([...held.values()], { now, leaseMs }))
    const others = (await store.jobs.running(MOST_WATCHED)).filter(
      ({ id, kind }) => handlers.has(kind) && !held.has(id),
    )
    seen = new Map(others.map((job) => [job.id, watched(seen.get(job.id), job, now)]))
    const lost = [...seen.values()].filter(({ since }) => now - since >= leaseMs)
    if (lost.length === 0) return
    await callOf(null).write(async ({ store, now: at }) => {
      for (const job of lost) {
        const error = handlers.get(job.kind)?.lost ?? 'Its worker was gone before it was done.'
        await store.jobs.release(job, { at, error })
      }
    })
  }
  return {
    hold(job, abort) {
      const own: Held = { job, abort, renewed: performance.now() }
      held.set(job.id, own)
      return {
        progress: (progress) => void (own.progress = progress),
        letGo: () => void held.delete(job.id),
      }
    },
    look() {
      looking ??= look()
        .catch(report)
        .finally(() => {
          looking = undefined
        })
      return looking
    },
  }
}

/** Those that say something new, or have said nothing for a third of the time in which others would take them. */
function dueAmong(
  held: readonly Held[],
  { now, leaseMs }: { now: number; leaseMs: number },
): readonly Held[] {
  return held.filter(({ progress, renewed }) => progress !== undefined || now - renewed >= leaseMs / 3)
}

async function renew(call: Call, due: readonly Held[]): Promise<void> {
  if (due.length === 0) return
  await call.write(
    async ({ store }) => {
      for (const own of due) {
        const { job, progress } = own
        own.progress = undefined
        own.renewed = performance.now()
        const stored = await store.jobs.beat(job.id, job.lease, progress)
        if (!stored || stored.isCancelling) own.abort.abort()
      }
    },
    { synced: false },
  )
}

/** What was seen of a job, since when it stands still. */
function watched(before: Seen | undefined, job: RunningJob, now: number): Seen {
  const isStill = before?.lease === job.lease && before.beat === job.beat
  return { ...job, since: isStill ? before.since : now }
}
