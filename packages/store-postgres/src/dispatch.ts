import { setTimeout as sleep } from 'node:timers/promises'
import type { JobDispatch } from '@quire/core/ports'
import { PgBoss } from 'pg-boss'
import { type Target, clientConfig, patience } from './connect.ts'
import { translate } from './postgres-error.ts'

/** Announces jobs through pg-boss, whose tables are in the schema of the store. */
export interface Dispatcher extends JobDispatch {
  /** Upgrades the tables of pg-boss to its version. Errors: StoreUnavailable. */
  start(): Promise<void>
  /**
   * Announces jobs within the transaction that `run` writes to, so that they are sent when it
   * commits. Errors: those of `run`.
   */
  post(jobs: readonly string[], run: RunText): Promise<void>
  /**
   * Call when a transaction that announced jobs failed. The queue may have been deleted; this
   * creates it again for the next one.
   */
  repair(): void
  /** Releases all followers and the connections. Waits some seconds at most. */
  stop(): Promise<void>
}

/** Runs a statement in a transaction, without returning rows. */
export type RunText = (text: string, values: readonly string[]) => Promise<void>

/** The pg-boss queue with a message for each job. */
const queue = 'jobs'

/**
 * Messages are never redelivered, because workers also find jobs by polling. For the same reason
 * they are deleted soon: a minute after delivery, or after an hour without a recipient.
 */
const queueOptions = {
  notify: true,
  retryLimit: 0,
  expireInSeconds: 60,
  deleteAfterSeconds: 60,
  retentionSeconds: 3_600,
}

/**
 * Messages are fetched when one arrives, and in batches while there are more; every two seconds
 * where LISTEN does not work. With larger batches, one process is woken where two would be.
 */
const fetching = { batchSize: 32, burstWhenBatchFull: true, pollingIntervalSeconds: 2 }

/** How long to wait for the connections to end, in ms: a silently cut one never responds. */
const STOP_MS = 5_000

/** Prepares a dispatcher with two connections: one for messages, one that listens. */
export function createDispatcher(target: Target): Dispatcher {
  const boss = new PgBoss(configOf(target))
  // A failed fetch is retried, and jobs are found by polling meanwhile.
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
        // Makes pg-boss load the queue's settings now, so that it runs no queries for them inside a
        // transaction.
        await post([], async () => undefined)
      } catch (error) {
        throw translate(error)
      }
    },
    post,
    repair: () => void boss.createQueue(queue, queueOptions).catch(() => undefined),
    follow(wake) {
      const begun = boss.work(queue, fetching, async () => wake())
      // Fails once the store is closed, when nobody needs to be woken any more.
      begun.catch(() => undefined)
      return () => void begun.then((id) => boss.offWork(queue, { id, wait: false })).catch(() => undefined)
    },
    stop: () => Promise.race([boss.stop({ graceful: false }), sleep(STOP_MS, undefined, { ref: false })]),
  }
}

/**
 * One connection for messages, whose commits do not wait for the disk: losing one only means that a
 * message is delivered twice. Finished messages are deleted every minute. Schedules and flows are
 * off, because recurring jobs are ordinary jobs.
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
