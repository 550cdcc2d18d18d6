/**
 * The kinds of record. Each is declared by the concept that owns it (`declare module
 * '../ports/records.ts'`, exported by `src/ports.ts`). A kind without an entry in `recordKeys` does
 * not compile.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- concepts fill it
export interface RecordKinds {}

/** The name of a record kind. */
export type RecordKind = keyof RecordKinds

/** A named record with a revision, which grows by one with every write. */
export type Stored<K extends RecordKind> = RecordKinds[K] & { readonly revision: number }

/** Reads of records. */
export interface RecordReader {
  /** Null when absent. */
  get<K extends RecordKind>(kind: K, id: string): Promise<Stored<K> | null>
  /**
   * Finds a record by one of the unique keys that `recordKeys` defines for its kind
   * (`name:magazine`); null when absent.
   */
  find<K extends RecordKind>(kind: K, key: string): Promise<Stored<K> | null>
  /** All records of a kind, ordered by id. Records are few (hundreds), so the list is not paged. */
  list<K extends RecordKind>(kind: K): Promise<readonly Stored<K>[]>
  /**
   * A number that changes when a record of a kind for which `isWatched` is true changes:
   * immediately for commits of this process, within a second for those of other processes. Values
   * computed from records may be cached while it stays the same.
   * Inside a transaction it also changes with the transaction's own writes, and never takes a value
   * that is seen outside it at any time. Cost: none.
   */
  generation(): number
}

/** Writes of records inside a transaction. */
export interface RecordWriter extends RecordReader {
  /**
   * Creates (`expectedRevision` 0) or replaces a record.
   * Concurrent calls: of two writers that expect the same revision exactly one wins.
   * Errors: StoreConflict `stale` when the record has another revision, exists already or is gone;
   * `key` when a unique key belongs to another record.
   */
  put<K extends RecordKind>(kind: K, record: RecordKinds[K], expectedRevision: number): Promise<Stored<K>>
  /** Errors: StoreConflict `stale` when the record has another revision or is gone. */
  delete(kind: RecordKind, id: string, expectedRevision: number): Promise<void>
}
