import { QuireError, type BinarySource } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { digestOf } from '../../engine/digest.ts'
import { BlobCorrupt, type ByteRange, type Bytes, type StoredBlob } from '../../ports/index.ts'

/** Which range of a blob to read, and a signal that is aborted when the caller goes away. */
export interface BlobRead {
  readonly range?: ByteRange | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The bytes of a blob that a row refers to. Errors: `not_found` when it is missing, which is also
 * logged (TRUST F14).
 */
export async function openBlob(call: Call, hash: string, { range, signal }: BlobRead = {}): Promise<Bytes> {
  const bytes = await call.environment.blobs.read(hash, range, signal)
  if (bytes) return bytes
  call.environment.log.write('error', 'blob.missing', { hash, requestId: call.requestId })
  throw new QuireError('not_found', 'The file of this asset is missing: restore it from a backup.')
}

/**
 * All bytes of a blob that a row refers to, in memory. Errors: `not_found` when it is missing;
 * BlobCorrupt.
 */
export async function wholeBlob(call: Call, { hash, size }: StoredBlob): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(size)
  let end = 0
  for await (const piece of await openBlob(call, hash)) {
    if (end + piece.length > size) throw new BlobCorrupt(hash)
    all.set(piece, end)
    end += piece.length
  }
  if (end < size) throw new BlobCorrupt(hash)
  return all
}

/** The metadata of a source. */
type SourceInfo = Omit<BinarySource, 'open' | 'size' | 'etag'>

/** A blob as it is served; its hash is its strong entity tag. */
export function blobSource(call: Call, { hash, size }: StoredBlob, about: SourceInfo): BinarySource {
  return { ...about, size, etag: hash, open: (range) => openBlob(call, hash, { range, signal: call.signal }) }
}

/** An uploaded file, which clients may be redirected to the storage for. */
export function fileSource(call: Call, blob: StoredBlob, about: SourceInfo): BinarySource {
  const locate = locatorOf(call, blob)
  return { ...blobSource(call, blob, about), ...(locate && { locate }) }
}

/**
 * Bytes up to which the engine itself serves a file. At 100 Mbit/s, 1 MiB takes as long as the
 * three round trips of a new connection to the storage. At half, every image of a page takes the
 * detour.
 */
const mostGivenHere = 1024 * 1024

/**
 * Asks the storage for a URL of a blob; undefined when clients are not redirected. A missing or
 * truncated blob has no URL.
 */
function locatorOf({ environment }: Call, { hash, size }: StoredBlob): BinarySource['locate'] {
  const { blobs, redirectDownloads = false } = environment
  if (!redirectDownloads || !blobs.locate || size <= mostGivenHere) return undefined
  return async (about) => {
    const stored = await blobs.stat(hash)
    return stored?.size === size ? ((await blobs.locate?.(hash, about)) ?? null) : null
  }
}

/** Bytes in memory as they are served; their hash is their strong entity tag. */
export async function sourceAtHand(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Pick<BinarySource, 'size' | 'etag' | 'open'>> {
  return {
    size: bytes.length,
    etag: await digestOf(bytes),
    open: async (range) => once(range ? bytes.subarray(range.start, range.end + 1) : bytes),
  }
}

/** Bytes in memory as a stream of one chunk. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
