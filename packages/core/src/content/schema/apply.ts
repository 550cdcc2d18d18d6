import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { definitionOf, plannedSchema, type PlannedSchema, type PlannedType } from './plan.ts'

type Apply = Contract['schema']['apply']

/**
 * Makes the content types as a schema says, in one transaction. Errors: `invalid`, `plan_stale`,
 * `type_locked`, `type_in_use`, `type_incompatible`, `name_taken`.
 */
export async function applySchema(
  call: Call,
  { planId, migrate, ...input }: ParsedOf<Apply>,
): Promise<OutputOf<Apply>> {
  return call.write(async (call) => {
    const planned = await plannedSchema(call, input)
    requireSamePlan(planned, planId)
    for (const type of inWritingOrder(planned.types)) await applyChange(call, type, migrate)
    return { ...planned.plan, applied: true }
  })
}

/** Errors: `plan_stale`. */
function requireSamePlan({ plan }: PlannedSchema, planId: string | undefined): void {
  if (planId === undefined || planId === plan.planId) return
  throw new QuireError(
    'plan_stale',
    'The schema or the content types have changed since this plan was made: review the new plan first.',
    { details: { planId: plan.planId } },
  )
}

/** A name that is free only after another change is taken last. */
function inWritingOrder(types: readonly PlannedType[]): readonly PlannedType[] {
  const order = ['delete', 'update', 'create']
  return types.toSorted((one, other) => order.indexOf(one.change.kind) - order.indexOf(other.change.kind))
}

async function applyChange(call: Call, { before, after }: PlannedType, migrate: boolean): Promise<void> {
  if (after === null) {
    if (before) await call.invoke('types.delete', { id: before.id })
    return
  }
  const definition = definitionOf(after)
  if (before === null) await call.invoke('types.create', definition)
  else await call.invoke('types.update', { ...definition, id: before.id, renames: after.renames, migrate })
}
