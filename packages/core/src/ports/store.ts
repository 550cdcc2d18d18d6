import type { JobDispatch } from './dispatch.ts'
import type { EntityReader, EntityWriter } from './entity-store.ts'
import type { EphemeraReader, EphemeraWriter } from './ephemera.ts'
import type { JobReader, JobWriter } from './jobs.ts'
import type { JournalReader, JournalWriter } from './journal.ts'
import type { RecordReader, RecordWriter } from './records.ts'
import type { SearchIndexes, TextReader, TextWriter } from './search.ts'
import type { UsageReader, UsageWriter } from './usage.ts'

/** Reads of committed data. Each call sees what is committed when it is made. */
export interface StoreReader {
  readonly entities: EntityReader
  readonly records: RecordReader
  readonly journal: JournalReader
  readonly jobs: JobReader
  readonly ephemera: EphemeraReader
  readonly texts: TextReader
  readonly usage: UsageReader
}

/** Reads and writes inside a transaction; reads include the transaction's own writes. */
export interface Transaction extends StoreReader {
  readonly entities: EntityWriter
  readonly records: RecordWriter
  readonly journal: JournalWriter
  readonly jobs: JobWriter
  readonly ephemera: EphemeraWriter
  readonly texts: TextWriter
  readonly usage: UsageWriter
  /**
   * Runs a nested transaction: when `work` throws, its writes are rolled back, and the outer
   * transaction can continue.
   */
  nested<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** Options of a transaction. */
export interface TransactionOptions {
  /**
   * `false` does not wait until the commit is on disk: a power failure may lose it, a crash of the
   * process does not. For writes that are frequent and repeatable. Later synced transactions also
   * make it durable.
   * @default true
   */
  readonly synced?: boolean
}

/** Tells whether anything was committed that may change what reads of entities and records return. */
export interface Commits {
  /**
   * A number of the state that this process knows of: while it is the same, reads return the same. It may
   * change without need.
   */
  latest(): number
  /** Resolves when `latest` is that of every commit that ended before this call, in any process. */
  catchUp(): Promise<void>
}

/** A store for everything except blobs. */
export interface Store extends StoreReader {
  readonly indexes: SearchIndexes
  /**
   * For a store that only one process can open at a time: identifies this opening. A process that
   * held a lock in an earlier opening no longer runs.
   */
  readonly opening?: string
  /** Tells of commits. Without it, no answers are remembered between them. */
  readonly commits?: Commits
  /**
   * For a store that several processes share and that notifies them of jobs. Without it, workers
   * poll.
   */
  readonly dispatch?: JobDispatch
  /**
   * Runs `work` in isolation (serializable) and applies all of its writes or none. Resolves only
   * when they are durable. `work` must not wait for the network, the disk or a timer. If it throws,
   * the writes are rolled back and the error is rethrown.
   * `work` may run more than once, if another transaction has changed what it has read: it must
   * keep nothing of a run outside of the transaction but its result.
   * Concurrent calls run one after another, or as if they did. None sees another's uncommitted
   * writes, unless both become durable together.
   * Errors: StoreUnavailable when the store cannot write (full, read-only, closed).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Resolves when the store answers and can write. Asked every second, so it must cost little and
   * hold nothing up. A long write is no failure. Errors: StoreUnavailable.
   */
  ping(): Promise<void>
  /**
   * Resolves when there is room for more data; absent if the store does not manage the disk. Cost:
   * one look at the disk, at most once a second while there is room. Errors: StoreUnavailable
   * `full` when less than the required space is free.
   */
  requireRoom?(): Promise<void>
  /**
   * Checks all stored data while reads and writes continue; absent if the store does not manage its
   * files. Errors: StoreUnavailable `damaged` when damage was found, after which nothing is written
   * any more; other kinds when the check could not run.
   */
  verify?(): Promise<void>
  /**
   * Waits for queued transactions, then releases all resources. Later calls reject with
   * StoreUnavailable.
   */
  close(): Promise<void>
}

/**
 * A write lost a race, or its slug or key is in use. `subject` is the entity id, the slug or the
 * key in question.
 */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict'
  readonly kind: 'stale' | 'slug' | 'key'
  readonly subject: string
  constructor(kind: 'stale' | 'slug' | 'key', subject: string) {
    super(`${kind}: ${subject}`)
    this.kind = kind
    this.subject = subject
  }
}

/**
 * Why a store cannot be used now. `full`: not enough room; `busy`: try again; `closed`: stopped;
 * `damaged`: the data, or the disk under it, can no longer be trusted. A damaged store still reads
 * as far as it can, but writes nothing until an operator has repaired it.
 */
export type UnavailableKind = 'full' | 'busy' | 'closed' | 'damaged'

/**
 * The store cannot be used now. The messages of `full` and `damaged` are also shown to callers:
 * they must not contain paths or content.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly kind: UnavailableKind
  constructor(kind: UnavailableKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }

  /** The message if callers may read it; undefined: use the message of the error code. */
  get publicMessage(): string | undefined {
    return this.kind === 'full' || this.kind === 'damaged' ? this.message : undefined
  }
}
