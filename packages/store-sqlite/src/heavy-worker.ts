import { translate } from './sqlite-error.ts'
import type { JobName, Jobs, ThreadSetup } from './worker/protocol.ts'
import { type Thread, startThread } from './worker-thread.ts'

/**
 * A second thread with its own connections. SQLite cannot be interrupted, so a slow read on the
 * main thread would delay every request. The thread starts with the first job, ends after an idle
 * time, and does not keep the process alive.
 */
export interface HeavyWorker {
  /**
   * Runs a job after those that were queued before it. Errors: StoreUnavailable `busy` when the
   * thread crashed or too many jobs wait; and the job's own errors, as mapped by `meaningOf`.
   */
  run<N extends JobName>(name: N, input: Jobs[N]['input']): Promise<Jobs[N]['result']>
  /** Waits for the queued jobs, then ends the thread and its connections. */
  close(): Promise<void>
}

/**
 * An idle thread holds some 18 MB; a start takes some 40 ms. At half, people who look at facets now
 * and then wait for a start more often.
 */
const IDLE_MS = 60_000

export interface HeavyWorkerOptions {
  /** The idle time after which the thread ends, in ms. */
  readonly idleMs?: number
  /** Maps a job's error to the error that its caller gets. */
  readonly meaningOf?: (error: unknown) => unknown
}

/** Creates the worker of a database file, without starting its thread. */
export function createHeavyWorker(
  setup: ThreadSetup,
  { idleMs = IDLE_MS, meaningOf = translate }: HeavyWorkerOptions = {},
): HeavyWorker {
  const threads = new Set<Thread>()
  let current: Thread | undefined
  const start = (): Thread => {
    const thread = startThread(setup, idleMs)
    threads.add(thread)
    void thread.ended.then(() => threads.delete(thread))
    return thread
  }
  return {
    async run(name, input) {
      if (!current?.takesJobs()) current = start()
      try {
        return await current.run(name, input)
      } catch (error) {
        throw meaningOf(error)
      }
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}
