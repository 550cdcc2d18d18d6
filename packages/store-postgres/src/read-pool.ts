import type { Pool } from 'pg'
import type { Run } from './postgres-driver.ts'
import { translate } from './postgres-error.ts'

/** Connections that read. */
export interface ReadPool {
  /** Errors: StoreUnavailable for what the database cannot do now. */
  readonly run: Run
  /** Waits for what is under way. */
  end(): Promise<void>
}

/**
 * Reads over the connections of a pool. Where one of them gave no answer, the others, which went the same way, are given up too: each would have to be
 * waited for, one request after another.
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

/** The driver's own word for an answer that did not come in time; the database's would have come over the connection. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}
