import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { requireTypeFor } from '../assets/file-types.ts'
import { invalid } from '../../engine/check-input.ts'
import { requireQuotaFor } from '../../engine/quotas.ts'
import { draftOf, type UploadDraft } from './draft.ts'
import { finishUpload } from './finish.ts'
import {
  addOpen,
  expiryOf,
  forgetUpload,
  storeUpload,
  ownerOf,
  serializeUpload,
  type UploadState,
  findUpload,
  requireUnlocked,
  syncedUpload,
  withLock,
  lockUpload,
  updateLocked,
  type LockedUpload,
} from './state.ts'
import { iterated } from '../../engine/served-bytes.ts'
import { BlobAbsent, StoreConflict, type Bytes } from '../../ports/index.ts'

type Create = Contract['uploads']['create']

/**
 * Begins an upload (TUS 1.0, creation and creation-with-upload). An upload of 0 bytes is complete
 * at once. Errors: `too_large`, `too_many_requests`, `quota_exceeded`; `not_found`, `forbidden`,
 * `invalid` for its metadata; with bytes, those of an append.
 */
async function createUpload(call: Call, input: ParsedOf<Create>): Promise<OutputOf<Create>> {
  const { length, metadata, file, checksum } = input
  if (length > limits.fileBytes)
    throw new QuireError('too_large', `A file has at most ${limits.fileBytes} bytes.`)
  const draft = await draftOf(call, metadata)
  requireSize(draft, length)
  const items = draft.itemId === null ? 1 : 0
  await requireQuotaFor(call, draft.scope.repository.id, { bytes: length, versions: 1, items })
  // A complete upload needs no check here: its bytes determine the type.
  if (draft.type === null && length > 0) await requireTypeFor(call, draft.scope, { ...metadata, length })
  const { uploadMetadata } = call.origin
  const sent = uploadMetadata !== undefined && { metadataText: uploadMetadata }
  const upload = await begin(call, { length, metadata: textsOf(metadata), ...sent })
  if (!file && length > 0) return serializeUpload(upload)
  const bytes = file ?? { stream: noBytes }
  const first = { uploadId: upload.id, offset: 0, file: bytes, ...(checksum && { checksum }) }
  try {
    return await appendToUpload(call, first)
  } catch (error) {
    // The client never learns its id, and it would count as open for a day.
    await forget(call, upload).catch(() => undefined)
    throw error
  }
}

/** Errors: `invalid` for more bytes than the type accepts, if it is known. */
function requireSize({ type }: UploadDraft, length: number): void {
  const maxBytes = type?.settings.maxBytes ?? Number.POSITIVE_INFINITY
  if (length > maxBytes)
    throw invalid([
      { path: 'length', message: `is more than the ${maxBytes} bytes of the content type "${type?.name}"` },
    ])
}

async function forget(call: Call, upload: UploadState): Promise<void> {
  await call.write((call) => forgetUpload(call, upload))
  await call.environment.blobs.partials.discard(upload.id)
}

async function begin(
  call: Call,
  members: Pick<UploadState, 'length' | 'metadata' | 'metadataText'>,
): Promise<UploadState> {
  const { blobs, ids } = call.environment
  const id = ids.next('UPLD')
  const state: UploadState = {
    ...members,
    id,
    owner: ownerOf(call),
    offset: 0,
    itemId: null,
    slot: 0,
    written: 0,
    lock: null,
    expires: expiryOf(call),
  }
  await blobs.partials.begin(id, members.length)
  try {
    return await call.write(async (call) => {
      await addOpen(call, state)
      return storeUpload(call.store, state)
    })
  } catch (error) {
    await blobs.partials.discard(id)
    throw error
  }
}

function textsOf(metadata: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(given)
}

async function* noBytes(): AsyncGenerator<Uint8Array> {
  // An upload of no bytes.
}

type Group = Contract['uploads']

/** The capabilities of the upload endpoint (TUS 1.0, OPTIONS). */
async function uploadCapabilities(): Promise<OutputOf<Group['capabilities']>> {
  return {
    version: '1.0.0',
    extensions: ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration'],
    maxSize: limits.fileBytes,
    checksumAlgorithms: ['sha1', 'sha256'],
  }
}

/** How many bytes of an upload have arrived (TUS 1.0, HEAD). Errors: `not_found`. */
async function getUpload(call: Call, { uploadId }: ParsedOf<Group['get']>): Promise<OutputOf<Group['get']>> {
  return serializeUpload(await syncedUpload(call, uploadId))
}

/**
 * Abandons an upload (TUS 1.0, termination); an asset that it already became stays. Errors:
 * `not_found`; `upload_locked` while bytes arrive.
 */
async function terminateUpload(call: Call, { uploadId }: ParsedOf<Group['terminate']>): Promise<undefined> {
  await call.write(async (call) => {
    const upload = await findUpload(call, uploadId, call.store.ephemera)
    requireUnlocked(call, upload)
    await forgetUpload(call, upload)
  })
  await call.environment.blobs.partials.discard(uploadId)
  return undefined
}

export { appendToUpload as append }

export {
  createUpload as create,
  getUpload as get,
  terminateUpload as terminate,
  uploadCapabilities as capabilities,
}

type Append = Contract['uploads']['append']
type Input = ParsedOf<Append>

/**
 * Appends bytes to an upload (TUS 1.0, PATCH). They count once they are durable, every 8 MiB and at
 * the end. The last byte creates the asset. Errors: `not_found`, `offset_conflict`,
 * `upload_locked`; `checksum_mismatch`, in which case nothing counts; `too_large` for more bytes
 * than announced; those of creating the asset, which end the upload.
 */
async function appendToUpload(call: Call, input: Input): Promise<OutputOf<Append>> {
  const upload = await lockUpload(call, input.uploadId, input.offset)
  const end = await write(call, upload, input)
  if (end === upload.length) return serializeUpload(await finishUpload(call, upload))
  return serializeUpload(await updateLocked(call, upload, { offset: end, isDone: 'yes' }))
}

/**
 * Writes the bytes as they arrive. In every case the durable bytes count and the lock is released.
 */
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
      // The last bytes count only together with the asset: a complete upload always has one.
      onDurable: async (end) => {
        if (end < length) await updateLocked(call, upload, { offset: end, isDone: 'no' })
      },
      ...(checksum && { checksum }),
    })
  } catch (error) {
    // Without its bytes the upload is useless: the client has to start again.
    if (error instanceof BlobAbsent) await call.write((call) => forgetUpload(call, upload))
    else await updateLocked(call, upload, { isDone: 'yes' }).catch(() => undefined)
    // Another append took over while this one was writing.
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
      throw new QuireError('too_large', 'The request has more bytes than were announced for the upload.')
    yield chunk
  }
}
