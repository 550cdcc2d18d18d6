import pLimit from 'p-limit'
import { digestOf } from '../../../engine/digest.ts'
import type { BlobPart } from './manifest.ts'
import { once, type BlobRead } from '../../../files/assets/stored-bytes.ts'
import { collect } from '../../../engine/paging.ts'
import {
  type Blobs,
  type StoredBlob,
  type Bytes,
  BlobCorrupt,
  type ByteRange,
  verifiedWhole,
} from '../../../ports/index.ts'

/** The position of bytes that were added to a pack. */
export interface PackedBytes {
  /**
   * An older blob that contains the bytes; null for the pack itself, whose hash is known when it is
   * finished.
   */
  readonly blob: StoredBlob | null
  readonly start: number
  readonly size: number
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly etag: string
}

/** A writer that puts many files into one blob. */
export interface Pack {
  /**
   * Adds bytes, in the order of calls, and resolves with their position once there is room for
   * more. Equal bytes are stored once. A caller who waits for it holds only its own bytes in
   * memory. The caller must not change the bytes afterwards. Errors: those of the blobs' `put`; the
   * reason given to `abort`.
   */
  add(bytes: Uint8Array<ArrayBuffer>): Promise<PackedBytes>
  /** Waits for earlier adds and stores the pack; null when it is empty. Errors: those of `add`. */
  finish(): Promise<StoredBlob | null>
  /**
   * Discards the pack and fails pending calls with the reason. Has no effect on a finished pack.
   */
  abort(reason: unknown): Promise<void>
}

/**
 * Bytes queued for writing: 4 MiB. At twice, publishing takes twice the memory; at half, rendering
 * waits for the disk more often.
 */
const waitingBytes = 4 * 1024 * 1024

/** Concurrent digests: the size of Node's thread pool. At twice, they wait for each other. */
const digestsAtOnce = 4

/**
 * Creates a pack. `before` has parts of stored blobs by etag, which are not written again. Memory:
 * 4 MiB, the bytes being added, and about 200 bytes per file. Writing starts with the first bytes.
 */
export function createPack(blobs: Blobs, before: ReadonlyMap<string, BlobPart> = new Map()): Pack {
  const queue = createByteQueue(waitingBytes)
  const digests = pLimit(digestsAtOnce)
  const added = new Map<string, PackedBytes>()
  let stored: Promise<StoredBlob> | null = null
  let end = 0
  let lastAdd: Promise<unknown> = Promise.resolve()
  const begin = () => {
    const putting = blobs.put(queue.bytes)
    // Otherwise `add` would wait for a reader that has failed.
    putting.catch((error: unknown) => queue.fail(error))
    return putting
  }
  const append = async (bytes: Uint8Array, etag: string) => {
    const known = knownBytes(before.get(etag)) ?? added.get(etag)
    if (known) return known
    const packed = { blob: null, start: end, size: bytes.length, etag }
    added.set(etag, packed)
    end += bytes.length
    stored ??= begin()
    await queue.add(bytes)
    return packed
  }
  return {
    add(bytes) {
      const packing = Promise.all([digests(() => digestOf(bytes)), lastAdd]).then(([etag]) =>
        append(bytes, etag),
      )
      lastAdd = packing.catch(() => {})
      return packing
    },
    async finish() {
      await lastAdd
      queue.end()
      return stored
    },
    async abort(reason) {
      queue.fail(reason)
      await stored?.catch(() => {})
    },
  }
}

/** The blob part of packed bytes, once the pack is finished. */
export function partInPack({ blob, start, size, etag }: PackedBytes, pack: StoredBlob | null): BlobPart {
  const within = blob ?? pack
  if (!within) throw new Error('The pack was not stored, so its bytes are not in a blob.')
  return { blob: within.hash, blobSize: within.size, start, size, etag }
}

function knownBytes(part: BlobPart | undefined): PackedBytes | undefined {
  if (!part) return undefined
  const { blob, blobSize, start, size, etag } = part
  return { blob: { hash: blob, size: blobSize }, start, size, etag }
}

/** A bounded queue of bytes with several writers and one reader. */
interface ByteQueue {
  /**
   * The bytes in the order they were added; can be read once. Ends after `end`, throws the reason
   * given to `fail`.
   */
  readonly bytes: Bytes
  /**
   * Adds immediately, and resolves when there is room for more. Errors: the reason given to `fail`;
   * an error after `end`.
   */
  add(bytes: Uint8Array): Promise<void>
  /** Ends the queue. Errors: the reason given to `fail`. */
  end(): void
  /**
   * Fails the reader and every writer. Only the first call has an effect, and none does once
   * everything was read after `end`.
   */
  fail(reason: unknown): void
}

/**
 * Creates a queue of at most `most` bytes and one chunk, if writers wait for each `add` to resolve.
 */
export function createByteQueue(most: number): ByteQueue {
  const waiting: Uint8Array[] = []
  let held = 0
  let isEnded = false
  let failure: { readonly reason: unknown } | null = null
  let changed = Promise.withResolvers<void>()
  const notify = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const throwIfFailed = () => {
    if (failure) throw failure.reason
  }
  const isFull = () => held > most && failure === null
  async function* read() {
    for (;;) {
      throwIfFailed()
      const chunk = waiting.shift()
      if (!chunk && isEnded) return
      if (!chunk) {
        await changed.promise
        continue
      }
      held -= chunk.length
      notify()
      yield chunk
    }
  }
  return {
    bytes: read(),
    async add(bytes) {
      throwIfFailed()
      if (isEnded) throw new Error('The queue has ended.')
      waiting.push(bytes)
      held += bytes.length
      notify()
      while (isFull()) await changed.promise
      throwIfFailed()
    },
    end() {
      throwIfFailed()
      isEnded = true
      notify()
    },
    fail(reason) {
      failure ??= { reason }
      notify()
    },
  }
}

/**
 * Reads a part of a blob, or a range within the part; null when the blob is absent. A whole part of
 * up to `verifiedWhole` bytes is checked before its first byte is returned (TRUST F13). A range is
 * not checked; the scrub finds its damage. Errors: BlobCorrupt; BlobsUnavailable.
 */
export async function readPart(
  blobs: Blobs,
  part: BlobPart,
  { range, signal }: BlobRead = {},
): Promise<Bytes | null> {
  const { blob, start, size } = part
  if (range) return readRange(blobs, blob, { start: start + range.start, end: start + range.end, signal })
  if (size === part.blobSize) return blobs.read(blob, undefined, signal)
  if (size === 0) return (await blobs.stat(blob)) && noBytes()
  const bytes = await readRange(blobs, blob, { start, end: start + size - 1, signal })
  return bytes && size <= verifiedWhole ? verify(bytes, part) : bytes
}

/**
 * Reads a range of a blob; null when the blob is absent. Errors: BlobCorrupt, also for a range
 * beyond the end of a truncated blob.
 */
export async function readRange(
  blobs: Blobs,
  hash: string,
  { start, end, signal }: ByteRange & Pick<BlobRead, 'signal'>,
): Promise<Bytes | null> {
  try {
    return await blobs.read(hash, { start, end }, signal)
  } catch (error) {
    if (error instanceof RangeError) throw new BlobCorrupt(hash)
    throw error
  }
}

async function verify(bytes: Bytes, { blob, etag }: BlobPart): Promise<Bytes> {
  const all = await collect(bytes)
  if ((await digestOf(all)) !== etag) throw new BlobCorrupt(blob)
  return once(all)
}

/** An empty stream of bytes. */
export async function* noBytes(): AsyncGenerator<Uint8Array> {}
