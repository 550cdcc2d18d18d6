import { QuireError, type BinarySource } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { ByteRange, Bytes } from '../ports/index.ts'

/** The bytes of a blob that a row speaks of. Errors: `not_found` when it is missing, which is told in the log (TRUST F14). */
export async function openBlob(call: Call, hash: string, range?: ByteRange): Promise<Bytes> {
  const bytes = await call.environment.blobs.read(hash, range)
  if (bytes) return bytes
  call.environment.log.write('error', 'blob.missing', { hash, requestId: call.requestId })
  throw new QuireError('not_found', 'The file of this asset is missing: restore it from a backup.')
}

/** A blob as it is served: its hash is its strong entity tag. */
export function blobSource(
  call: Call,
  { hash, size }: { readonly hash: string; readonly size: number },
  about: Omit<BinarySource, 'open' | 'size' | 'etag'>,
): BinarySource {
  return { ...about, size, etag: hash, open: (range) => openBlob(call, hash, range) }
}
