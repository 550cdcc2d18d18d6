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
 * Stores the file of an input, if it has one, and returns the input with the stored file. Called
 * before the transaction, which must not wait. Only checks that the caller may upload; the
 * operation checks everything else. Errors: `not_found`, `forbidden`, `invalid_state`,
 * `precondition_failed`, `too_large`.
 */
export async function withStoredFile(
  call: Call,
  endpoint: Endpoint,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  // What names no asset type and no branch to upload to is no asset: its operation reads it.
  if (endpoint.body === 'tus' || endpoint.plansItself) return input
  const scope = await requireUploader(call, input)
  await requireAsset(call, scope, input['assetId'])
  // The `file` members of all schemas are the same.
  const bytes = input['file'] as BytesIn
  await requireQuotaFor(call, scope.repository.id, { bytes: bytes.size ?? 0, versions: 1 })
  // A body that is the file itself has no name: in process the same rule applies as over HTTP.
  const name = endpoint.body === 'file' ? input['fileName'] : bytes.name
  const stored = await receiveFile(call, bytes, typeof name === 'string' ? name : undefined)
  // Renditions are not searched themselves, so their text is not extracted.
  return { ...input, file: input['rendition'] === undefined ? await withText(call, stored) : stored }
}

/**
 * The scope that an input names, for callers who may upload there. Errors: `not_found`,
 * `forbidden`, `invalid_state`.
 */
export async function requireUploader(call: Call, input: Readonly<Record<string, unknown>>): Promise<Scope> {
  const { configId, repositoryId, packageName, type } = input
  const name = typeof packageName === 'string' && configId !== undefined ? { packageName } : {}
  const scope = await findScope(call, { configId: String(configId ?? repositoryId), ...name })
  requireOpen(scope.package)
  // The package that create-and-save names or creates is looked up during the save.
  const isSavedInto = packageName !== undefined || input['packageAction'] !== undefined
  const branch: Branch = isSavedInto ? { ...scope.branch, packageId: 'any' } : scope.branch
  requireUpload(call, branch, typeof type === 'string' ? type : undefined)
  return scope
}

/**
 * Checks the asset first, so that nobody uploads gigabytes for one that does not exist or that they
 * may not change. Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
async function requireAsset(call: Call, scope: Scope, assetId: unknown): Promise<void> {
  if (typeof assetId !== 'string') return
  const head = await findItem(call, scope, assetId)
  requireOnItem(call, head, { key: 'items.update', branch: scope.branch, to: 'change' })
}

function requireUpload(call: Call, branch: Branch, type: string | undefined): void {
  const { permissions } = call.identity
  const may =
    type === undefined
      ? mayDoWithin(permissions, 'assets.upload', branch)
      : mayDo(permissions, 'assets.upload', { ...branch, type })
  if (!may) throw notPermitted(['assets.upload'])
}
