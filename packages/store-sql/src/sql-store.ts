import type { SearchIndexes, StoreReader, Transaction } from '@quire/core/ports'
import type { Connections } from './connections.ts'
import type { Dialect } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
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
import {
  type JournalAppend,
  type JournalReads,
  createJournalReader,
  createJournalWriter,
  prepareJournalAppend,
  prepareJournalReads,
} from './journal.ts'
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

/** Transactions that are made durable by one commit. */
export interface Batch {
  /** Runs `work` over what the batch wrote so far; a throw undoes its writes alone. One at a time. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** To be called once, before the commit: writes what transactions leave to be written for all of them together. */
  ending(): Promise<void>
  /** How many documents of the search index were written or removed so far, those that were undone left out. */
  documents(): number
  /** What other processes have to be told of what the batch wrote so far. */
  changes(): Changes
  /** The ids of the jobs that it queued so far to be begun now, those that were undone left out. */
  jobs(): readonly string[]
  /** To be called in the same turn as the commit, once it is durable: what the batch wrote is now what everybody reads. */
  committed(): void
}

/** The store's ports over its connections; opening, committing and closing are the adapter's. */
export interface SqlStore {
  readonly reader: StoreReader
  readonly indexes: SearchIndexes
  /** To be called inside of an open database transaction. */
  openBatch(): Batch
  /** Takes note of what others committed. What it forgets at once is read anew when it is asked for. */
  refresh(changes: Changes | 'all'): Promise<void>
}

/** Prepares every statement and reads the branches. The schema must be current. */
export async function openSqlStore(connections: Connections): Promise<SqlStore> {
  const { dialect, reader, heavy, writer, isReceived = () => true, requireOpen } = connections
  const committed: Committed = {
    branches: createBranchTable(),
    records: createRecordCache(),
    written: createPathMemo(),
    indexed: { add: () => undefined },
    queued: { add: () => undefined },
  }
  const counts = createCountMemo()
  const loadAllBranches = prepareLoadBranches(reader, dialect.tables, committed.branches)
  await loadAllBranches()
  const load = prepareLoad(reader, dialect, { cache: committed.records, isReceived })
  const statements = prepareWriting(writer, dialect)
  return {
    reader: openReader(
      { dialect, driver: reader, heavy, load },
      connections.isReceived
        ? {
            branches: committed.branches,
            findBranch: prepareFindBranch(reader, dialect.tables, committed.branches),
            records: receivedRecords(committed.records, isReceived),
            // Nobody tells of heads that other processes write: what is found out of them holds for one read.
            memo: createPathMemo,
            requireOpen,
          }
        : { ...committed, memo: () => committed.written, counts, requireOpen },
    ),
    indexes: createSearchIndexes(connections, committed.branches),
    openBatch() {
      const layer = createLayer(committed)
      return {
        run: (work) => runOver({ writer, statements, load }, layer, work),
        ending: () => writeUsage(statements.usage.writes, layer.usage.take()),
        documents: () => layer.documents(),
        changes: () => layer.changes(),
        jobs: () => layer.jobs(),
        committed: () => {
          layer.complete()
          counts.forget()
        },
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

/** Records as readers see them: while it is not heard what others change, nobody may keep what was computed of them. */
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
  }
}

interface Running {
  readonly writer: SqlWriteDriver
  readonly statements: Writing
  readonly load: LoadKind
}

/** Runs work under a savepoint, with what memory must know kept in a layer until the savepoint is released. */
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
  const { statements, load } = running
  return {
    entities: createEntityWriter(statements.entities, layer),
    records: createRecordWriter(load, statements.records, layer),
    journal: createJournalWriter(statements.journal, layer),
    jobs: createJobWriter(statements.jobs, layer),
    ephemera: createEphemeraWriter(statements.ephemera, layer),
    texts: createTextWriter(statements.entities.documents, layer),
    usage: createUsageWriter(statements.usage, layer),
    async nested(work) {
      layer.requireOpen()
      return runOver(running, layer, work)
    },
  }
}
