import type { Store, Transaction } from '@quire/core/ports'
import type { InnerPoint } from './points.ts'

/** Called when a merge reaches a point. The merge continues once it resolves. */
export type AtPoint = (point: InnerPoint) => Promise<void>

interface Watch {
  readonly size: number
  readonly at: AtPoint
}

/** The progress of one transaction. */
interface Seen {
  isMerge: boolean
  changes: number
}

/**
 * A store that reports the progress of a merge with `size` changes. Only merges read a package's
 * content inside of a transaction.
 */
export function watchMerge(store: Store, watch: Watch): Store {
  return {
    ...store,
    async transaction(work) {
      const seen: Seen = { isMerge: false, changes: 0 }
      const result = await store.transaction(async (tx) => {
        const done = await work(watched(tx, watch, seen))
        if (seen.isMerge) await watch.at('uncommitted')
        return done
      })
      if (seen.isMerge) await watch.at('committed')
      return result
    },
  }
}

/** Looked up on each use, because a mutant replaces the underlying transaction halfway. */
function watched(tx: Transaction, watch: Watch, seen: Seen): Transaction {
  return {
    get entities() {
      return watchedEntities(tx, watch, seen)
    },
    get records() {
      return watchedRecords(tx, watch)
    },
    get journal() {
      return tx.journal
    },
    get ephemera() {
      return tx.ephemera
    },
    get texts() {
      return tx.texts
    },
    get usage() {
      return tx.usage
    },
    get jobs() {
      return tx.jobs
    },
    nested: (work) => tx.nested((inner) => work(watched(inner, watch, seen))),
  }
}

function watchedEntities(tx: Transaction, { size, at }: Watch, seen: Seen): Transaction['entities'] {
  return {
    ...tx.entities,
    async ownHeads(branch, page) {
      if (!seen.isMerge) await at('began')
      seen.isMerge = true
      return tx.entities.ownHeads(branch, page)
    },
    async put(entity, expectedRevision) {
      await tx.entities.put(entity, expectedRevision)
      if (seen.isMerge && ++seen.changes === Math.ceil(size / 2)) await at('halfway')
    },
  }
}

function watchedRecords(tx: Transaction, { at }: Watch): Transaction['records'] {
  return {
    ...tx.records,
    async put(kind, record, expectedRevision) {
      if (kind === 'merge') await at('written')
      return tx.records.put(kind, record, expectedRevision)
    },
  }
}
