import { translate } from './sqlite-error.ts'
import type { JobName, Jobs, ThreadSetup } from './worker/protocol.ts'
import { type Thread, startThread } from './worker-thread.ts'

/**
 * One thread beside the one that serves, with connections of its own: SQLite cannot be interrupted, and what takes long would hold
 * up every request. It starts with the first job, ends when it had none for a while, and keeps no process alive.
 */
export interface HeavyWorker {
  /**
   * Does a job, after those that were asked for before it. Errors: StoreUnavailable `busy` when the thread broke down or too much waits for it,
   * and those of the port that `meaningOf` makes of what the job itself fails with.
   */
  run<N extends JobName>(name: N, input: Jobs[N]['input']): Promise<Jobs[N]['result']>
  /** Waits for the jobs, then ends the thread and its connections. */
  close(): Promise<void>
}

/** A thread that does nothing holds some 18 MB, a start takes some 40 ms. At half, people who look at facets now and then wait for a start more often. */
const IDLE_MS = 60_000

/** How a worker goes about it. */
export interface HeavyWorkerOptions {
  /** After how many ms without a job its thread ends. */
  readonly idleMs?: number
  /** What an error of a job is to whoever asked for it. */
  readonly meaningOf?: (error: unknown) => unknown
}

/** Makes the worker of a database file, and starts nothing. */
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
