import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { appendToUpload } from './append.ts'
import { draftOf, type UploadDraft } from './draft.ts'
import {
  addOpen,
  expiryOf,
  forgetUpload,
  keepUpload,
  ownerOf,
  presentUpload,
  type UploadState,
} from './state.ts'

type Create = Contract['uploads']['create']

/**
 * Begins an upload (TUS 1.0, creation and creation-with-upload). One of no bytes is whole at once.
 * Errors: `too_large`, `too_many_requests`; `not_found`, `forbidden`, `invalid` for what its metadata asks; with bytes those of an append.
 */
export async function createUpload(call: Call, input: ParsedOf<Create>): Promise<OutputOf<Create>> {
  const { length, metadata, file, checksum } = input
  if (length > limits.fileBytes)
    throw new QuireError('too_large', `A file has at most ${limits.fileBytes} bytes.`)
  requireSize(await draftOf(call, metadata), length)
  const upload = await begin(call, { length, metadata: textsOf(metadata) })
  if (!file && length > 0) return presentUpload(upload)
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
  const { blobs, store } = call.environment
  await store.transaction((tx) => forgetUpload(call, tx, upload))
  await blobs.partials.discard(upload.id)
}

async function begin(call: Call, said: Pick<UploadState, 'length' | 'metadata'>): Promise<UploadState> {
  const { blobs, ids, store } = call.environment
  const id = ids.next('UPLD')
  const state: UploadState = {
    ...said,
    id,
    owner: ownerOf(call),
    offset: 0,
    itemId: null,
    turn: 0,
    written: 0,
    lock: null,
    expires: expiryOf(call),
  }
  await blobs.partials.begin(id, said.length)
  try {
    return await store.transaction(async (tx) => {
      await addOpen(call, tx, state)
      return keepUpload(tx, state)
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
