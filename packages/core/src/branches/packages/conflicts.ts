import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { planMerge, type Plan } from './plan.ts'
import { openPackage, requireState } from './record.ts'

type Conflicts = Contract['packages']['conflicts']

// The most conflicts to list, since a response has bounds. The count includes the rest.
const mostListed = 1000

/**
 * Lists the conflicts that a merge of the package would have, at most 1000.
 * Errors: `not_found`, `forbidden`, `invalid_state` when the package is merged or deleted.
 */
export async function listConflicts(call: Call, input: ParsedOf<Conflicts>): Promise<OutputOf<Conflicts>> {
  const scope = await openPackage(call, input, ['packages.diff.view', 'packages.merge'])
  requireState(
    scope.package,
    ['open', 'inReview', 'completed', 'scheduled', 'error'],
    'there is nothing to merge',
  )
  const { conflicts, planId } = await planMerge(call, scope, [])
  return { count: conflicts.length, items: conflicts.slice(0, mostListed), planId }
}

/** Errors: `plan_stale` when `quoted` is another plan; `merge_conflict` with the open conflicts. */
export function requireMergeable({ planId, conflicts }: Plan, quoted: string | undefined): void {
  if (quoted !== undefined && quoted !== planId)
    throw new QuireError('plan_stale', undefined, { details: { planId } })
  if (conflicts.length === 0) return
  const message = `The package and main conflict in ${conflicts.length === 1 ? 'one place' : `${conflicts.length} places`}: send a resolution for each.`
  throw new QuireError('merge_conflict', message, {
    conflicts: conflicts.slice(0, mostListed),
    details: { count: conflicts.length, planId },
  })
}
