import type { Field } from '@quire/contract'
import type { Json, JsonObject } from '../ports/index.ts'
import { innerObjects } from '../types/values.ts'

/** Values without the references to one target: a single value goes, a list loses the entry. */
export function withoutTarget(fields: readonly Field[], values: JsonObject, targetId: string): JsonObject {
  const kept = fields.flatMap((field): [string, Json][] => {
    const value = values[field.name]
    if (value === undefined) return []
    const left = cleaned(field, value, targetId)
    return left === undefined ? [] : [[field.name, left]]
  })
  return Object.fromEntries(kept)
}

function cleaned(field: Field, value: Json, targetId: string): Json | undefined {
  if (field.kind === 'reference') {
    if (Array.isArray(value)) return value.filter((entry) => entry !== targetId)
    return value === targetId ? undefined : value
  }
  const inner = innerObjects(field, value).map((object) => ({
    ...(typeof object.value['type'] === 'string' && field.kind === 'union' && { type: object.value['type'] }),
    ...withoutTarget(object.fields, object.value, targetId),
  }))
  if (inner.length === 0) return value
  return Array.isArray(value) ? inner : inner[0]
}
