import type { Pool } from 'pg'
import type { Run } from './postgres-driver.ts'
import { translate } from './postgres-error.ts'

/** A pool of reading connections. */
export interface ReadPool {
  /** Errors: StoreUnavailable when the database cannot run the statement now. */
  readonly run: Run
  /** Waits for running statements. */
  end(): Promise<void>
}

/**
 * Reads over the connections of a pool. When one of them times out, the others are dropped, too,
 * because they use the same route: otherwise each would time out in turn, one request after
 * another.
 */
export function createReadPool(open: () => Pool): ReadPool {
  let current = open()
  const given = new Set<Promise<void>>()
  const giveUp = (pool: Pool) => {
    if (pool !== current) return
    current = open()
    const ended = pool.end().finally(() => void given.delete(ended))
    given.add(ended)
  }
  return {
    async run(statement) {
      const pool = current
      try {
        return await pool.query<unknown[]>(statement)
      } catch (error) {
        if (isSilence(error)) giveUp(pool)
        throw translate(error)
      }
    },
    end: async () => void (await Promise.all([current.end(), ...given])),
  }
}

/** The driver's own timeout error. The database's error would have arrived over the connection. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}
