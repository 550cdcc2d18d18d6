import type { Call } from '../../engine/call.ts'
import type { Scope, ScopeRef } from '../../engine/scope.ts'
import { findStructure, openStructure } from '../structure/find.ts'
import { categoryRules, taxonomyRules } from './kinds.ts'

/**
 * Checks the caller's permissions and that a taxonomy exists. Returns the scope. Errors:
 * `not_found`, `forbidden`.
 */
export async function openTaxonomy(
  call: Call,
  { taxonomyId, ...ref }: ScopeRef & { readonly taxonomyId: string },
  acts: readonly ('read' | 'create')[],
): Promise<Scope> {
  const keys = acts.map((act) => categoryRules.keys[act])
  const scope = await openStructure(call, ref, keys)
  await findStructure(call, scope, { rules: taxonomyRules, id: taxonomyId })
  return scope
}
