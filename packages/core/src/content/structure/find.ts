import { QuireError, type PermissionKey } from '@quire/contract'
import { requirePermission, type Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import { findScope, type Scope, type ScopeRef } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'
import { contentOf, ownerOf } from './content.ts'
import type { StructureKind } from './kind.ts'

/**
 * Finds the scope that an input names, and checks that the caller holds the keys in its repository
 * or on its site. A caller who may only write must also hold the read key, because `name_taken`
 * reveals other names. Errors: `not_found`, `forbidden`.
 */
export async function openStructure(
  call: Call,
  ref: ScopeRef & { readonly siteId?: string },
  keys: readonly PermissionKey[],
): Promise<Scope> {
  const scope = await findScope(call, ref)
  const target = {
    ...scope.branch,
    ...(ref.siteId !== undefined && { siteId: ref.siteId }),
  }
  for (const key of keys) requirePermission(call, key, target)
  return scope
}

/** The error for an absent entity. */
export function noSuch({ kind }: Pick<StructureKind, 'kind'>): QuireError {
  return new QuireError('not_found', `There is no such ${kind}.`)
}

/**
 * Finds the head of an entity that is not deleted. Errors: `not_found`, also if it has another owner
 * than the given one.
 */
export async function findStructure(
  call: Call,
  { branch }: Scope,
  { rules, id, ownerId }: { rules: StructureKind; id: string; ownerId?: string | undefined },
): Promise<Entity> {
  const found = await call.store.entities.get(branch, rules.kind, id)
  if (!found || found.deletedDate !== null) throw noSuch(rules)
  if (ownerId !== undefined && ownerOf(rules, contentOf(found)) !== ownerId) throw noSuch(rules)
  return found
}

/** The members of an input that name the entity to write. */
export interface StructureRef extends ScopeRef {
  readonly id: string
}

/**
 * Finds a live head to change, with its scope. Checks the read key, the key of the action and
 * If-Match.
 * Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
export async function openHead(
  call: Call,
  ref: StructureRef,
  { rules, act, ownerId }: { rules: StructureKind; act: 'update' | 'delete'; ownerId?: string | undefined },
): Promise<{ scope: Scope; head: Entity }> {
  const scope = await openStructure(call, ref, [rules.keys.read, rules.keys[act]])
  const head = await findStructure(call, scope, { rules, id: ref.id, ownerId })
  requireHeadMatch(call, head)
  return { scope, head }
}
