import { serveReady, type Served } from '../cycle.ts'

/** A service that is killed and started again on one data folder. */
export interface Location {
  /** The service, once it is up. Errors: that it could not be started. */
  up(): Promise<Served>
  /** Kills it at once with SIGKILL, and starts it again. False: it is down already. */
  kill(): boolean
  /** Kills so far. */
  kills(): number
  /** Whether it was killed as often as it may be. */
  isSpent(): boolean
  end(): Promise<void>
}

/** Starts a service that may be killed so often. */
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
      // Whoever waits for it is told; nobody may.
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
