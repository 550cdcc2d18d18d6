import type { Environment } from '../call/environment.ts'
import type { Memo } from '../call/memo.ts'
import type { Shared } from '../call/shared.ts'
import { systemCall } from '../call/system-call.ts'
import type { JobDispatch, Store } from '../ports/index.ts'
import { queueingDeliveries } from '../webhooks/fan-out.ts'
import { createHandlers } from './handlers.ts'
import { keepSchedules } from './schedules.ts'
import { waking } from './waking.ts'
import { createWorker, type Worker } from './worker.ts'

/** What the queue of an engine is made of. */
export interface JobParts {
  readonly environment: Environment
  readonly memo: Memo
  readonly shared: Shared
  readonly jobs?: 'here' | 'elsewhere'
  readonly leaseMs?: number
}

/** A job of which nothing was said for so long, in ms, has lost its worker. At half, a thread that stands still for long looks dead. */
const LEASE_MS = 30_000

/** The queue of an engine: its worker, and the store through which everything that is queued is noticed. */
export function openJobs({ environment, memo, shared, jobs = 'here', leaseMs = LEASE_MS }: JobParts): {
  readonly worker: Worker
  readonly store: Store
} {
  const isHere = jobs === 'here'
  const queue = isHere ? waking(environment.store, () => worker.wake()) : environment.store
  const store = queueingDeliveries(queue, () => call('webhooks'))
  const running = { environment: { ...environment, store }, memo, shared }
  const call = (name: string, requestId?: string) => systemCall(running, name, requestId)
  const worker = createWorker({
    store,
    callOf: (job) => call(job?.kind ?? 'jobs', job?.id),
    handlers: isHere ? createHandlers() : new Map(),
    leaseMs,
    ...(isHere && { beside: () => keepSchedules(call('schedules')) }),
    report: (error) => environment.log.write('error', 'jobs.failed', { message: String(error) }),
  })
  const { dispatch } = environment.store
  return { worker: isHere && dispatch ? following(worker, dispatch) : worker, store }
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
