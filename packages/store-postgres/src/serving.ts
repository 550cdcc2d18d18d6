import { StoreUnavailable } from '@quire/core/ports'
import { type Target, applicationName } from './connect.ts'
import type { Run } from './postgres-driver.ts'
import { shareSuccess } from './share-success.ts'
import { commitLock, writerLock } from './writer-lock.ts'

/** Whether a database serves reads and writes at the moment, judging by this process's writes and by probes. */
export interface Serving {
  /** Runs a write and remembers how it ended. Errors: those of the write. */
  watch<T>(write: () => Promise<T>): Promise<T>
  /**
   * Resolves when reads and writes are answered. Costs at most one probe a second; concurrent
   * callers share it. Errors: StoreUnavailable, `full` while the last write found no room.
   */
  require(): Promise<void>
}

/** How long a probe waits for a lock, in ms: half of what a health check waits for the probe. */
const LOCK_MS = 1_000

/** How long a probe that succeeded answers for later ones, in ms. */
const SHARED_MS = 1_000

/** For how long a write that succeeded shows that writes do, in ms. */
const PROOF_MS = 2_000

/**
 * `run` runs a statement on a reading connection. A write waits in a queue and for other writers,
 * which may rightly take many seconds, so waiting shows nothing. A probe waits for neither.
 */
export function createServing({ schema }: Target, run: Run): Serving {
  const probe = probesOf(schema)
  let written = Number.NEGATIVE_INFINITY
  let full: StoreUnavailable | null = null
  const probeAll = async () => {
    await run({ text: probe.read, rowMode: 'array' })
    if (performance.now() - written <= PROOF_MS) return
    await run({ text: probe.write, rowMode: 'array' })
    const { rows } = await run({ text: probe.strangers, rowMode: 'array' })
    if (rows.length > 0) throw heldByStranger(rows)
  }
  const served = shareSuccess(probeAll, SHARED_MS)
  return {
    async watch(write) {
      try {
        const result = await write()
        written = performance.now()
        full = null
        return result
      } catch (error) {
        if (error instanceof StoreUnavailable && error.kind === 'full') full = error
        throw error
      }
    },
    async require() {
      await served()
      if (full) throw full
    },
  }
}

function heldByStranger(rows: readonly unknown[][]): StoreUnavailable {
  const names = rows.map(([pid, name]) => `${String(name) || 'no name'} (process ${String(pid)})`)
  return new StoreUnavailable(
    'busy',
    `Another program holds the lock of the writers, so nothing can be written: ${names.join(', ')}.`,
  )
}

/**
 * The statements of a probe. Neither keeps a lock for longer than it runs.
 *
 * - `read` finds no row, by the primary key.
 * - `write` changes nothing, but writes a row and waits for the disk like a real write. It needs the
 *   lock on `heads` that writes need, which other programs may prevent without preventing reads.
 * - `strangers` are sessions of other programs that hold a lock of the writers. Servers are not: however
 *   long they hold it, they write.
 */
function probesOf(schema: string) {
  const waiting = `SET LOCAL lock_timeout = ${LOCK_MS}`
  return {
    read: `${waiting}; SELECT FROM heads WHERE head = 0`,
    write: `${waiting}; LOCK TABLE heads IN ROW EXCLUSIVE MODE; UPDATE schema_version SET version = version`,
    strangers: `
      SELECT pid, application_name FROM pg_locks JOIN pg_stat_activity USING (pid), unnest(ARRAY[${writerLock(schema)}, ${commitLock(schema)}]) AS key
      WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint = (key >> 32) & 4294967295 AND objid::bigint = key & 4294967295
        AND application_name <> '${applicationName(schema)}'`,
  }
}
