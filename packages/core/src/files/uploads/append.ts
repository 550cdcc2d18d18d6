import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { iterated, describeFile, type ReceivedFile } from '../assets/received-file.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { BlobAbsent, StoreConflict, type Bytes, type Entity } from '../../ports/index.ts'
import { withLock, lockUpload, updateLocked, type LockedUpload, holdingLock, requireOwnLock } from './lock.ts'
import {
  forgetUpload,
  serializeUpload,
  expiryOf,
  findUpload,
  storeUpload,
  removeOpen,
  type UploadLock,
  type UploadState,
} from './state.ts'
import { saveAsset } from '../assets/create.ts'
import { takeFile, withText } from '../assets/file-text.ts'
import { saveFile, successor } from '../assets/replace.ts'
import { translateError } from '../../engine/errors.ts'
import type { Asset } from '../../content/items/asset.ts'
import { draftOf } from './draft.ts'

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
  if (end === upload.length) return serializeUpload(await finishUpload(call, upload))
  return serializeUpload(await updateLocked(call, upload, { offset: end, isDone: 'yes' }))
}

/** Writes what comes; whatever happens, what is durable counts and the lock is given back. */
async function write(call: Call, upload: LockedUpload, { file, checksum }: Input): Promise<number> {
  const { id, offset, length, takesOver, slot, written } = upload
  const bytes = withLock(call, upload, within(iterated(file.stream()), length - offset))
  try {
    return await call.environment.blobs.partials.append(id, {
      offset,
      bytes,
      takesOver,
      slot,
      after: written,
      // The last bytes count only with the asset: an upload that is whole is never without one.
      onDurable: async (end) => {
        if (end < length) await updateLocked(call, upload, { offset: end, isDone: 'no' })
      },
      ...(checksum && { checksum }),
    })
  } catch (error) {
    // Without its bytes it is of no use to anybody: it is begun again.
    if (error instanceof BlobAbsent) await call.write((call) => forgetUpload(call, upload))
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

type Locked = UploadState & { readonly lock: UploadLock }

/**
 * Makes the asset of an upload that is whole: the blob first, then in one transaction the item and the word that the upload is done, so that
 * there is one item for each upload whatever happens between. Errors: those of the save; a refusal (4xx) ends the upload.
 */
async function finishUpload(call: Call, upload: Locked): Promise<UploadState> {
  const { partials } = call.environment.blobs
  try {
    const file = await holdingLock(call, upload, () => fileOf(call, upload))
    const current = await call.renewed()
    const done = await current.write((call) => saveUpload(call, { upload, file }))
    // What is left of it is swept: the asset is there.
    await partials.discard(upload.id).catch(() => undefined)
    return done
  } catch (error) {
    await giveUp(call, upload, error)
    throw error
  }
}

async function fileOf(call: Call, { id, length, metadata, slot }: Locked): Promise<ReceivedFile> {
  const blob = await call.environment.blobs.partials.finish(id, length, slot)
  return withText(call, await describeFile(call, blob, metadata['filename'] ?? metadata['name']))
}

async function saveUpload(
  call: WriteCall,
  { upload, file }: { upload: Locked; file: ReceivedFile },
): Promise<UploadState> {
  const state = requireOwnLock(await findUpload(call, upload.id, call.store.ephemera), upload.lock)
  const asset = await takeFile(call.store, file)
  const { id } = await saveItemOf(call, { upload, asset })
  await removeOpen(call, state)
  return storeUpload(call.store, {
    ...state,
    offset: state.length,
    itemId: id,
    lock: null,
    expires: expiryOf(call),
  })
}

async function saveItemOf(
  call: WriteCall,
  { upload, asset }: { upload: Locked; asset: Asset },
): Promise<Entity> {
  const { scope, itemId, fileName, members } = await draftOf(call, upload.metadata)
  if (itemId === null) return saveAsset(call, { scope, input: members, asset })
  return saveFile(call, { scope, id: itemId, change: (old) => successor(old, asset, fileName) })
}

/** What was refused would be refused again: it ends the upload. What failed can be tried again, as can what came with a token that ran out. */
async function giveUp(call: Call, upload: Locked, error: unknown): Promise<void> {
  const known = translateError(error, call.requestId)
  const isLost = known instanceof QuireError && known.code === 'upload_locked'
  if (isLost) return
  if (known.status >= 500 || known.status === 401) {
    await updateLocked(call, upload, { isDone: 'yes' }).catch(() => undefined)
    return
  }
  await call.write((call) => forgetUpload(call, upload))
  await call.environment.blobs.partials.discard(upload.id)
}
