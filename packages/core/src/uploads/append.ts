import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { iterated } from '../assets/received-file.ts'
import type { Call } from '../call/call.ts'
import { BlobAbsent, StoreConflict, type Bytes } from '../ports/index.ts'
import { finishUpload } from './finish.ts'
import { keepingLock, lockUpload, updateLocked, type LockedUpload } from './lock.ts'
import { forgetUpload, presentUpload } from './state.ts'

type Append = Contract['uploads']['append']
type Input = ParsedOf<Append>

/**
 * Keeps bytes of an upload (TUS 1.0, PATCH): they count once they are durable, every 8 MiB and at the end. The last byte makes the asset.
 * Errors: `not_found`, `offset_conflict`, `upload_locked`; `checksum_mismatch`, and nothing counts; `too_large` for more bytes than were
 * announced; those of making the asset, which end the upload.
 */
export async function appendToUpload(call: Call, input: Input): Promise<OutputOf<Append>> {
  const upload = await lockUpload(call, input.uploadId, input.offset)
  const end = await write(call, upload, input)
  if (end === upload.length) return presentUpload(await finishUpload(call, upload))
  return presentUpload(await updateLocked(call, upload, { offset: end, isDone: 'yes' }))
}

/** Writes what comes; whatever happens, what is durable counts and the lock is given back. */
async function write(call: Call, upload: LockedUpload, { file, checksum }: Input): Promise<number> {
  const { id, offset, length, takesOver, turn, written } = upload
  const bytes = keepingLock(call, upload, within(iterated(file.stream()), length - offset))
  try {
    return await call.environment.blobs.partials.append(id, {
      offset,
      bytes,
      takesOver,
      turn,
      after: written,
      // The last bytes count only with the asset: an upload that is whole is never without one.
      onDurable: async (end) => {
        if (end < length) await updateLocked(call, upload, { offset: end, isDone: 'no' })
      },
      ...(checksum && { checksum }),
    })
  } catch (error) {
    // Without its bytes it is of no use to anybody: it is begun again.
    if (error instanceof BlobAbsent) await call.transaction((tx) => forgetUpload(call, tx, upload))
    else await updateLocked(call, upload, { isDone: 'yes' }).catch(() => undefined)
    // Another took its place while it wrote.
    throw error instanceof StoreConflict
      ? new QuireError('upload_locked', undefined, { cause: error })
      : error
  }
}

async function* within(bytes: Bytes, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most)
      throw new QuireError('too_large', 'More bytes came than the upload was announced to have.')
    yield chunk
  }
}
