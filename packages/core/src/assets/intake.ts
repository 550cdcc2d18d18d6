import type { BytesIn, Endpoint } from '@quire/contract'
import { mayDo, readerFor } from '../access/permissions.ts'
import { notPermitted, type Call } from '../call/call.ts'
import { findItem, requireOnItem } from '../items/find.ts'
import { findPlace, requireOpen, type Place } from '../lines/lines.ts'
import { withText } from './file-text.ts'
import { receiveFile } from './received-file.ts'

/**
 * The input with its file kept, where it brings one: before the transaction, in which nothing may be waited for. Only who may upload
 * there is let in; what the file becomes is the operation's to check. Errors: `not_found`, `forbidden`, `invalid_state`, `precondition_failed`,
 * `too_large`.
 */
export async function withKeptFile(
  call: Call,
  endpoint: Endpoint,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const file = input['file']
  if (file === undefined || endpoint.body === 'tus') return input
  const place = await requireUploader(call, input)
  await requireAsset(call, place, input['assetId'])
  // The schema of every member `file` is the same.
  const bytes = file as BytesIn
  // A body that is the file itself names none: in process the same counts as over HTTP.
  const name = endpoint.body === 'file' ? input['fileName'] : bytes.name
  const kept = await receiveFile(call, bytes, typeof name === 'string' ? name : undefined)
  // Renditions are pictures of what is found by its text, and not found themselves.
  return { ...input, file: input['rendition'] === undefined ? await withText(call, kept) : kept }
}

/** The place that an input names, for who may upload there. Errors: `not_found`, `forbidden`, `invalid_state`. */
export async function requireUploader(call: Call, input: Readonly<Record<string, unknown>>): Promise<Place> {
  const { configId, repositoryId, packageName, type } = input
  const name = typeof packageName === 'string' && configId !== undefined ? { packageName } : {}
  const place = await findPlace(call, { configId: String(configId ?? repositoryId), ...name })
  requireOpen(place.package)
  requireUpload(call, { repositoryId: place.repository.id, ...(typeof type === 'string' && { type }) })
  return place
}

/** Nobody sends gigabytes for an asset that is not there, or not theirs to change. Errors: `not_found`, `forbidden`, `precondition_failed`. */
async function requireAsset(call: Call, place: Place, assetId: unknown): Promise<void> {
  if (typeof assetId !== 'string') return
  const head = await findItem(call, place, assetId)
  requireOnItem(call, head, { key: 'items.update', roles: 'write' })
}

function requireUpload(call: Call, target: { repositoryId: string; type?: string }): void {
  const { permissions } = call.identity
  if (target.type !== undefined && mayDo(permissions, 'assets.upload', target)) return
  const { types } = readerFor(permissions, 'assets.upload', target.repositoryId)
  if (target.type === undefined && (types === 'all' || types.length > 0)) return
  throw notPermitted(['assets.upload'])
}
