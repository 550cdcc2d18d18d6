import { type JournalEntry, type RecordKind, UsageChanges } from '@quire/core/ports'
import type { Footprint } from './footprint/footprint.ts'
import type { PathMemo, WrittenPaths } from './query/path-memo.ts'
import type { BranchTable } from './branches.ts'
import { createBranchTable } from './branches.ts'
import { type RecordCache, type RecordLayer, createRecordLayer } from './records/record-cache.ts'

/** What is cached of the committed state. */
export interface Committed {
  readonly branches: BranchTable
  readonly records: RecordCache
  readonly written: PathMemo
  readonly indexed: Indexed
  readonly queued: Queued
  readonly content: Content
  readonly writtenHeads: WrittenHeads
}

/** The changes to data that processes cache. */
export interface Changes {
  /** The kinds of the changed records. */
  readonly records: readonly RecordKind[]
  /** Whether branches were created. */
  readonly branches: boolean
}

/** Counts documents whose words were written or deleted. */
export interface Indexed {
  add(documents: number): void
}

/** Is notified of changes to what reads of entities and records return. */
export interface Content {
  changed(): void
}

/** Is notified of each written or deleted head. */
export interface WrittenHeads {
  forget(head: number): void
}

/** Collects the ids of queued jobs. */
export interface Queued {
  add(jobs: readonly string[]): void
}

/** The cached state of a transaction: its own changes on top of the layer below. */
export interface Layer {
  readonly branches: BranchTable
  readonly records: RecordLayer
  readonly written: { add(written: WrittenPaths): void }
  readonly indexed: Indexed
  readonly queued: Queued
  readonly content: Content
  readonly writtenHeads: WrittenHeads
  /** The journal entries that wait for the commit, without those of the layers below. */
  readonly entries: JournalEntry[]
  /** All journal entries that wait for the commit. */
  waitingEntries(): readonly JournalEntry[]
  /** Undefined where only one transaction runs at a time. */
  readonly footprint: Footprint | undefined
  /** The changes to the usage. */
  readonly usage: UsageChanges
  /** The changes to data that other processes cache, too. */
  changes(): Changes
  /** The number of documents written to or deleted from the search index so far. */
  documents(): number
  /** The ids of the queued jobs that are due at once. */
  jobs(): readonly string[]
  /** Errors: throws when the transaction has ended. */
  requireOpen(): void
  /** Ends the layer and applies its changes to the one below. */
  complete(): void
  /** Ends the layer and discards its changes. */
  drop(): void
}

/** Opens a layer over another one, whose footprint it has, or over the committed state. */
export function createLayer(under: Layer | Committed, ofBatch?: Footprint): Layer {
  const footprint = 'footprint' in under ? under.footprint : ofBatch
  const branches = createBranchTable(under.branches)
  const records = createRecordLayer(under.records)
  const written: WrittenPaths[] = []
  const jobs: string[] = []
  const usage = new UsageChanges('usage' in under ? under.usage : null)
  const heads: number[] = []
  const entries: JournalEntry[] = []
  let documents = 0
  let isContentChanged = false
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
    writtenHeads: { forget: (head) => void heads.push(head) },
    content: { changed: () => void (isContentChanged = true) },
    entries,
    waitingEntries: () => ('entries' in under ? [...under.waitingEntries(), ...entries] : entries),
    footprint,
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
      if (isContentChanged || records.changed().length > 0 || !branches.isEmpty()) under.content.changed()
      branches.moveTo(under.branches)
      records.moveTo(under.records)
      for (const one of written) under.written.add(one)
      for (const head of heads) under.writtenHeads.forget(head)
      under.indexed.add(documents)
      under.queued.add(jobs)
      if ('entries' in under) for (const entry of entries) under.entries.push(entry)
      usage.commit()
    },
    drop() {
      open = false
    },
  }
}
