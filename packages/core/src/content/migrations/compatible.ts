import type { Field } from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import type { Json } from '../../ports/index.ts'

/**
 * Whether every value that fits the fields before surely fits those after: new fields may come, and what says nothing of
 * values (label, help, required, default, searchable) may change. Anything else has to be tried on the items.
 */
export function isCompatible(before: readonly Field[], after: readonly Field[]): boolean {
  return before.every((field) => {
    const next = after.find(({ name }) => name === field.name)
    if (!next || next.kind !== field.kind || next.list !== field.list || (next.unique && !field.unique))
      return false
    // Settings are JSON: they came from a schema.
    return isSame(field.settings as unknown as Json, next.settings as unknown as Json)
  })
}

/** Whether the same values give the same search words, indexed values and edges under both. */
export function isDerivedAlike(before: readonly Field[], after: readonly Field[]): boolean {
  const of = (fields: readonly Field[]): Json[] =>
    // Settings are JSON: they came from a schema.
    fields.map(({ name, kind, list, searchable, settings }) => ({
      name,
      kind,
      list,
      searchable,
      settings: settings as unknown as Json,
    }))
  return isSame(of(before), of(after))
}
