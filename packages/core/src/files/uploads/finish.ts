import { QuireError, type AssetDraft } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import type { Asset } from '../../content/items/asset.ts'
import { findItem, requireMayCreate } from '../../content/items/find.ts'
import { translateError } from '../../engine/errors.ts'
import { hasBefore } from '../../engine/hooks/before.ts'
import type { Entity } from '../../ports/index.ts'
import { saveAsset, saveFile, successor } from '../assets/create.ts'
import { takeFile, withText } from '../assets/file-text.ts'
import { hookedInput } from '../assets/hooked-input.ts'
import { describeFile, type ReceivedFile } from '../assets/received-file.ts'
import { draftOf, inLocaleOf } from './draft.ts'
import {
  expiryOf,
  findUpload,
  forgetUpload,
  holdingLock,
  removeOpen,
  requireOwnLock,
  storeUpload,
  updateLocked,
  type UploadLock,
  type UploadState,
} from './state.ts'

/** A complete upload whose lock this request holds. */
type UploadWithLock = UploadState & { readonly lock: UploadLock }

/**
 * Creates the asset of a complete upload: first the blob, then in one transaction the item and the
 * upload's final state. So each upload creates exactly one item, even after a crash. Errors: those
 * of the save; a refusal (4xx) ends the upload.
 */
export async function finishUpload(call: Call, upload: UploadWithLock): Promise<UploadState> {
  const { partials } = call.environment.blobs
  try {
    const { file, members } = await holdingLock(call, upload, async () => {
      const file = await fileOf(call, upload)
      return { file, members: await membersFor(await call.renewed(), upload, file) }
    })
    const current = await call.renewed()
    const done = await current.write((call) => saveUpload(call, { upload, file, members }))
    // The asset exists; anything left of the upload is swept later.
    await partials.discard(upload.id).catch(() => undefined)
    return done
  } catch (error) {
    await giveUp(call, upload, error)
    throw error
  }
}

async function fileOf(call: Call, { id, length, metadata, slot }: UploadWithLock): Promise<ReceivedFile> {
  const blob = await call.environment.blobs.partials.finish(id, length, slot)
  return withText(call, await describeFile(call, blob, metadata['filename'] ?? metadata['name']))
}

/**
 * The members of a new asset after the hook `before`; null if there is no hook for it. Errors: those
 * of `draftOf` and of the hook.
 */
async function membersFor(
  call: Call,
  { metadata }: UploadWithLock,
  file: ReceivedFile,
): Promise<AssetDraft | null> {
  if (!hasBefore(call, 'item')) return null
  const { scope, itemId, members } = await draftOf(call, metadata)
  if (itemId !== null) return null
  requireMayCreate(call, scope.branch, members.type)
  const packageName = scope.package?.name
  const on = { configId: scope.repository.id, ...(packageName !== undefined && { packageName }) }
  const { locale } = metadata
  const changed = await hookedInput(inLocaleOf(call, metadata), scope, {
    ...on,
    ...(locale && { locale }),
    ...members,
    file,
  })
  // The input of `assets.create` has the members of a draft, and its scope, locale and file.
  const { configId: _configId, packageName: _packageName, locale: _locale, file: _file, ...draft } = changed
  return draft
}

async function saveUpload(
  call: WriteCall,
  { upload, file, members }: { upload: UploadWithLock; file: ReceivedFile; members: AssetDraft | null },
): Promise<UploadState> {
  const state = requireOwnLock(await findUpload(call, upload.id, call.store.ephemera), upload.lock)
  const asset = await takeFile(call.store, file)
  const { id } = await saveItemOf(call, { upload, asset, members })
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
  { upload, asset, members }: { upload: UploadWithLock; asset: Asset; members: AssetDraft | null },
): Promise<Entity> {
  const { scope, itemId, fileName, ...draft } = await draftOf(call, upload.metadata)
  if (itemId === null)
    return saveAsset(inLocaleOf(call, upload.metadata), { scope, input: members ?? draft.members, asset })
  const item = await findItem(call, scope, itemId)
  return saveFile(call, { scope, item }, (old) => successor(old, asset, fileName))
}

/**
 * Ends an upload that was refused, because it would be refused again. Keeps one that failed, or
 * whose token expired, because it can be retried.
 */
async function giveUp(call: Call, upload: UploadWithLock, error: unknown): Promise<void> {
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
