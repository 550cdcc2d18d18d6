import type { Category, Contract, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import type { Scope, ScopeRef } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'
import { contentOf } from '../structure/content.ts'
import { findStructure, noSuch, openStructure } from '../structure/find.ts'
import { serializeOne } from '../structure/json.ts'
import { serializeAt } from '../structure/reads.ts'
import { categoryRules as rules, taxonomyRules } from './kinds.ts'

/** The members of an input that name a category. */
export interface CategoryRef extends ScopeRef {
  readonly taxonomyId: string
  readonly id: string
}

/** Finds a category of a taxonomy that is not deleted. Errors: `not_found`. */
async function findCategory(call: Call, scope: Scope, { taxonomyId, id }: CategoryRef): Promise<Entity> {
  const head = await findStructure(call, scope, { rules, id })
  if (contentOf(head)['taxonomyId'] !== taxonomyId) throw noSuch(rules)
  return head
}

/**
 * Checks the caller's permissions and that a taxonomy exists. Returns the scope. Errors:
 * `not_found`, `forbidden`.
 */
export async function openTaxonomy(
  call: Call,
  { taxonomyId, ...ref }: ScopeRef & { readonly taxonomyId: string },
  acts: readonly ('read' | 'create')[],
): Promise<Scope> {
  const scope = await openStructure(
    call,
    ref,
    acts.map((act) => rules.keys[act]),
  )
  await findStructure(call, scope, { rules: taxonomyRules, id: taxonomyId })
  return scope
}

/**
 * Finds a live category to change, with its scope. Errors: `not_found`, `forbidden`,
 * `precondition_failed`.
 */
export async function openCategory(
  call: Call,
  ref: CategoryRef,
  act: 'update' | 'delete',
): Promise<{ scope: Scope; head: Entity }> {
  const scope = await openStructure(call, ref, [rules.keys.read, rules.keys[act]])
  const head = await findCategory(call, scope, ref)
  requireHeadMatch(call, head)
  return { scope, head }
}

/** Reads a category, now or as it was at a given time. Errors: `not_found`, `forbidden`. */
export async function getCategory(
  call: Call,
  { at, ...ref }: ParsedOf<Contract['categories']['get']>,
): Promise<Serialized<Category>> {
  const scope = await openStructure(call, ref, [rules.keys.read])
  if (at === undefined || at >= call.now)
    return serializeOne(call, scope.branch, { rules, head: await findCategory(call, scope, ref) })
  const past = await serializeAt(call, scope, { rules, id: ref.id, at })
  if (past.value().taxonomyId !== ref.taxonomyId) throw noSuch(rules)
  return past
}
