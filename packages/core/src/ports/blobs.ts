/** A stream of bytes: both Node streams and web streams satisfy this type. */
export type Bytes = AsyncIterable<Uint8Array>

/** An immutable binary, named by the hash of its content. */
export interface StoredBlob {
  /** SHA-256 of its bytes, 64 hexadecimal digits in lower case. */
  readonly hash: string
  /** Size in bytes. */
  readonly size: number
}

/** A blob with the time it was last written. */
export interface BlobListing extends StoredBlob {
  /** Unix ms of the last `put`. */
  readonly writtenDate: number
}

/** A range of a blob: its first and its last byte, both inclusive and counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The storage for blobs. Each blob is stored once, however often and by whomever it is put, and it
 * never changes.
 * Names (hashes, ids, recipes) come from the engine. An adapter rejects any other name and never
 * builds a path from caller input.
 */
export interface Blobs {
  /** Identifies the storage; returned to API users as `storage.objectStorageName` of an item. */
  readonly name: string
  /**
   * Stores the bytes; they are durable when it resolves. If the blob exists already, only its age
   * is reset.
   * When the source fails, nothing is stored and the source's error is rethrown.
   * Concurrent calls: calls with the same bytes all get the same blob. When a call races with
   * `delete` and `writtenBefore`, the blob exists afterwards.
   * Errors: BlobsUnavailable `full` when there is not enough room, either at the start or while the
   * bytes arrive.
   */
  put(bytes: Bytes): Promise<StoredBlob>
  /** The hash and size of a blob; null when absent. Cost: reads none of its bytes. */
  stat(hash: string): Promise<StoredBlob | null>
  /**
   * The bytes of a blob, or a range of them; null when absent. Breaking out of the loop, or calling
   * `return()`, releases the resources. The caller must do that or read to the end.
   * A damaged blob is never delivered as if it were whole. A blob of up to `verifiedWhole` bytes is
   * verified before its first byte is returned. For a larger blob the last chunk is held back until
   * all bytes are verified. A range is not verified; it relies on the scrub.
   * `signal` ends the wait for the bytes when the caller has gone away, so that an abandoned read
   * does not block others. An adapter that never waits may ignore it.
   * Errors: BlobCorrupt, immediately or while the bytes are read; BlobsUnavailable; any error once
   * the signal is aborted.
   */
  read(hash: string, range?: ByteRange, signal?: AbortSignal): Promise<Bytes | null>
  /**
   * A URL from which anyone can read the blob for a limited time, directly from the storage:
   * permissions are not checked there and bytes are not verified. Does not check that the blob
   * exists.
   * An adapter without such URLs omits this method. Errors: BlobsUnavailable.
   */
  locate?(hash: string, options: Locating): Promise<string>
  /**
   * Reads the whole blob and compares its hash, even if it was verified before. Errors:
   * BlobsUnavailable.
   */
  verify(hash: string): Promise<'sound' | 'missing' | 'corrupt'>
  /**
   * Deletes a blob; with `writtenBefore` (Unix ms) only if nobody has put it since. Absent is not
   * an error.
   */
  delete(hash: string, writtenBefore?: number): Promise<void>
  /**
   * Lists every blob in hash order. Blobs added or deleted meanwhile may or may not be included.
   */
  list(): AsyncIterable<BlobListing>
  /**
   * Removes what unfinished puts and uploads left behind before `before` (Unix ms). Never removes a
   * blob.
   * An adapter whose leftovers do not survive reopening the storage omits this method. Errors:
   * BlobsUnavailable.
   */
  sweep?(before: number): Promise<void>
  readonly derived: DerivedBlobs
  readonly partials: PartialBlobs
  /** Resolves when the storage can be read and written. Errors: BlobsUnavailable. */
  ping(): Promise<void>
}

/** The lifetime of a blob's URL, and the headers that the storage sends with the bytes. */
export interface Locating {
  /** Seconds until the URL expires: 7 days at most. */
  readonly expiresIn: number
  readonly contentType: string
  /** The Content-Disposition header, in ASCII: `attachment; filename="a.pdf"`. */
  readonly contentDisposition: string
}

/** The largest blob, in bytes, that is verified before its first byte is returned (TRUST F13). */
export const verifiedWhole = 8 * 1024 * 1024

/** The name of a derived blob: the blob it was made from, and the recipe. */
export interface DerivedName {
  readonly source: string
  /** 1 to 200 characters of `a-z`, `0-9`, `.`, `_` and `-`, starting with a letter. */
  readonly recipe: string
}

/** A derived blob with the time it was last used. */
export interface DerivedBlob extends DerivedName, StoredBlob {
  /**
   * Unix ms at which it was stored or last used. Not every storage records uses: see
   * `DerivedBlobs.use`.
   */
  readonly usedDate: number
}

/**
 * Files derived from blobs. This is a cache: an entry may disappear at any time, but it is never
 * wrong.
 * The bytes are not blobs, even when a blob has the same bytes: no row refers to them, so they can
 * be removed at any time without affecting anyone's file.
 */
export interface DerivedBlobs {
  /** Null when nothing is stored under this name. Cost: reads none of its bytes. */
  find(name: DerivedName): Promise<DerivedBlob | null>
  /**
   * Stores the bytes, replacing any stored under this name. Errors: BlobsUnavailable, `full` when
   * there is not enough room.
   */
  retain(name: DerivedName, bytes: Uint8Array): Promise<StoredBlob>
  /**
   * The bytes, or a range of them, verified in the same way as by `Blobs.read`; null when absent,
   * or when the bytes now stored under this name have another hash. When the entry is removed
   * during the read, the read either completes or fails. Errors: as for `Blobs.read`.
   */
  read(
    name: DerivedName & Pick<StoredBlob, 'hash'>,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<Bytes | null>
  /**
   * Reads all the bytes and compares their hash, even if they were verified before. Errors:
   * BlobsUnavailable.
   */
  verify(name: DerivedName): Promise<'sound' | 'missing' | 'corrupt'>
  /**
   * Sets `usedDate` to now. A storage that would have to copy the bytes for this does nothing;
   * there `usedDate` is the time it was stored. Absent is not an error.
   */
  use(name: DerivedName): Promise<void>
  /** Removes one entry and its bytes immediately. Absent is not an error. */
  remove(name: DerivedName): Promise<void>
  /** Removes everything derived from one blob. */
  forget(source: string): Promise<void>
  /**
   * Every entry, in no particular order, including incomplete ones that `find` does not return.
   * Cost: reads none of their bytes.
   */
  list(): AsyncIterable<Omit<DerivedBlob, 'hash'>>
}

/** The checksum of the bytes of one append. */
export interface Checksum {
  readonly algorithm: 'sha1' | 'sha256'
  /** The digest in base64. */
  readonly digest: string
}

/** Bytes to add to a partial blob. */
export interface Append {
  /** Position of the first byte. Bytes beyond it, left by an interrupted append, are discarded. */
  readonly offset: number
  readonly bytes: Bytes
  /**
   * Called whenever more bytes have become durable, with the number of durable bytes counted from
   * the beginning of the blob: at least once every `durableEvery` bytes. The append waits for the
   * callback. If the callback throws, the append ends and rethrows the error. Never called when
   * there is a checksum.
   */
  readonly onDurable?: (end: number) => Promise<void>
  /** If present, the bytes count only after all of them have arrived and match. */
  readonly checksum?: Checksum
  /**
   * Whether another append may still be running in this process. If so, that one fails with
   * StoreConflict at its next write, and nothing that it writes from now on becomes part of a blob.
   * Default: false. Cost: does not depend on the number of bytes already stored.
   */
  readonly takesOver?: boolean
  /**
   * A fencing number for appends from several processes to one blob. It starts at 0 and grows by
   * one with every takeover; the caller counts it in the database that the processes share.
   * Bytes written in one slot are invisible in another, except to an append that names that slot in
   * `after`. So an append with an earlier slot that is still running in another process no longer
   * changes anything. A storage that only one process uses does not need it. Default: 0.
   */
  readonly slot?: number
  /**
   * The slot in which the bytes before `offset` were last written. Default: 0, the slot in which
   * every blob begins.
   */
  readonly after?: number
}

/**
 * Number of bytes after which a partial blob is made durable: the most that a client has to send
 * again after a crash (TRUST F03).
 */
export const durableEvery = 8 * 1024 * 1024

/**
 * Blobs that are still being uploaded. The adapter stores only the bytes. The caller records how
 * many of them count and runs one append at a time. Ids have the form `UPLD_<ULID>`.
 */
export interface PartialBlobs {
  /**
   * Creates an empty partial blob. `size` is the number of bytes expected. Errors: BlobsUnavailable
   * `full` when there is not enough room for them.
   */
  begin(id: string, size: number): Promise<void>
  /**
   * Writes bytes and resolves with their end position once they are durable. When the source fails,
   * the bytes received so far are made durable and reported to `onDurable`; then the source's error
   * is rethrown.
   * Errors: BlobAbsent when the id does not exist or its blob is shorter than `offset`;
   * ChecksumMismatch, in which case the bytes do not count; StoreConflict `stale` when another
   * append has taken over; BlobsUnavailable, `full` also while the bytes arrive. Bytes already
   * reported as durable stay.
   */
  append(id: string, append: Append): Promise<number>
  /**
   * Makes a blob of the first `size` bytes, the last of which were written in `slot` (default: 0);
   * it is durable when it resolves. Calling it again after a crash returns the same blob until
   * `discard` is called. Errors: BlobAbsent when there are fewer bytes or the id does not exist.
   */
  finish(id: string, size: number, slot?: number): Promise<StoredBlob>
  /** Removes a partial blob. Absent is not an error. */
  discard(id: string): Promise<void>
  /**
   * Every partial blob, in no particular order. `writtenDate` is the time of the last write in Unix
   * ms.
   */
  list(): AsyncIterable<{ readonly id: string; readonly size: number; readonly writtenDate: number }>
}

/** The blob or partial blob to read or continue does not exist. */
export class BlobAbsent extends Error {
  override readonly name = 'BlobAbsent'
}

/** The bytes stored under a hash do not match it. */
export class BlobCorrupt extends Error {
  override readonly name = 'BlobCorrupt'
  readonly hash: string
  constructor(hash: string) {
    super(`The blob ${hash} is damaged: restore it from a backup.`)
    this.hash = hash
  }
}

/** The bytes of an append do not match its checksum. */
export class ChecksumMismatch extends Error {
  override readonly name = 'ChecksumMismatch'
}

/**
 * Blobs cannot be stored or read at the moment. `full`: not enough room; `failing`: the storage
 * does not work.
 */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'
  readonly kind: 'full' | 'failing'
  constructor(kind: 'full' | 'failing', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
