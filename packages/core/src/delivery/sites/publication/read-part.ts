import { once, type BlobRead } from '../../../files/assets/stored-bytes.ts'
import { collect } from '../../../engine/collect.ts'
import { digestOf } from '../../../engine/digest.ts'
import { BlobCorrupt, type Blobs, type ByteRange, type Bytes, verifiedWhole } from '../../../ports/index.ts'
import type { BlobPart } from './manifest.ts'

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
