import type { Call } from '../../engine/call.ts'
import type { Job, JobProgress, RunningJob } from '../../ports/index.ts'
import type { WorkerParts } from './worker-parts.ts'

/**
 * The leases of one worker: it renews those of its own jobs, and watches the jobs of other workers
 * for lost leases.
 */
export interface Leases {
  /**
   * Renews the lease of a job from now on. `abort` is called when the lease is lost or somebody
   * cancels the job.
   */
  hold(job: Job, abort: AbortController): Lease
  /**
   * Renews own leases that are due, and takes over jobs whose worker is gone. To be called about
   * once a second.
   */
  check(): Promise<void>
}

/** The lease of one job. */
export interface Lease {
  /** Reports progress. It is stored with the next renewal, which it makes due. */
  readonly progress: (progress: JobProgress) => void
  /** Stops renewing. */
  readonly release: () => void
}

interface HeldJob {
  readonly job: Job
  readonly abort: AbortController
  progress?: JobProgress | undefined
  /**
   * On the monotonic clock of this process, which changes of the system clock do not affect
   * (TRUST F12).
   */
  renewed: number
}

interface WatchedJob extends RunningJob {
  /** When its heartbeat was first seen unchanged, on the monotonic clock. */
  readonly since: number
}

// Jobs of other workers that are watched at a time. Any further ones are watched once these have
// ended.
const MOST_WATCHED = 10_000

/** Creates the leases of a worker that holds no job yet. */
export function createLeases({ store, leaseMs, callOf, handlers, report }: WorkerParts): Leases {
  const held = new Map<string, HeldJob>()
  let watched = new Map<string, WatchedJob>()
  let checking: Promise<void> | undefined
  const check = async () => {
    const now = performance.now()
    await renew(callOf(null), findDue([...held.values()], { now, leaseMs }))
    const others = (await store.jobs.running(MOST_WATCHED)).filter(
      ({ id, kind }) => handlers.has(kind) && !held.has(id),
    )
    watched = new Map(others.map((job) => [job.id, watch(watched.get(job.id), job, now)]))
    const lost = [...watched.values()].filter(({ since }) => now - since >= leaseMs)
    if (lost.length === 0) return
    await callOf(null).write(async ({ store, now: at }) => {
      for (const job of lost) {
        const error = handlers.get(job.kind)?.lost ?? 'Its worker was lost before the job ended.'
        await store.jobs.release(job, { at, error })
      }
    })
  }
  return {
    hold(job, abort) {
      const own: HeldJob = { job, abort, renewed: performance.now() }
      held.set(job.id, own)
      return {
        progress: (progress) => void (own.progress = progress),
        release: () => void held.delete(job.id),
      }
    },
    check() {
      checking ??= check()
        .catch(report)
        .finally(() => {
          checking = undefined
        })
      return checking
    },
  }
}

/** Jobs with new progress, and jobs that were last renewed a third of the lease timeout ago. */
function findDue(
  held: readonly HeldJob[],
  { now, leaseMs }: { now: number; leaseMs: number },
): readonly HeldJob[] {
  return held.filter(({ progress, renewed }) => progress !== undefined || now - renewed >= leaseMs / 3)
}

async function renew(call: Call, due: readonly HeldJob[]): Promise<void> {
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

function watch(before: WatchedJob | undefined, job: RunningJob, now: number): WatchedJob {
  const isUnchanged = before?.lease === job.lease && before.beat === job.beat
  return { ...job, since: isUnchanged ? before.since : now }
}
