import { setTimeout as sleep } from 'node:timers/promises'
import type { JobDispatch } from '@quire/core/ports'
import { PgBoss } from 'pg-boss'
import { type Target, clientConfig, patience } from './connect.ts'
import { translate } from './postgres-error.ts'

/** Tells of jobs by pg-boss, whose tables stand in the schema of the store. */
export interface Dispatcher extends JobDispatch {
  /** Brings the tables of pg-boss to the version that it knows. Errors: StoreUnavailable. */
  start(): Promise<void>
  /** Tells of jobs once the transaction is committed in which `run` runs statements. Errors: what `run` fails with. */
  post(jobs: readonly string[], run: RunText): Promise<void>
  /** To be called when a transaction failed that told of jobs: somebody may have removed the queue, and the next one finds it again. */
  repair(): void
  /** Lets go of whoever follows, and of the connections: waits for these some seconds at most. */
  stop(): Promise<void>
}

/** Runs a statement in a transaction, whose rows nobody asks for. */
export type RunText = (text: string, values: readonly string[]) => Promise<void>

/** The queue of pg-boss in which a message stands for each job. */
const queue = 'jobs'

/** What is told is told once: whoever looks finds the job as well. Nothing of a message is worth keeping, nor one that nobody fetched for an hour. */
const queueOptions = {
  notify: true,
  retryLimit: 0,
  expireInSeconds: 60,
  deleteAfterSeconds: 60,
  retentionSeconds: 3_600,
}

/** How messages are fetched: when one comes, in batches while more are there; every two seconds where it cannot listen. At twice the size, one process is woken where two would be. */
const fetching = { batchSize: 32, burstWhenBatchFull: true, pollingIntervalSeconds: 2 }

/** Ms for the connections to end: one that is cut without a word says nothing any more. */
const STOP_MS = 5_000

/** Prepares them, over a connection for messages and one that listens. */
export function createDispatcher(target: Target): Dispatcher {
  const boss = new PgBoss(configOf(target))
  // Of a fetch that failed: it is tried again, and what was told is found by looking meanwhile.
  boss.on('error', () => undefined)
  const post = async (jobs: readonly string[], run: RunText) => {
    const db = {
      async executeSql(text: string, values: unknown[] = []) {
        await run(text, values.map(String))
        return { rows: [] }
      },
    }
    await boss.insert(
      queue,
      jobs.map((id) => ({ data: { id } })),
      { db },
    )
  }
  return {
    async start() {
      try {
        await boss.start()
        await boss.createQueue(queue, queueOptions)
        // What pg-boss has to know of the queue it knows from here on: it asks for nothing in the middle of a transaction.
        await post([], async () => undefined)
      } catch (error) {
        throw translate(error)
      }
    },
    post,
    repair: () => void boss.createQueue(queue, queueOptions).catch(() => undefined),
    follow(wake) {
      const begun = boss.work(queue, fetching, async () => wake())
      // It fails once the store is closed: then nobody is woken any more.
      begun.catch(() => undefined)
      return () => void begun.then((id) => boss.offWork(queue, { id, wait: false })).catch(() => undefined)
    },
    stop: () => Promise.race([boss.stop({ graceful: false }), sleep(STOP_MS, undefined, { ref: false })]),
  }
}

/**
 * One connection for messages, whose commits do not wait for the disk: what is lost of them is told twice. Messages that are done with are removed every
 * minute. No schedules and no flows: jobs that come again and again are jobs like others.
 */
function configOf(target: Target) {
  const { types: _ours, options, ...config } = clientConfig(target, patience.heavy)
  return {
    ...config,
    options: `${options} -c synchronous_commit=off`,
    schema: target.schema,
    max: 1,
    createSchema: false,
    useListenNotify: true,
    maintenanceIntervalSeconds: 60,
    flowIntervalSeconds: 86_400,
    schedule: false,
    registerInstance: false,
    persistWarnings: false,
    monitorVacuum: false,
  }
}
