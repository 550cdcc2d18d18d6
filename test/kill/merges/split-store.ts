import type { Store, Transaction } from '@quire/core/ports'

/** A store whose transactions can be made to commit in the middle: the defect that the driver is there to find. */
export interface SplitStore {
  readonly store: Store
  /** Commits what the running transaction wrote so far; the rest of it goes into another. */
  split(): Promise<void>
}

/** For one transaction at a time: of two at once only one could be split. */
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

/** A transaction that stays open until it is told how to end. */
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
