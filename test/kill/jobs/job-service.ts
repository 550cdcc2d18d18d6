import { join } from 'node:path'
import { dropSchema, testSchema } from '../../services/postgres.ts'
import { serveReady, type Served } from '../cycle.ts'
import { openFleet, type Fleet } from '../processes/fleet.ts'
import type { RowKey } from '../read-rows.ts'
import { type Caller, untilPurged } from './job-tasks.ts'

/** What does jobs, and is killed. */
interface JobService {
  readonly rows: RowKey
  /** Ms that its clock is ahead of that of this machine. */
  readonly ahead: number
  /** Starts what makes ready and takes no text out of files, and ends before the service itself begins. */
  prepare(work: (call: Caller) => Promise<void>): Promise<void>
  /** Whom to ask, once somebody answers. */
  up(): Promise<Caller>
  /** Ends a process with SIGKILL; where another one lives, it is up again when this resolves. */
  kill(): Promise<void>
  /** Ends all, and starts again when everything that was deleted is due to be purged. */
  later(): Promise<Caller>
  /** Ends all at once. */
  end(): Promise<void>
  /** Removes what is outside of its folder. */
  remove(): Promise<void>
}

/** What opens one. */
export type OpenJobService = (folder: string, leaseMs: number) => JobService

// The clock goes on by so much where nobody is up, so that what comes every hour is due.
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

/** One process after the other on a file of SQLite, each some hours after the one before. */
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
 * Two processes on a schema of PostgreSQL, killed in turn: each time the other one lives, and takes what was begun. The one that is asked, and
 * so begins most of it, is the next to be killed.
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
      // Only here, where nobody is up: clocks of servers do not go on by hours while they hold jobs.
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
