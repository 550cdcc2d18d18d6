import pLimit from 'p-limit'
import { digestOf } from '../../../engine/digest.ts'
import type { Blobs, StoredBlob } from '../../../ports/index.ts'
import { createByteQueue } from './byte-queue.ts'
import type { BlobPart } from './manifest.ts'

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
