import { QuireError, type BinarySource } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { DerivedPicture } from '../call/shared.ts'
import type { ByteRange, Bytes } from '../ports/index.ts'

/** The bytes of a blob that a row speaks of. Errors: `not_found` when it is missing, which is told in the log (TRUST F14). */
export async function openBlob(call: Call, hash: string, range?: ByteRange): Promise<Bytes> {
  const bytes = await call.environment.blobs.read(hash, range)
  if (bytes) return bytes
  call.environment.log.write('error', 'blob.missing', { hash, requestId: call.requestId })
  throw new QuireError('not_found', 'The file of this asset is missing: restore it from a backup.')
}

/** What a source says beside its bytes. */
type About = Omit<BinarySource, 'open' | 'size' | 'etag'>

/** A blob as it is served: its hash is its strong entity tag. */
export function blobSource(
  call: Call,
  { hash, size }: { readonly hash: string; readonly size: number },
  about: About,
): BinarySource {
  return { ...about, size, etag: hash, open: (range) => openBlob(call, hash, range) }
}

/** A derived picture as it is served: from memory until it is kept. */
export function pictureSource(call: Call, picture: DerivedPicture, about: About): BinarySource {
  const { bytes } = picture
  if (!bytes) return blobSource(call, picture, about)
  const open = async (range?: ByteRange) =>
    once(range ? bytes.slice(range.start, range.end + 1) : bytes.slice())
  return { ...about, size: picture.size, etag: picture.hash, open }
}

/** Bytes at hand, as a port takes and gives them. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
