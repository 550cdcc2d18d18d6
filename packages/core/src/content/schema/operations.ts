import type { Contract, OutputOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'

export { planSchema as plan } from './plan.ts'
export { applySchema as apply } from './apply.ts'

/** Reads all content types as one schema, in the order of their names. */
export async function get(call: Call): Promise<OutputOf<Contract['schema']['get']>> {
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
