import type { Store, Transaction } from '@quire/core/ports'

/** A store whose transactions can be made to commit halfway. The driver must detect this defect. */
export interface SplitStore {
  readonly store: Store
  /**
   * Commits what the running transaction has written so far, and continues in a new transaction.
   */
  split(): Promise<void>
}

/** For one transaction at a time; with two, only one could be split. */
export function splitStore(store: Store): SplitStore {
  let part: Part | undefined
  return {
    async split() {
      await part?.commit()
      part = await beginPart(store)
    },
    store: {
      ...store,
      async transaction(work) {
        const first = await beginPart(store)
        part = first
        try {
          const result = await work(partedTransaction(() => part ?? first))
          await part.commit()
          return result
        } catch (error) {
          await part.undo(error)
          throw error
        }
      },
    },
  }
}

interface Part {
  readonly tx: Transaction
  commit(): Promise<void>
  undo(error: unknown): Promise<void>
}

/** A transaction that stays open until it is committed or rolled back explicitly. */
async function beginPart(store: Store): Promise<Part> {
  const began = Promise.withResolvers<Transaction>()
  const over = Promise.withResolvers<void>()
  const ended = store.transaction((tx) => {
    began.resolve(tx)
    return over.promise
  })
  const settled = ended.catch(began.reject)
  const tx = await began.promise
  return {
    tx,
    async commit() {
      over.resolve()
      await ended
    },
    async undo(error) {
      over.reject(error)
      await settled
    },
  }
}

function partedTransaction(part: () => Part): Transaction {
  return {
    get entities() {
      return part().tx.entities
    },
    get records() {
      return part().tx.records
    },
    get journal() {
      return part().tx.journal
    },
    get ephemera() {
      return part().tx.ephemera
    },
    get texts() {
      return part().tx.texts
    },
    get usage() {
      return part().tx.usage
    },
    get jobs() {
      return part().tx.jobs
    },
    nested: (work) => part().tx.nested(work),
  }
}
