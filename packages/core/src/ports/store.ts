import type { JobDispatch } from './dispatch.ts'
import type { EntityReader, EntityWriter } from './entity-store.ts'
import type { EphemeraReader, EphemeraWriter } from './ephemera.ts'
import type { JobReader, JobWriter } from './jobs.ts'
import type { JournalReader, JournalWriter } from './journal.ts'
import type { RecordReader, RecordWriter } from './records.ts'
import type { SearchIndexes, TextReader, TextWriter } from './search.ts'
import type { UsageReader, UsageWriter } from './usage.ts'

/** What was committed, at the moment of each call. */
export interface StoreReader {
  readonly entities: EntityReader
  readonly records: RecordReader
  readonly journal: JournalReader
  readonly jobs: JobReader
  readonly ephemera: EphemeraReader
  readonly texts: TextReader
  readonly usage: UsageReader
}

/** Inside a transaction: its own writes over what was committed. */
export interface Transaction extends StoreReader {
  readonly entities: EntityWriter
  readonly records: RecordWriter
  readonly journal: JournalWriter
  readonly jobs: JobWriter
  readonly ephemera: EphemeraWriter
  readonly texts: TextWriter
  readonly usage: UsageWriter
  /** A transaction within: what `work` wrote is undone when it throws, the outer one goes on. */
  nested<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** How a transaction ends. */
export interface TransactionOptions {
  /**
   * `false` does not wait until the disk has it: a power cut may take it back, the end of the process cannot. For what is said often and
   * can be said again; later transactions that are synced make it durable as well.
   *
   * @default true
   */
  readonly synced?: boolean
}

/** A store of everything but blobs. */
export interface Store extends StoreReader {
  readonly indexes: SearchIndexes
  /** Of a store that one process at a time can have open: which opening of it this is. Who held something in another one is gone. */
  readonly opening?: string
  /** Of a store that processes share and that tells them of jobs; else they look. */
  readonly dispatch?: JobDispatch
  /**
   * Runs `work` alone (serializable): all of its writes or none, and the promise resolves only once they are durable.
   * `work` must not wait for the network, the disk or a timer. A throw undoes the writes and is passed on.
   * Concurrent calls queue; none sees another's uncommitted writes unless both are made durable together.
   * Errors: StoreUnavailable when the store cannot write (full, read-only, closed).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Resolves when the store answers and can write. Errors: StoreUnavailable. */
  ping(): Promise<void>
  /**
   * Resolves when more may be added; absent where the disk is somebody else's. Cost: a look at the disk, once a second at most while there is room.
   * Errors: StoreUnavailable `full` when less is free on the disk than must stay so.
   */
  requireRoom?(): Promise<void>
  /**
   * Looks through all that is stored, beside those who read and write; absent where that is somebody else's work. Errors: StoreUnavailable
   * `damaged` when it found damage, after which nothing is written any more; of any other kind when it could not look.
   */
  verify?(): Promise<void>
  /** Waits for what is queued, then releases everything. Later calls reject with StoreUnavailable. */
  close(): Promise<void>
}

/** A write lost a race or met a taken name. `subject` is the entity id, the slug or the key in question. */
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
 * Why a store cannot do its work now. `full`: no room left; `busy`: try again; `closed`: stopped; `damaged`: what it keeps, or the disk under it, is no
 * longer to be trusted: it reads on as far as it can, and writes nothing until an operator has seen to it.
 */
export type UnavailableKind = 'full' | 'busy' | 'closed' | 'damaged'

/** The store cannot do its work now. Of `full` and `damaged` the message is for callers too: it names no place and no content. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly kind: UnavailableKind
  constructor(kind: UnavailableKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }

  /** The message, where callers may read it; undefined: the message of the error code serves. */
  get publicMessage(): string | undefined {
    return this.kind === 'full' || this.kind === 'damaged' ? this.message : undefined
  }
}
