import { join } from 'node:path'
import { dropSchema, testSchema } from '../../services/postgres.ts'
import { serveReady, type Served } from '../cycle.ts'
import { openFleet, type Fleet } from '../processes/fleet.ts'
import type { RowKey } from '../read-rows.ts'
import { type Caller, untilPurged } from './job-tasks.ts'

/** The service that runs jobs and is killed. */
interface JobService {
  readonly rows: RowKey
  /** How far its clock is ahead of this machine's, in ms. */
  readonly ahead: number
  /**
   * Starts a service that extracts no text, for setting up content, and ends it before the real one
   * starts.
   */
  prepare(work: (call: Caller) => Promise<void>): Promise<void>
  /** Returns a process to call, once one is ready. */
  up(): Promise<Caller>
  /**
   * Kills a process with SIGKILL. If another one is running, resolves when the killed one is ready
   * again.
   */
  kill(): Promise<void>
  /**
   * Ends all processes, and restarts them at a time when all deleted entities are due for purging.
   */
  later(): Promise<Caller>
  /** Kills all processes. */
  end(): Promise<void>
  /** Removes data outside of the folder. */
  remove(): Promise<void>
}

export type OpenJobService = (folder: string, leaseMs: number) => JobService

// The clock advances by this much while no process is running, so that hourly jobs become due.
const cycleMs = 2 * 60 * 60 * 1000

interface Serving {
  readonly folder: string
  readonly leaseMs: number
  readonly ahead: number
  readonly schema?: string
}

function serveSlowly({ folder, leaseMs, ahead, schema = '' }: Serving, reads: 'read' | 'refuse'): string[] {
  const server = ['--conditions=quire-source', 'test/kill/jobs/slow-server.ts']
  return [...server, join(folder, 'data'), String(ahead), reads, String(leaseMs), schema]
}

/** Consecutive processes on a SQLite file, each some hours after the one before. */
export const onSqlite: OpenJobService = (folder, leaseMs) => {
  let ahead = 0
  let served: Served | undefined
  const end = async () => served?.server.kill()
  const serve = async (reads: 'read' | 'refuse' = 'read') =>
    (served = await serveReady(serveSlowly({ folder, leaseMs, ahead }, reads)))
  return {
    rows: { file: join(folder, 'data', 'quire.db') },
    get ahead() {
      return ahead
    },
    async prepare(work) {
      await work(await serve('refuse'))
      await end()
    },
    up() {
      ahead += cycleMs
      return serve()
    },
    kill: end,
    later() {
      ahead += untilPurged
      return serve()
    },
    end,
    remove: async () => undefined,
  }
}

/**
 * Two processes on one PostgreSQL schema, killed alternately. The other one keeps running and takes
 * over the jobs. The process that is called, which starts most of the jobs, is the next to be
 * killed.
 */
export const onPostgres: OpenJobService = (folder, leaseMs) => {
  const schema = testSchema()
  let ahead = 0
  let slot = 0
  let fleet: Fleet | undefined
  const end = async () => {
    await fleet?.destroy()
    fleet = undefined
  }
  const start = async () =>
    (fleet ??= await openFleet(2, serveSlowly({ folder, leaseMs, ahead, schema }, 'read')))
  const caller = async (): Promise<Caller> => {
    const both = await start()
    return { url: both.urlOf(slot % both.size), token: both.token }
  }
  return {
    rows: { schema },
    get ahead() {
      return ahead
    },
    async prepare(work) {
      const first = await openFleet(1, serveSlowly({ folder, leaseMs, ahead, schema }, 'refuse'))
      try {
        await work({ url: first.urlOf(0), token: first.token })
      } finally {
        await first.destroy()
      }
      // Only while no process is running: a server's clock must not jump by hours while it holds
      // jobs.
      ahead += cycleMs
    },
    up: caller,
    async kill() {
      const both = await start()
      await both.kill(slot % both.size)
      slot += 1
    },
    async later() {
      await end()
      ahead += untilPurged
      return caller()
    },
    end,
    remove: () => dropSchema(schema),
  }
}
