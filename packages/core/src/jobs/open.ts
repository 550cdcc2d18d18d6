import type { Environment } from '../call/environment.ts'
import type { Memo } from '../call/memo.ts'
import type { Shared } from '../call/shared.ts'
import { systemCall } from '../call/system-call.ts'
import type { Peers, Store } from '../ports/index.ts'
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

/** What a process tells the others that queued a job and does none itself. */
const topic = 'queued'

/** The queue of an engine: its worker, and the store through which everything that is queued is noticed. */
export function openJobs({ environment, memo, shared, jobs = 'here', leaseMs = LEASE_MS }: JobParts): {
  readonly worker: Worker
  readonly store: Store
} {
  const { peers } = environment
  const queue = waking(environment.store, () => (jobs === 'here' ? worker.wake() : peers?.tell(topic, '')))
  const store = queueingDeliveries(queue, () => call('webhooks'))
  const running = { environment: { ...environment, store }, memo, shared }
  const call = (name: string, requestId?: string) => systemCall(running, name, requestId)
  const worker = createWorker({
    store,
    callOf: (job) => call(job?.kind ?? 'jobs', job?.id),
    handlers: jobs === 'here' ? createHandlers() : new Map(),
    leaseMs,
    ...(jobs === 'here' && { beside: () => keepSchedules(call('schedules')) }),
    report: (error) => environment.log.write('error', 'jobs.failed', { message: String(error) }),
  })
  return { worker: jobs === 'here' && peers ? hearing(worker, peers) : worker, store }
}

/** The worker, which once it was started looks also when another process says that it queued something. */
function hearing(worker: Worker, peers: Peers): Worker {
  let deaf = () => undefined as void
  return {
    ...worker,
    start() {
      deaf()
      deaf = peers.hear(topic, () => worker.wake())
      worker.start()
    },
    stop() {
      deaf()
      return worker.stop()
    },
  }
}
