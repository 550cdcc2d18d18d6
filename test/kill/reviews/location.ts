import { serveReady, type Served } from '../cycle.ts'

/** A service that is killed and restarted on one data folder. */
export interface Location {
  /** Returns the service once it is ready. Errors: it could not be started. */
  up(): Promise<Served>
  /** Kills the service with SIGKILL and restarts it. False: it is already down. */
  kill(): boolean
  /** Kills so far. */
  kills(): number
  /** Whether the maximum number of kills was reached. */
  isSpent(): boolean
  end(): Promise<void>
}

/** Starts a service that may be killed `mostKills` times. */
export async function openLocation(args: readonly string[], mostKills: number): Promise<Location> {
  let served = await serveReady(args)
  let starting: Promise<Served> | null = null
  let kills = 0
  const isSpent = () => kills >= mostKills
  const restart = async () => {
    await served.server.end
    served = await serveReady(args)
    starting = null
    return served
  }
  return {
    up: async () => starting ?? served,
    kill() {
      if (starting || isSpent()) return false
      kills += 1
      process.kill(served.server.pid, 'SIGKILL')
      starting = restart()
      // A caller of `up` gets this error, but there may be no caller.
      starting.catch(() => undefined)
      return true
    },
    kills: () => kills,
    isSpent,
    async end() {
      await starting?.catch(() => undefined)
      await served.server.kill()
    },
  }
}
