import type { JobDispatch } from '@quire/core/ports'
import { PgBoss } from 'pg-boss'
import { type Target, clientConfig, patience } from './connect.ts'
import { translate } from './postgres-error.ts'

/** Tells of jobs by pg-boss, whose tables stand in the schema of the store. */
export interface Dispatcher extends JobDispatch {
  /** Brings the tables of pg-boss to the version that it knows. Errors: StoreUnavailable. */
  start(): Promise<void>
  /** Tells of jobs once the transaction is committed in which `run` runs statements. */
  tell(jobs: readonly string[], run: RunText): Promise<void>
  stop(): Promise<void>
}

/** Runs a statement in a transaction, whose rows nobody asks for. */
export type RunText = (text: string, values: readonly string[]) => Promise<void>

/** The queue of pg-boss in which a message stands for each job. */
const queue = 'jobs'

/**
 * What is told is told once, within its minute: after that whoever looks has found the job. Nothing of it is worth keeping; pg-boss deletes
 * what has ended, and after an hour what nobody fetched.
 */
const queueOptions = {
  notify: true,
  retryLimit: 0,
  expireInSeconds: 60,
  deleteAfterSeconds: 60,
  retentionSeconds: 3_600,
}

/** How messages are fetched: at once when one comes, in batches while more are there. At twice the size, one process is woken where two would be. */
const fetching = { batchSize: 32, burstWhenBatchFull: true, pollingIntervalSeconds: 2 }

/** Prepares them, over a connection for messages and one that listens. */
export function createDispatcher(target: Target): Dispatcher {
  const boss = new PgBoss(configOf(target))
  // Of a fetch that failed: it is tried again, and what was told is found by looking meanwhile.
  boss.on('error', () => undefined)
  return {
    async start() {
      try {
        await boss.start()
        await boss.createQueue(queue, queueOptions)
      } catch (error) {
        throw translate(error)
      }
    },
    async tell(jobs, run) {
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
    },
    follow(wake) {
      const begun = boss.work(queue, fetching, async () => wake())
      // It fails once the store is closed: then nobody is woken any more.
      begun.catch(() => undefined)
      return () => void begun.then((id) => boss.offWork(queue, { id, wait: false })).catch(() => undefined)
    },
    stop: () => boss.stop({ graceful: false }),
  }
}

/**
 * One connection for messages, whose commits do not wait for the disk: what is lost of them is told twice. No schedules, and nothing that watches
 * the database: jobs that come again and again are jobs like others.
 */
function configOf(target: Target) {
  const { types: _ours, options, ...config } = clientConfig(target, patience.read)
  return {
    ...config,
    options: `${options} -c synchronous_commit=off`,
    schema: target.schema,
    max: 1,
    createSchema: false,
    useListenNotify: true,
    schedule: false,
    registerInstance: false,
    persistWarnings: false,
    monitorVacuum: false,
  }
}
