/** Bytes as they come: a stream of Node and one of the web are both this. */
export type Bytes = AsyncIterable<Uint8Array>

/** An immutable binary, named by what it says. */
export interface StoredBlob {
  /** SHA-256 of its bytes, 64 hexadecimal digits in lower case. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
}

/** A blob with its age. */
export interface BlobListing extends StoredBlob {
  /** Unix ms at which it was last put. */
  readonly writtenDate: number
}

/** A part of a blob: its first and its last byte, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * What keeps binaries. A blob is kept once, whoever puts it and how often, and never changes. Names (hashes, ids, recipes) are the
 * engine's own: an adapter refuses others and never makes a path of what a caller sent.
 */
export interface Blobs {
  /** Where the binaries are, as `storage.objectStorageName` of an item says. */
  readonly name: string
  /**
   * Keeps bytes; durable when it resolves. Of bytes that are there already only the age begins anew.
   * A source that fails leaves nothing behind and is passed on. Concurrent calls with the same bytes: all get the same blob; with
   * `delete` and `writtenBefore`: the blob is there afterwards.
   * Errors: BlobsUnavailable `full` when no room is left, before or while the bytes come.
   */
  put(bytes: Bytes): Promise<StoredBlob>
  /** Null when absent. Cost: reads none of its bytes. */
  stat(hash: string): Promise<StoredBlob | null>
  /**
   * The bytes of a blob, or a part of them; null when absent. Leaving the loop early, or `return()`, releases what was opened.
   * A whole blob is never passed off as good when it is not: up to `verifiedWhole` bytes are checked before the first one is
   * given, and of a larger blob the last piece is held back until all are. A part relies on the scrub. Whoever gets bytes reads or leaves them.
   * `signal`: who asked may go before the bytes come. What is waited for ends then, so that nobody is in others' way for whoever is gone; a
   * storage that waits for nobody may leave it out. Errors: BlobCorrupt, at once or while the bytes come; BlobsUnavailable; any once the signal is aborted.
   */
  read(hash: string, range?: ByteRange, signal?: AbortSignal): Promise<Bytes | null>
  /**
   * An address from which anybody reads a blob for some time, past the engine: no right is asked for there, and bytes are not checked.
   * Whether the blob is there is not looked at. Absent: this storage has no such addresses. Errors: BlobsUnavailable.
   */
  locate?(hash: string, locating: Locating): Promise<string>
  /** Reads all of it, whatever was checked before. Errors: BlobsUnavailable. */
  verify(hash: string): Promise<'sound' | 'missing' | 'corrupt'>
  /** Removes a blob; with `writtenBefore` (Unix ms) only one that nobody put since. Absent is no error. */
  delete(hash: string, writtenBefore?: number): Promise<void>
  /** Every blob, in the order of hashes. What comes or goes meanwhile may be in it or not. */
  list(): AsyncIterable<BlobListing>
  /**
   * Removes what puts and uploads that were never finished left behind before `before` (Unix ms), and no blob. Absent: nothing is left behind but until
   * the storage is opened again. Errors: BlobsUnavailable.
   */
  sweep?(before: number): Promise<void>
  readonly derived: DerivedBlobs
  readonly partials: PartialBlobs
  /** Resolves when binaries can be read and written. Errors: BlobsUnavailable. */
  ping(): Promise<void>
}

/** What an address of a blob is good for, and what the storage says of the bytes there. */
export interface Locating {
  /** Seconds for which it can be used: 7 days at most. */
  readonly expiresIn: number
  readonly contentType: string
  /** What is to be done with them, in ASCII: `attachment; filename="a.pdf"`. */
  readonly contentDisposition: string
}

/** Bytes of a blob that are checked before the first is given (TRUST F13). */
export const verifiedWhole = 8 * 1024 * 1024

/** Which blob something was made of, and by which recipe. */
export interface DerivedName {
  readonly source: string
  /** 1 to 200 of `a-z`, `0-9`, `.`, `_` and `-`, beginning with a letter. */
  readonly recipe: string
}

/** What was made of a blob, with its age. */
export interface DerivedBlob extends DerivedName, StoredBlob {
  /** Unix ms at which it was kept or used last, as far as that is told: see `DerivedBlobs.use`. */
  readonly usedDate: number
}

/**
 * What was made of blobs, and need not be made again. A cache: anything may be lost, but nothing is ever wrong. Its bytes are its own and no blobs: no row
 * speaks of them, so that they can be removed at any time, and somebody's file of the same bytes stays.
 */
export interface DerivedBlobs {
  /** Null when nothing is kept. Cost: reads none of its bytes. */
  find(name: DerivedName): Promise<DerivedBlob | null>
  /** Keeps bytes, in place of others of that name. Errors: BlobsUnavailable, `full` when no room is left. */
  retain(name: DerivedName, bytes: Uint8Array): Promise<StoredBlob>
  /**
   * The bytes, or a part of them, checked as `Blobs.read` says; null when absent, or when others than `hash` took their place. What is removed
   * meanwhile is read to its end, or the reading fails. Errors: as `Blobs.read`.
   */
  read(
    name: DerivedName & Pick<StoredBlob, 'hash'>,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<Bytes | null>
  /** Reads all of it, whatever was checked before. Errors: BlobsUnavailable. */
  verify(name: DerivedName): Promise<'sound' | 'missing' | 'corrupt'>
  /** Tells that it is used now. A storage where that would be to copy it does nothing: there `usedDate` is when it was kept. Absent is no error. */
  use(name: DerivedName): Promise<void>
  /** Removes one, and its bytes at once. Absent is no error. */
  remove(name: DerivedName): Promise<void>
  /** Removes all that was made of a blob. */
  forget(source: string): Promise<void>
  /** Everything, in no order, also what `find` does not give because it is not whole. Cost: reads none of it. */
  list(): AsyncIterable<Omit<DerivedBlob, 'hash'>>
}

/** How the bytes of an append are proved. */
export interface Checksum {
  readonly algorithm: 'sha1' | 'sha256'
  /** The digest as base64. */
  readonly digest: string
}

/** Bytes to be added to a partial blob. */
export interface Append {
  /** Where they begin. What was written beyond, by an append that was cut, is discarded. */
  readonly offset: number
  readonly bytes: Bytes
  /**
   * Told each time when all bytes before a number of bytes, counted from the beginning of the blob, are durable: at least every
   * `durableEvery` bytes. The append waits for it; a throw ends the append and is passed on. Never told with a checksum.
   */
  readonly onDurable?: (end: number) => Promise<void>
  /** With one, nothing counts until all bytes were seen and it fits. */
  readonly checksum?: Checksum
  /**
   * Whether another append may still be under way in this process: it ends with StoreConflict as soon as it would write, and what
   * comes of it from now on is in no blob. Default: false. Cost: none by the bytes that are there.
   */
  readonly takesOver?: boolean
  /**
   * Where several processes append to one blob: which turn this is, from 0, one more whenever an append takes over, counted by what all of
   * them share. What is written in one turn is not seen in another but by whoever says so with `after`: an append of an earlier turn
   * that goes on in another process changes nothing any more. A storage of one process does not need it. Default: 0.
   */
  readonly slot?: number
  /** The turn in which the bytes before `offset` were written last. Default: 0, in which a blob begins. */
  readonly after?: number
}

/** Bytes after which a partial blob is made durable: what an upload has to send again at most (TRUST F03). */
export const durableEvery = 8 * 1024 * 1024

/**
 * Blobs that are still coming. The adapter keeps bytes only: how many of them count is the caller's to keep, and one append at a time
 * the caller's to see to. Ids are `UPLD_<ULID>`.
 */
export interface PartialBlobs {
  /** Begins an empty one. `size` is what is to come. Errors: BlobsUnavailable `full` when there is no room for it. */
  begin(id: string, size: number): Promise<void>
  /**
   * Writes bytes; resolves with where they end, once they are durable. A source that fails is passed on after what came was made
   * durable and told. Errors: BlobAbsent when there is none of this id, or it is shorter than `offset`; ChecksumMismatch, and the
   * bytes do not count; StoreConflict `stale` when another append took over; BlobsUnavailable, `full` also while the bytes come: what
   * was told as durable stays.
   */
  append(id: string, append: Append): Promise<number>
  /**
   * Makes a blob of the first `size` bytes, the last of which were written in `turn` (default: 0); durable when it resolves. Done a second time,
   * after a crash, it gives the same blob for as long as `discard` was not called. Errors: BlobAbsent when it has fewer bytes or is gone.
   */
  finish(id: string, size: number, slot?: number): Promise<StoredBlob>
  /** Removes one. Absent is no error. */
  discard(id: string): Promise<void>
  /** Every one, in no order. `writtenDate` is when it was last written, Unix ms. */
  list(): AsyncIterable<{ readonly id: string; readonly size: number; readonly writtenDate: number }>
}

/** What was to be read or continued is not there. */
export class BlobAbsent extends Error {
  override readonly name = 'BlobAbsent'
}

/** The bytes kept under a hash have another. */
export class BlobCorrupt extends Error {
  override readonly name = 'BlobCorrupt'
  readonly hash: string
  constructor(hash: string) {
    super(`The blob ${hash} is damaged: restore it from a backup.`)
    this.hash = hash
  }
}

/** The bytes of an append are not those that its checksum is of. */
export class ChecksumMismatch extends Error {
  override readonly name = 'ChecksumMismatch'
}

/** Binaries cannot be kept or read now. `full`: no room left; `failing`: the storage does not do its work. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'
  readonly kind: 'full' | 'failing'
  constructor(kind: 'full' | 'failing', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
