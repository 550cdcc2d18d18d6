import { limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { requireUnlocked, syncedUpload } from './lock.ts'
import { findUpload, forgetUpload, presentUpload } from './state.ts'

type Group = Contract['uploads']

/** What the resumable upload can do (TUS 1.0, OPTIONS). */
export async function uploadCapabilities(): Promise<OutputOf<Group['capabilities']>> {
  return {
    version: '1.0.0',
    extensions: ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration'],
    maxSize: limits.fileBytes,
    checksumAlgorithms: ['sha1', 'sha256'],
  }
}

/** How far an upload is (TUS 1.0, HEAD). Errors: `not_found`. */
export async function getUpload(
  call: Call,
  { uploadId }: ParsedOf<Group['get']>,
): Promise<OutputOf<Group['get']>> {
  return presentUpload(await syncedUpload(call, uploadId))
}

/** Gives an upload up (TUS 1.0, termination); an asset that it became stays. Errors: `not_found`; `upload_locked` while bytes come. */
export async function terminateUpload(
  call: Call,
  { uploadId }: ParsedOf<Group['terminate']>,
): Promise<undefined> {
  await call.environment.store.transaction(async (tx) => {
    const upload = await findUpload(call, uploadId, tx.ephemera)
    requireUnlocked(call, upload)
    await forgetUpload(call, tx, upload)
  })
  await call.environment.blobs.partials.discard(uploadId)
  return undefined
}
