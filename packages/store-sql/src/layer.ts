import type { RecordKind } from '@quire/core/ports'
import type { PathMemo, WrittenPaths } from './query/path-memo.ts'
import type { LineTable } from './lines.ts'
import { createLineTable } from './lines.ts'
import { type RecordCache, type RecordLayer, createRecordLayer } from './records/record-cache.ts'

/** What is known in memory of what was committed. */
export interface Committed {
  readonly lines: LineTable
  readonly records: RecordCache
  readonly written: PathMemo
  readonly indexed: Indexed
  readonly queued: Queued
}

/** What was changed of that which processes keep in memory. */
export interface Changes {
  /** Kinds of records. */
  readonly records: readonly RecordKind[]
  /** Whether there are new lines. */
  readonly lines: boolean
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
  readonly lines: LineTable
  readonly records: RecordLayer
  readonly written: { add(written: WrittenPaths): void }
  readonly indexed: Indexed
  readonly queued: Queued
  /** What of it other processes keep in memory too. */
  changes(): Changes
  /** How many documents of the search index were written or removed so far. */
  documents(): number
  /** The ids of the jobs that it put into the queue to be begun now. */
  jobs(): readonly string[]
  /** Errors: throws when the transaction has ended. */
  requireOpen(): void
  /** Ends the layer and gives what it holds to the one below. */
  settle(): void
  /** Ends the layer and forgets what it holds. */
  drop(): void
}

/** Opens a layer over another or over what was committed. */
export function createLayer(under: Layer | Committed): Layer {
  const lines = createLineTable(under.lines)
  const records = createRecordLayer(under.records)
  const written: WrittenPaths[] = []
  const jobs: string[] = []
  let documents = 0
  let open = true
  return {
    lines,
    records,
    written: { add: (one) => void written.push(one) },
    indexed: { add: (count) => void (documents += count) },
    queued: {
      add(ids) {
        for (const id of ids) jobs.push(id)
      },
    },
    changes: () => ({ records: records.changed(), lines: !lines.isEmpty() }),
    documents: () => documents,
    jobs: () => jobs,
    requireOpen() {
      if (!open)
        throw new TypeError('This transaction has ended: await everything it does inside its function.')
    },
    settle() {
      open = false
      lines.moveTo(under.lines)
      records.moveTo(under.records)
      for (const one of written) under.written.add(one)
      under.indexed.add(documents)
      under.queued.add(jobs)
    },
    drop() {
      open = false
    },
  }
}
