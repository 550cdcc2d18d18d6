import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { requireTypeFor } from '../assets/type-by-name.ts'
import { invalid } from '../../engine/check-input.ts'
import { requireQuotaFor } from '../../engine/quotas.ts'
import { appendToUpload } from './append.ts'
import { draftOf, type UploadDraft } from './draft.ts'
import {
  addOpen,
  expiryOf,
  forgetUpload,
  storeUpload,
  ownerOf,
  serializeUpload,
  type UploadState,
  findUpload,
} from './state.ts'
import { requireUnlocked, syncedUpload } from './lock.ts'

type Create = Contract['uploads']['create']

/**
 * Begins an upload (TUS 1.0, creation and creation-with-upload). One of no bytes is whole at once.
 * Errors: `too_large`, `too_many_requests`, `quota_exceeded`; `not_found`, `forbidden`, `invalid` for what its metadata asks; with bytes those of an append.
 */
async function createUpload(call: Call, input: ParsedOf<Create>): Promise<OutputOf<Create>> {
  const { length, metadata, file, checksum } = input
  if (length > limits.fileBytes)
    throw new QuireError('too_large', `A file has at most ${limits.fileBytes} bytes.`)
  const draft = await draftOf(call, metadata)
  requireSize(draft, length)
  const items = draft.itemId === null ? 1 : 0
  await requireQuotaFor(call, draft.scope.repository.id, { bytes: length, versions: 1, items })
  // Of one that is whole at once the bytes are there to tell.
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
    // Nobody learns its id: it would count as open for a day.
    await forget(call, upload).catch(() => undefined)
    throw error
  }
}

/** Errors: `invalid` for more bytes than the type takes, where it is known. */
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

/** What the resumable upload can do (TUS 1.0, OPTIONS). */
async function uploadCapabilities(): Promise<OutputOf<Group['capabilities']>> {
  return {
    version: '1.0.0',
    extensions: ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration'],
    maxSize: limits.fileBytes,
    checksumAlgorithms: ['sha1', 'sha256'],
  }
}

/** How far an upload is (TUS 1.0, HEAD). Errors: `not_found`. */
async function getUpload(call: Call, { uploadId }: ParsedOf<Group['get']>): Promise<OutputOf<Group['get']>> {
  return serializeUpload(await syncedUpload(call, uploadId))
}

/** Gives an upload up (TUS 1.0, termination); an asset that it became stays. Errors: `not_found`; `upload_locked` while bytes come. */
async function terminateUpload(call: Call, { uploadId }: ParsedOf<Group['terminate']>): Promise<undefined> {
  await call.write(async (call) => {
    const upload = await findUpload(call, uploadId, call.store.ephemera)
    requireUnlocked(call, upload)
    await forgetUpload(call, upload)
  })
  await call.environment.blobs.partials.discard(uploadId)
  return undefined
}

export { appendToUpload as append } from './append.ts'

export {
  createUpload as create,
  getUpload as get,
  terminateUpload as terminate,
  uploadCapabilities as capabilities,
}
