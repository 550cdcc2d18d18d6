import type { Endpoint, KeyPermission, ParsedOf } from '@quire/contract'
import { findItemTarget, type ItemRef, type ItemTarget, type TypeTarget } from './content/items/find.ts'
import { findSiteTarget, type SiteRef, type SiteTarget } from './delivery/sites/find.ts'
import { requirePermission, type Call, type WriteCall } from './engine/call.ts'
import { findScope, type ScopeRef } from './engine/scope.ts'
import type { Entity, StoredJson } from './ports/index.ts'

/**
 * What `run` finds for an operation and checks before it: see `PermissionTarget`. The other
 * operations get undefined, and find what they need themselves. An item that is named by its slug is
 * only read, so its stored JSON is enough.
 */
export type TargetOf<E extends Endpoint> = E['permission'] extends { readonly on: 'item' }
  ? ItemTarget<ParsedOf<E> extends { readonly slug: string } ? StoredJson : Entity>
  : E['permission'] extends { readonly on: 'site' }
    ? SiteTarget
    : E['permission'] extends { readonly on: 'type' }
      ? TypeTarget
      : undefined

/** The call of an operation: inside a transaction if its permission says that it changes its target. */
export type CallOf<E extends Endpoint> = E['permission'] extends { readonly to: string } ? WriteCall : Call

/**
 * Runs an operation on the target that its input names, if its permission is about one. A target
 * that is to change is found in the transaction that changes it, so that nobody can change it in
 * between. Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
export async function withTarget<T>(
  call: Call,
  { endpoint, input }: { endpoint: Pick<Endpoint, 'permission'>; input: object },
  work: (call: Call, target: unknown) => Promise<T>,
): Promise<T> {
  const { permission } = endpoint
  if (typeof permission === 'string') return work(call, undefined)
  const onTarget = async (call: Call) => work(call, await findTarget(call, permission, input))
  return permission.to === undefined ? onTarget(call) : call.write(onTarget)
}

/**
 * The target that an input names, if the permission is about one; the caller is checked. Errors:
 * `not_found`, `forbidden`, `precondition_failed`.
 */
export async function findTarget(call: Call, permission: KeyPermission, input: object): Promise<unknown> {
  // The input of an operation on a target names it: a test of the contract checks all schemas.
  if (permission.on === 'item') return findItemTarget(call, input as ItemRef, permission)
  if (permission.on === 'site') return findSiteTarget(call, input as SiteRef, permission)
  return permission.on === 'type' ? findTypeTarget(call, input as TypeRef, permission) : undefined
}

/** How an input names a content type in a scope. A new asset may leave its type to its file. */
interface TypeRef extends ScopeRef {
  readonly repositoryId?: string
  readonly type?: string
}

/**
 * Checked before the type is looked up, so that a caller without permission cannot test which types
 * exist. Errors: `not_found`, `forbidden`.
 */
async function findTypeTarget(call: Call, ref: TypeRef, { key }: KeyPermission): Promise<TypeTarget> {
  const scope = await findScope(call, { ...ref, configId: ref.repositoryId ?? ref.configId })
  if (ref.type !== undefined) requirePermission(call, key, { ...scope.branch, type: ref.type })
  return { scope }
}
