import type { SearchIndexes, StoreReader, Transaction } from '@quire/core/ports'
import type { Connections } from './connections.ts'
import type { Dialect } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
import { createHeadCache } from './entities/head-cache.ts'
import { createEntityReader } from './entities/entity-reader.ts'
import { type EntityStatements, createEntityWriter } from './entities/entity-writer.ts'
import { prepareEntityReads } from './entities/read-statements.ts'
import { prepareEntityWrites } from './entities/write-statements.ts'
import {
  type EphemeraReads,
  type EphemeraWrites,
  createEphemeraReader,
  createEphemeraWriter,
  prepareEphemeraReads,
  prepareEphemeraWrites,
} from './ephemera.ts'
import { type JobReads, createJobReader, prepareJobReads } from './jobs/job-reads.ts'
import { type JobWrites, createJobWriter, prepareJobWrites } from './jobs/job-writes.ts'
import { type JournalReads, createJournalReader, prepareJournalReads } from './journal.ts'
import {
  type JournalAppend,
  type NewestEntry,
  appendEntries,
  createJournalWriter,
  prepareJournalAppend,
} from './journal-writes.ts'
import type { Footprint } from './footprint/footprint.ts'
import { watchTransaction } from './footprint/watch-transaction.ts'
import { type Changes, type Committed, type Layer, createLayer } from './layer.ts'
import { prepareFindBranch, prepareBranchWrites, prepareLoadBranches } from './branch-writes.ts'
import { createBranchTable } from './branches.ts'
import { createCountMemo } from './query/count-memo.ts'
import { createPathMemo } from './query/path-memo.ts'
import { type RecordCache, type RecordView, createRecordCache } from './records/record-cache.ts'
import {
  type LoadKind,
  type RecordWrites,
  createRecordReader,
  createRecordWriter,
  prepareLoad,
  prepareRecordWrites,
} from './records/records.ts'
import { type PartWords, type Reindexing, prepareWriteWords } from './search/reindex.ts'
import { prepareDocumentWrites } from './search/document-statements.ts'
import { createSearchIndexes } from './search/search-indexes.ts'
import { createTextReader, createTextWriter, prepareTextReads } from './search/texts.ts'
import type { Session } from './session.ts'
import {
  type UsageReads,
  type UsageWrites,
  createUsageReader,
  createUsageWriter,
  prepareUsageReads,
  prepareUsageWrites,
  writeUsage,
} from './usage.ts'

/** Transactions that are committed together. */
export interface Batch {
  /**
   * Runs `work` on top of the batch's earlier writes. When it throws, only its own writes are
   * rolled back. Do not run two at a time.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Rebuilds a part of the search index: see `Reindexing`. */
  writeWords(words: PartWords): Promise<void>
  /** Call once, before the commit. Writes what is collected for all transactions of the batch. */
  ending(): Promise<void>
  /** Appends what the transactions have recorded to the journal. Call last, in the order of commits. */
  record(): Promise<void>
  /**
   * The number of documents written to or deleted from the search index so far, without rolled-back
   * ones.
   */
  documents(): number
  /** The changes so far that other processes must be notified of. */
  changes(): Changes
  /** The ids of the jobs queued so far that are due at once, without rolled-back ones. */
  jobs(): readonly string[]
  /**
   * Call in the same tick as the durable commit. Makes the batch's writes visible to all readers.
   */
  committed(): void
}

/**
 * Opens a batch. Call inside an open database transaction. `footprint` notes what its transactions
 * read and write, where others run at the same time.
 */
export type OpenSqlBatch = (footprint?: Footprint) => Batch

/** The store's ports over its connections. The adapter opens, commits and closes. */
export interface SqlStore {
  readonly reader: StoreReader
  readonly indexes: SearchIndexes
  /** The number of commits so far that changed entities or records. */
  readonly commits: () => number
  /** Prepares all statements that write, for one connection. */
  prepareBatches(writer: SqlWriteDriver): OpenSqlBatch
  /**
   * Applies other processes' commits: drops cached records at once, and reads them again on the
   * next use.
   */
  refresh(changes: Changes | 'all'): Promise<void>
}

/** Prepares all statements that read, and reads the branches. The schema must be up to date. */
export async function openSqlStore(connections: Connections): Promise<SqlStore> {
  const { dialect, reader, heavy, isReceived = () => true, requireOpen } = connections
  const heads = createHeadCache()
  let commits = 0
  const committed: Committed = {
    branches: createBranchTable(),
    records: createRecordCache(),
    written: createPathMemo(),
    indexed: { add: () => undefined },
    queued: { add: () => undefined },
    content: { changed: () => void (commits += 1) },
    writtenHeads: heads,
  }
  const counts = createCountMemo()
  const newest: NewestEntry = { date: 0 }
  const loadAllBranches = prepareLoadBranches(reader, dialect.tables, committed.branches)
  await loadAllBranches()
  const load = prepareLoad(reader, dialect, { cache: committed.records, isReceived })
  return {
    reader: openReader(
      { dialect, driver: reader, heavy, load },
      connections.isReceived
        ? {
            branches: committed.branches,
            findBranch: prepareFindBranch(reader, dialect.tables, committed.branches),
            records: receivedRecords(committed.records, isReceived),
            // Other processes' writes of heads are not announced, so facts about heads are cached
            // for one read only.
            memo: createPathMemo,
            requireOpen,
          }
        : { ...committed, memo: () => committed.written, counts, heads, requireOpen },
    ),
    indexes: createSearchIndexes(connections, committed.branches),
    commits: () => commits,
    prepareBatches(writer) {
      const statements = prepareWriting(writer, dialect)
      return (footprint) => {
        const layer = createLayer(committed, footprint)
        return {
          run: (work) => runOver({ writer, statements, load, newest }, layer, work),
          writeWords: (words) => writer.savepoint(() => statements.writeWords(words)),
          ending: () => writeUsage(statements.usage.writes, layer.usage.take()),
          record: () => appendEntries(statements.journal.append, layer.entries, newest),
          documents: () => layer.documents(),
          changes: () => layer.changes(),
          jobs: () => layer.jobs(),
          committed: () => {
            layer.complete()
            counts.forget()
          },
        }
      }
    },
    async refresh(changes) {
      const { records, branches } = changes === 'all' ? everything : changes
      if (records === 'all' || records.length > 0) committed.records.forget(records)
      if (branches) await loadAllBranches()
    },
  }
}

const everything = { records: 'all', branches: true } as const

/**
 * Records for readers. While other processes' changes do not arrive, each call gets a new
 * generation, so that nothing computed from records is cached.
 */
function receivedRecords(records: RecordCache, isReceived: () => boolean): RecordView {
  return { ...records, generation: () => (isReceived() ? records.generation() : records.nextGeneration()) }
}

function openReader(
  { dialect, driver, heavy, load }: { dialect: Dialect; driver: SqlDriver; heavy: SqlDriver; load: LoadKind },
  session: Session,
): StoreReader {
  return {
    entities: createEntityReader(prepareEntityReads(driver, dialect, heavy), session),
    records: createRecordReader(load, session),
    journal: createJournalReader(prepareJournalReads(driver, dialect, heavy), session),
    jobs: createJobReader(prepareJobReads(driver, dialect, heavy), session),
    ephemera: createEphemeraReader(prepareEphemeraReads(driver, dialect), session),
    texts: createTextReader(prepareTextReads(driver, dialect), session),
    usage: createUsageReader(prepareUsageReads(driver, dialect.tables), session),
  }
}

interface Writing {
  readonly entities: EntityStatements
  readonly records: RecordWrites
  readonly journal: { readonly reads: JournalReads; readonly append: JournalAppend }
  readonly jobs: { readonly reads: JobReads; readonly writes: JobWrites }
  readonly ephemera: { readonly reads: EphemeraReads; readonly writes: EphemeraWrites }
  readonly usage: { readonly reads: UsageReads; readonly writes: UsageWrites }
  readonly writeWords: Reindexing['write']
}

function prepareWriting(driver: SqlWriteDriver, dialect: Dialect): Writing {
  return {
    entities: {
      reads: prepareEntityReads(driver, dialect),
      writes: prepareEntityWrites(driver, dialect),
      documents: prepareDocumentWrites(driver, dialect),
      branches: prepareBranchWrites(driver, dialect.tables),
    },
    records: prepareRecordWrites(driver, dialect),
    journal: { reads: prepareJournalReads(driver, dialect), append: prepareJournalAppend(driver, dialect) },
    jobs: { reads: prepareJobReads(driver, dialect), writes: prepareJobWrites(driver, dialect) },
    ephemera: {
      reads: prepareEphemeraReads(driver, dialect),
      writes: prepareEphemeraWrites(driver, dialect),
    },
    usage: {
      reads: prepareUsageReads(driver, dialect.tables),
      writes: prepareUsageWrites(driver, dialect.tables),
    },
    writeWords: prepareWriteWords(driver, dialect),
  }
}

interface Running {
  readonly writer: SqlWriteDriver
  readonly statements: Writing
  readonly load: LoadKind
  readonly newest: NewestEntry
}

/** Runs work in a savepoint. Its cached changes stay in a layer until the savepoint is released. */
async function runOver<T>(running: Running, under: Layer, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const layer = createLayer(under)
  try {
    const result = await running.writer.savepoint(() => work(transactionOn(running, layer)))
    layer.complete()
    return result
  } catch (error) {
    layer.drop()
    throw error
  }
}

function transactionOn(running: Running, layer: Layer): Transaction {
  const { statements, load, newest } = running
  const tx: Transaction = {
    entities: createEntityWriter(statements.entities, layer),
    records: createRecordWriter(load, statements.records, layer),
    journal: createJournalWriter(statements.journal, layer, newest),
    jobs: createJobWriter(statements.jobs, layer),
    ephemera: createEphemeraWriter(statements.ephemera, layer),
    texts: createTextWriter(statements.entities.documents, layer),
    usage: createUsageWriter(statements.usage, layer),
    async nested(work) {
      layer.requireOpen()
      return runOver(running, layer, work)
    },
  }
  return layer.footprint ? watchTransaction(tx, layer.footprint) : tx
}
