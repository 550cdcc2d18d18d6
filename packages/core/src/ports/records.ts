/**
 * The kinds of record, each declared by the concept that owns it (`declare module '../ports/records.ts'`, exported by `src/ports.ts`). One that
 * has no line in `recordKeys` does not compile.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- concepts fill it
export interface RecordKinds {}

/** The name of a kind. */
export type RecordKind = keyof RecordKinds

/** A plain named thing with a revision. `revision` grows by one with every write. */
export type Stored<K extends RecordKind> = RecordKinds[K] & { readonly revision: number }

/** Reads of records. */
export interface RecordReader {
  /** Null when absent. */
  get<K extends RecordKind>(kind: K, id: string): Promise<Stored<K> | null>
  /** By one of the unique keys that `recordKeys` gives for the kind (`name:magazine`); null when absent. */
  find<K extends RecordKind>(kind: K, key: string): Promise<Stored<K> | null>
  /** All of a kind, by id. Records are few (hundreds): this is not paged. */
  list<K extends RecordKind>(kind: K): Promise<readonly Stored<K>[]>
  /**
   * A number that changes when any record of a kind that `isWatched` does: at once for commits of this process, within a second for those of others.
   * What is computed from records may be kept while it stays the same. Inside a transaction it also changes with the
   * transaction's own writes, and never to a number that was or will be seen outside it. Cost: none.
   */
  generation(): number
}

/** Writes of records inside a transaction. */
export interface RecordWriter extends RecordReader {
  /**
   * Creates (`expectedRevision` 0) or replaces a record.
   * Concurrent calls: of two writers that expect the same revision exactly one wins.
   * Errors: StoreConflict `stale` when the record moved, exists or is gone; `key` when a unique key belongs to another record.
   */
  put<K extends RecordKind>(kind: K, record: RecordKinds[K], expectedRevision: number): Promise<Stored<K>>
  /** Errors: StoreConflict `stale` when the record moved or is gone. */
  delete(kind: RecordKind, id: string, expectedRevision: number): Promise<void>
}
