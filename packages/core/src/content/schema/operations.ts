import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { comparedTypes, definitionOf, plannedSchema, type PlannedType } from './plan.ts'

export { applySchema as apply, getSchema as get }
export { planSchema as plan } from './plan.ts'
export { startPlan } from './plan-job.ts'

type Group = Contract['schema']

/** Reads all content types as one schema, in the order of their names. */
async function getSchema(call: Call): Promise<OutputOf<Group['get']>> {
  const types = await call.store.records.list('type')
  const definitions = types.map(({ name, displayName, apiName, description, settings, fields }) => ({
    name,
    displayName,
    apiName,
    description,
    settings,
    fields,
  }))
  return { types: definitions.toSorted((one, other) => (one.name < other.name ? -1 : 1)) }
}

/**
 * Makes the content types as a schema says, in one transaction. Errors: `invalid`, `plan_stale`,
 * `type_locked`, `type_in_use`, `type_incompatible`, `name_taken`.
 */
async function applySchema(
  call: Call,
  { planId, migrate, ...input }: ParsedOf<Group['apply']>,
): Promise<OutputOf<Group['apply']>> {
  // Counting items takes long, so it does not hold up other writes.
  const { plan, types } = await plannedSchema(call, input)
  requireSamePlan(plan.planId, planId ?? plan.planId)
  return call.write(async (call) => {
    requireSamePlan((await comparedTypes(call, input)).planId, plan.planId)
    for (const type of inWritingOrder(types)) await applyChange(call, type, migrate)
    return { ...plan, applied: true }
  })
}

/** Errors: `plan_stale`. */
function requireSamePlan(found: string, planId: string): void {
  if (planId === found) return
  throw new QuireError(
    'plan_stale',
    'The schema or the content types have changed since this plan was made: review the new plan first.',
    { details: { planId: found } },
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
