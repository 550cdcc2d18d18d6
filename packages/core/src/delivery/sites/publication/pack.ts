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

/** Where bytes are that were added to a pack. */
export interface PackedBytes {
  /** A blob that had them before; null: the pack itself, which has a name once it is finished. */
  readonly blob: StoredBlob | null
  readonly start: number
  readonly size: number
  /** SHA-256 of them, in hexadecimal. */
  readonly etag: string
}

/** Many files on their way into one blob. */
export interface Pack {
  /**
   * Resolves with where the bytes are, once there is room for more: who waits for it, or adds some at a time, holds no more than
   * those. They follow each other as they were added; equal ones are there once. The bytes are the pack's from then on.
   * Errors: what `put` of blobs fails with; what `abort` was given.
   */
  add(bytes: Uint8Array<ArrayBuffer>): Promise<PackedBytes>
  /** Keeps the pack, once what was added before is in it; null when nothing was. Errors: as `add`. */
  finish(): Promise<StoredBlob | null>
  /** Ends it with an error; resolves when nothing of it is left. What `finish` resolved with stays. */
  abort(reason: unknown): Promise<void>
}

/** Bytes that wait to be written: 4 MiB. At twice, publishing takes twice the memory; at half, rendering waits for the disk more often. */
const waitingBytes = 4 * 1024 * 1024

/** Digests made at the same time: as many as threads of Node make them. At twice they wait for each other. */
const digestsAtOnce = 4

/**
 * Begins a pack. `before` has bytes that are kept already, by etag: they are not added again.
 * Memory: 4 MiB, what is being added, and about 200 bytes for each file. Nothing is opened before the first bytes come.
 */
export function createPack(blobs: Blobs, before: ReadonlyMap<string, BlobPart> = new Map()): Pack {
  const queue = createByteQueue(waitingBytes)
  const digests = pLimit(digestsAtOnce)
  const added = new Map<string, PackedBytes>()
  let stored: Promise<StoredBlob> | null = null
  let end = 0
  let yieldToLoop: Promise<unknown> = Promise.resolve()
  const begin = () => {
    const putting = blobs.put(queue.bytes)
    // Whoever adds must not wait for a reader that is gone.
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
      const packing = Promise.all([digests(() => digestOf(bytes)), yieldToLoop]).then(([etag]) =>
        append(bytes, etag),
      )
      yieldToLoop = packing.catch(() => {})
      return packing
    },
    async finish() {
      await yieldToLoop
      queue.end()
      return stored
    },
    async abort(reason) {
      queue.fail(reason)
      await stored?.catch(() => {})
    },
  }
}

/** Where packed bytes are, once the pack is finished. */
export function partInPack({ blob, start, size, etag }: PackedBytes, pack: StoredBlob | null): BlobPart {
  const within = blob ?? pack
  if (!within) throw new Error('Bytes of a pack that was never kept are in no blob.')
  return { blob: within.hash, blobSize: within.size, start, size, etag }
}

function knownBytes(part: BlobPart | undefined): PackedBytes | undefined {
  if (!part) return undefined
  const { blob, blobSize, start, size, etag } = part
  return { blob: { hash: blob, size: blobSize }, start, size, etag }
}

/** Bytes that some add and one reads, of which only so many wait. */
interface ByteQueue {
  /** What was added, in that order; to be read once. Ends after `end`, throws what `fail` was given. */
  readonly bytes: Bytes
  /** Adds at once; resolves when there is room for more. Errors: what `fail` was given; throws after `end`. */
  add(bytes: Uint8Array): Promise<void>
  /** No more is added. Errors: what `fail` was given. */
  end(): void
  /** Ends the reading and every add with an error. Only the first one counts, and none after `end` once all was read. */
  fail(reason: unknown): void
}

/** A queue in which at most `most` bytes and one chunk wait when those who add wait for each other. */
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
  const requireSound = () => {
    if (failure) throw failure.reason
  }
  const isFull = () => held > most && failure === null
  async function* read() {
    for (;;) {
      requireSound()
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
      requireSound()
      if (isEnded) throw new Error('The queue has ended.')
      waiting.push(bytes)
      held += bytes.length
      notify()
      while (isFull()) await changed.promise
      requireSound()
    },
    end() {
      requireSound()
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
 * The bytes of a part of a blob, or of a range within that part; null when the blob is absent. All of a part is never passed off as good
 * when it is not: up to `verifiedWhole` bytes are checked before the first one is given (TRUST F13). A range relies on the scrub.
 * Errors: BlobCorrupt; BlobsUnavailable.
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
  return bytes && size <= verifiedWhole ? checked(bytes, part) : bytes
}

/** A range of a blob; null when that is absent. Errors: BlobCorrupt also for one beyond the end: the blob was cut then. */
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

async function checked(bytes: Bytes, { blob, etag }: BlobPart): Promise<Bytes> {
  const all = await collect(bytes)
  if ((await digestOf(all)) !== etag) throw new BlobCorrupt(blob)
  return once(all)
}

/** Nothing, as bytes. */
export async function* noBytes(): AsyncGenerator<Uint8Array> {}
