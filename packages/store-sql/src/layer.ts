import { type RecordKind, UsageChanges } from '@quire/core/ports'
import type { PathMemo, WrittenPaths } from './query/path-memo.ts'
import type { BranchTable } from './branches.ts'
import { createBranchTable } from './branches.ts'
import { type RecordCache, type RecordLayer, createRecordLayer } from './records/record-cache.ts'

/** What is known in memory of what was committed. */
export interface Committed {
  readonly branches: BranchTable
  readonly records: RecordCache
  readonly written: PathMemo
  readonly indexed: Indexed
  readonly queued: Queued
}

/** What was changed of that which processes keep in memory. */
export interface Changes {
  /** Kinds of records. */
  readonly records: readonly RecordKind[]
  /** Whether there are new branches. */
  readonly branches: boolean
}

/** Takes note of documents whose words were written or removed. */
export interface Indexed {
  add(documents: number): void
}

/** Takes note of jobs that were put into the queue, by their ids. */
export interface Queued {
  add(jobs: readonly string[]): void
}

/** What a transaction wrote and memory must know, over what holds outside of it. */
export interface Layer {
  readonly branches: BranchTable
  readonly records: RecordLayer
  readonly written: { add(written: WrittenPaths): void }
  readonly indexed: Indexed
  readonly queued: Queued
  /** What it changes of what is kept. */
  readonly usage: UsageChanges
  /** What of it other processes keep in memory too. */
  changes(): Changes
  /** How many documents of the search index were written or removed so far. */
  documents(): number
  /** The ids of the jobs that it put into the queue to be begun now. */
  jobs(): readonly string[]
  /** Errors: throws when the transaction has ended. */
  requireOpen(): void
  /** Ends the layer and gives what it holds to the one below. */
  complete(): void
  /** Ends the layer and forgets what it holds. */
  drop(): void
}

/** Opens a layer over another or over what was committed. */
export function createLayer(under: Layer | Committed): Layer {
  const branches = createBranchTable(under.branches)
  const records = createRecordLayer(under.records)
  const written: WrittenPaths[] = []
  const jobs: string[] = []
  const usage = new UsageChanges('usage' in under ? under.usage : null)
  let documents = 0
  let open = true
  return {
    branches,
    records,
    written: { add: (one) => void written.push(one) },
    indexed: { add: (count) => void (documents += count) },
    queued: {
      add(ids) {
        for (const id of ids) jobs.push(id)
      },
    },
    usage,
    changes: () => ({ records: records.changed(), branches: !branches.isEmpty() }),
    documents: () => documents,
    jobs: () => jobs,
    requireOpen() {
      if (!open)
        throw new TypeError('This transaction has ended: await everything it does inside its function.')
    },
    complete() {
      open = false
      branches.moveTo(under.branches)
      records.moveTo(under.records)
      for (const one of written) under.written.add(one)
      under.indexed.add(documents)
      under.queued.add(jobs)
      usage.commit()
    },
    drop() {
      open = false
    },
  }
}
