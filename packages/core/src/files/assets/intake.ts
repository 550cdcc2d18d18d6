import { type BytesIn, type Endpoint } from '@quire/contract'
import { mayDo, mayDoWithin } from '../../engine/access/permissions.ts'
import { notPermitted, type Call } from '../../engine/call.ts'
import { requireQuotaFor } from '../../engine/quotas.ts'
import { findItem, requireOnItem } from '../../content/items/find.ts'
import { findScope, requireOpen, type Scope } from '../../engine/scope.ts'
import { withText } from './file-text.ts'
import { type Branch } from '../../ports/index.ts'
import { receiveFile } from './received-file.ts'

/**
 * The input with its file kept, where it brings one: before the transaction, in which nothing may be waited for. Only who may upload
 * there is let in; what the file becomes is the operation's to check. Errors: `not_found`, `forbidden`, `invalid_state`, `precondition_failed`,
 * `too_large`.
 */
export async function withStoredFile(
  call: Call,
  endpoint: Endpoint,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (endpoint.body === 'tus') return input
  const scope = await requireUploader(call, input)
  await requireAsset(call, scope, input['assetId'])
  // The schema of every member `file` is the same.
  const bytes = input['file'] as BytesIn
  await requireQuotaFor(call, scope.repository.id, { bytes: bytes.size ?? 0, versions: 1 })
  // A body that is the file itself names none: in process the same counts as over HTTP.
  const name = endpoint.body === 'file' ? input['fileName'] : bytes.name
  const stored = await receiveFile(call, bytes, typeof name === 'string' ? name : undefined)
  // Renditions are pictures of what is found by its text, and not found themselves.
  return { ...input, file: input['rendition'] === undefined ? await withText(call, stored) : stored }
}

/** The place that an input names, for whoever may upload there. Errors: `not_found`, `forbidden`, `invalid_state`. */
export async function requireUploader(call: Call, input: Readonly<Record<string, unknown>>): Promise<Scope> {
  const { configId, repositoryId, packageName, type } = input
  const name = typeof packageName === 'string' && configId !== undefined ? { packageName } : {}
  const scope = await findScope(call, { configId: String(configId ?? repositoryId), ...name })
  requireOpen(scope.package)
  // The package that create-and-save names or makes is looked up with the save.
  const isSavedInto = packageName !== undefined || input['packageAction'] !== undefined
  const branch: Branch = isSavedInto ? { ...scope.branch, packageId: 'any' } : scope.branch
  requireUpload(call, branch, typeof type === 'string' ? type : undefined)
  return scope
}

/** Nobody sends gigabytes for an asset that is not there, or not theirs to change. Errors: `not_found`, `forbidden`, `precondition_failed`. */
async function requireAsset(call: Call, scope: Scope, assetId: unknown): Promise<void> {
  if (typeof assetId !== 'string') return
  const head = await findItem(call, scope, assetId)
  requireOnItem(call, head, { key: 'items.update', branch: scope.branch, roles: 'write' })
}

function requireUpload(call: Call, branch: Branch, type: string | undefined): void {
  const { permissions } = call.identity
  const may =
    type === undefined
      ? mayDoWithin(permissions, 'assets.upload', branch)
      : mayDo(permissions, 'assets.upload', { ...branch, type })
  if (!may) throw notPermitted(['assets.upload'])
}
