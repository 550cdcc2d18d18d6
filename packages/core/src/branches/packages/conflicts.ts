import { QuireError, type Contract, type MergeConflict, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { planMerge, type Plan } from './plan.ts'
import { openPackage, requireState } from './record.ts'

type Conflicts = Contract['packages']['conflicts']

// More are counted, not named: nobody reads them, and an answer has bounds.
const mostNamed = 1000

/** What a merge could not decide by itself. Errors: `not_found`, `forbidden`, `invalid_state` when it is merged. */
export async function listConflicts(call: Call, input: ParsedOf<Conflicts>): Promise<OutputOf<Conflicts>> {
  const scope = await openPackage(call, input, 'packages.merge')
  requireState(
    scope.package,
    ['open', 'inReview', 'completed', 'scheduled', 'error'],
    'there is nothing to merge',
  )
  const { conflicts, planId } = await planMerge(call, scope, [])
  return { count: conflicts.length, items: namedOf(conflicts), planId }
}

/** Errors: `plan_stale` when the plan is another than the one quoted; `merge_conflict` with what is not settled. */
export function requireMergeable({ planId, conflicts }: Plan, quoted: string | undefined): void {
  if (quoted !== undefined && quoted !== planId)
    throw new QuireError('plan_stale', undefined, { details: { planId } })
  if (conflicts.length === 0) return
  const message = `The package and main conflict in ${conflicts.length === 1 ? 'one place' : `${conflicts.length} places`}: resolve this with resolutions.`
  throw new QuireError('merge_conflict', message, {
    conflicts: namedOf(conflicts),
    details: { count: conflicts.length, planId },
  })
}

function namedOf(conflicts: readonly MergeConflict[]): MergeConflict[] {
  return conflicts.slice(0, mostNamed)
}
