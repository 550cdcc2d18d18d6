import type { Transaction } from '../ports/index.ts'

/** What is laid over a transaction: its entities, its journal or its queue, made when they are asked for, and what runs within. */
export interface Over {
  readonly entities?: () => Transaction['entities']
  readonly journal?: () => Transaction['journal']
  readonly jobs?: () => Transaction['jobs']
  readonly nested: Transaction['nested']
}

/** A transaction with something over it. Everything else is the transaction's own, looked up at each use. */
export function overTransaction(tx: Transaction, { entities, journal, jobs, nested }: Over): Transaction {
  // What is not laid over it is found behind it.
  return Object.create(tx, {
    nested: { value: nested, enumerable: true },
    ...(entities && { entities: { get: entities, enumerable: true } }),
    ...(journal && { journal: { get: journal, enumerable: true } }),
    ...(jobs && { jobs: { get: jobs, enumerable: true } }),
  }) as Transaction
}
