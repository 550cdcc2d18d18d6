import type { Running } from '../../engine/call.ts'
import type { Environment } from '../../engine/environment.ts'
import type { JobHandler } from '../../engine/job.ts'
import { systemCall } from '../../engine/system-call.ts'
import type { JobDispatch } from '../../ports/index.ts'
import { storeSchedules } from './schedules.ts'
import { createWorker, type Worker } from './worker.ts'

/** Whether jobs are done in this process, and for how long one is left to a process that says nothing of it. */
export interface JobOptions {
  readonly jobs?: 'here' | 'elsewhere'
  readonly leaseMs?: number
}

/** A job of which nothing was said for so long, in ms, has lost its worker. At half, a thread that stands still for long looks dead. */
const LEASE_MS = 30_000

interface WorkerOptions extends JobOptions {
  /** How each kind of job is done. */
  readonly handlers: ReadonlyMap<string, JobHandler>
}

/** The worker of an engine. */
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
    ...(isHere && { beside: () => storeSchedules(call('schedules')) }),
    report: sparing(environment),
  })
  return isHere && store.dispatch ? following(worker, store.dispatch) : worker
}

/** Ms for which the same failure is not told again: a worker looks every second, and what it tells may fill the disk that is full. */
const SPARED_MS = 60_000

function sparing({ log, clock }: Environment): (error: unknown) => void {
  let last = { message: '', until: 0 }
  return (error) => {
    const message = String(error)
    if (message === last.message && clock.now() < last.until) return
    last = { message, until: clock.now() + SPARED_MS }
    log.write('error', 'jobs.failed', { message })
  }
}

/** The worker, which from its start to its stop looks also when it is told of jobs that any process queued. */
function following(worker: Worker, dispatch: JobDispatch): Worker {
  let leave = () => undefined as void
  return {
    ...worker,
    start() {
      leave()
      leave = dispatch.follow(() => worker.wake())
      worker.start()
    },
    stop() {
      leave()
      return worker.stop()
    },
  }
}
