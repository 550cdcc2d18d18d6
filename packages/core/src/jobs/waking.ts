import { overTransaction } from '../call/over-transaction.ts'
import type { Store, Transaction } from '../ports/index.ts'

/** The store, with `wake` called after each transaction that queued something. */
export function waking(store: Store, wake: () => void): Store {
  return {
    ...store,
    async transaction(work, options) {
      let isQueued = false
      const queued = () => {
        isQueued = true
      }
      const result = await store.transaction((tx) => work(noticing(tx, queued)), options)
      if (isQueued) wake()
      return result
    },
  }
}

function noticing(tx: Transaction, queued: () => void): Transaction {
  return overTransaction(tx, {
    jobs: () => ({
      ...tx.jobs,
      enqueue: (job) => {
        queued()
        return tx.jobs.enqueue(job)
      },
      retry: (id, runAt) => {
        queued()
        return tx.jobs.retry(id, runAt)
      },
    }),
    nested: (work) => tx.nested((inner) => work(noticing(inner, queued))),
  })
}
