import type { Running } from '../../engine/call.ts'
import type { Environment } from '../../engine/environment.ts'
import type { JobHandler } from '../../engine/job.ts'
import { systemCall } from '../../engine/system-call.ts'
import type { JobDispatch } from '../../ports/index.ts'
import { enqueueSchedules } from './schedules.ts'
import { createWorker, type Worker } from './worker.ts'

export interface JobOptions {
  /** Whether this process runs jobs, or only queues them. Default: `here`. */
  readonly jobs?: 'here' | 'elsewhere'
  /** Lease timeout in milliseconds. Default: 30 000. */
  readonly leaseMs?: number
}

/**
 * Default lease timeout. With half of it, a process whose thread is blocked for long would count as
 * dead.
 */
const LEASE_MS = 30_000

interface WorkerOptions extends JobOptions {
  /** By kind of job. */
  readonly handlers: ReadonlyMap<string, JobHandler>
}

/**
 * Creates the worker of an engine. It is not started; with `jobs: 'elsewhere'` it never runs a job.
 */
export function openJobs(
  running: Running,
  { jobs = 'here', leaseMs = LEASE_MS, handlers }: WorkerOptions,
): Worker {
  const isHere = jobs === 'here'
  const { environment } = running
  const { store } = environment
  const call = (name: string, requestId?: string) => systemCall(running, name, requestId)
  const worker = createWorker({
    store,
    callOf: (job) => call(job?.kind ?? 'jobs', job?.id),
    handlers: isHere ? handlers : new Map(),
    leaseMs,
    ...(isHere && { maintain: () => enqueueSchedules(call('schedules')) }),
    report: createReport(environment),
  })
  return isHere && store.dispatch ? wakeOnDispatch(worker, store.dispatch) : worker
}

/**
 * Milliseconds for which a repeated error is not logged again. A worker polls every second, and its
 * log may go to the very disk that is full.
 */
const REPEAT_MS = 60_000

function createReport({ log, clock }: Environment): (error: unknown) => void {
  let last = { message: '', until: 0 }
  return (error) => {
    const message = String(error)
    if (message === last.message && clock.now() < last.until) return
    last = { message, until: clock.now() + REPEAT_MS }
    log.write('error', 'jobs.failed', { message })
  }
}

/** From start to stop, the worker also wakes when any process queues a job. */
function wakeOnDispatch(worker: Worker, dispatch: JobDispatch): Worker {
  let unsubscribe = () => undefined as void
  return {
    ...worker,
    start() {
      unsubscribe()
      unsubscribe = dispatch.follow(() => worker.wake())
      worker.start()
    },
    stop() {
      unsubscribe()
      return worker.stop()
    },
  }
}
