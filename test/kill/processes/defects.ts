import { memorySecrets } from '@quire/core/memory'
import type { Store, Transaction } from '@quire/core/ports'
import { openPostgresStore } from '@quire/store-postgres'
import { databaseUrl } from '../../services/postgres.ts'
import { ensureAdministrator } from '../administrator-account.ts'
import { acknowledgeEarly } from '../mutant.ts'
import type { ServeLocation } from './run-processes.ts'

// Transactions of a process that are sound. A run is prepared with fewer, and makes as many in a second.
const preparing = 200

/**
 * Stores that break what the driver checks; `none` breaks nothing. A driver that finds nothing with
 * the others proves nothing.
 */
export const defects = {
  none: (store) => store,
  /** Acknowledges a transaction before the commit, but not those with which a run is prepared. */
  early: (store) => {
    const early = acknowledgeEarly(store, 20)
    let begun = 0
    return { ...store, transaction: (...of) => (++begun > preparing ? early : store).transaction(...of) }
  },
  /** Repeats the effect when a request is repeated with the same idempotency key. */
  forgetful: (store) => ({
    ...store,
    transaction: (work, options) => store.transaction((tx) => work(withoutKeys(tx)), options),
  }),
} as const satisfies Record<string, (store: Store) => Store>

export type Defect = keyof typeof defects

export function isDefect(name: string): name is Defect {
  return Object.hasOwn(defects, name)
}

/** Prepares a schema. Returns the arguments of `node` that serve it with a defect. */
export function serveDefective(defect: Defect) {
  return async ({ schema }: ServeLocation): Promise<string[]> => {
    const store = await openPostgresStore({ url: databaseUrl(), schema })
    await ensureAdministrator(store, memorySecrets(new Uint8Array(32)))
    await store.close()
    return ['--conditions=quire-source', 'test/kill/processes/defective-server.ts', schema, defect]
  }
}

function withoutKeys(tx: Transaction): Transaction {
  const get: Transaction['ephemera']['get'] = async (key, now) =>
    key.startsWith('idempotency:') ? null : tx.ephemera.get(key, now)
  return { ...tx, ephemera: { ...tx.ephemera, get } }
}
