import { QuireError } from '@quire/contract'
import { saveAsset } from '../assets/create.ts'
import { takeFile, withText } from '../assets/file-text.ts'
import { describeFile, type ReceivedFile } from '../assets/received-file.ts'
import { saveFile, successor } from '../assets/replace.ts'
import { within, type Call } from '../call/call.ts'
import { translateError } from '../call/errors.ts'
import type { Asset } from '../items/asset.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { draftOf } from './draft.ts'
import { holdingLock, requireOwnLock, updateLocked } from './lock.ts'
import {
  expiryOf,
  findUpload,
  forgetUpload,
  keepUpload,
  removeOpen,
  type UploadLock,
  type UploadState,
} from './state.ts'

type Locked = UploadState & { readonly lock: UploadLock }

/**
 * Makes the asset of an upload that is whole: the blob first, then in one transaction the item and the word that the upload is done, so that
 * there is one item for each upload whatever happens between. Errors: those of the save; a refusal (4xx) ends the upload.
 */
export async function finishUpload(call: Call, upload: Locked): Promise<UploadState> {
  const { partials } = call.environment.blobs
  try {
    const file = await holdingLock(call, upload, () => fileOf(call, upload))
    const current = await call.renewed()
    const done = await call.environment.store.transaction((tx) => saveUpload(current, tx, { upload, file }))
    // What is left of it is swept: the asset is there.
    await partials.discard(upload.id).catch(() => undefined)
    return done
  } catch (error) {
    await giveUp(call, upload, error)
    throw error
  }
}

async function fileOf(call: Call, { id, length, metadata, turn }: Locked): Promise<ReceivedFile> {
  const blob = await call.environment.blobs.partials.finish(id, length, turn)
  return withText(call, await describeFile(call, blob, metadata['filename'] ?? metadata['name']))
}

async function saveUpload(
  call: Call,
  tx: Transaction,
  { upload, file }: { upload: Locked; file: ReceivedFile },
): Promise<UploadState> {
  const state = requireOwnLock(await findUpload(call, upload.id, tx.ephemera), upload.lock)
  const asset = await takeFile(tx, file)
  const { id } = await saveItemOf(within(call, tx), tx, { upload, asset })
  await removeOpen(call, tx, state)
  return keepUpload(tx, {
    ...state,
    offset: state.length,
    itemId: id,
    lock: null,
    expires: expiryOf(call),
  })
}

async function saveItemOf(
  call: Call,
  tx: Transaction,
  { upload, asset }: { upload: Locked; asset: Asset },
): Promise<Entity> {
  const { place, itemId, fileName, members } = await draftOf(call, upload.metadata)
  if (itemId === null) return saveAsset(call, tx, { place, input: members, asset })
  return saveFile(call, tx, { place, id: itemId, change: (old) => successor(old, asset, fileName) })
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
  await call.environment.store.transaction((tx) => forgetUpload(call, tx, upload))
  await call.environment.blobs.partials.discard(upload.id)
}
