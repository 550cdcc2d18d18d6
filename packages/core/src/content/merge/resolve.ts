import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import type { EntityConflict, EntityMerge, Side } from './entity.ts'

/** How a conflict is settled. */
export type Settlement = { readonly use: 'ours' | 'theirs' } | { readonly value: Json }

/** A merge with the conflict at one path settled. `theirs` is main's side as it stands. */
export function resolve(
  { merged, conflicts }: EntityMerge,
  { conflict, by, theirs }: { conflict: EntityConflict; by: Settlement; theirs: Side | null },
): EntityMerge {
  const rest = conflicts.filter((other) => other !== conflict)
  if ('use' in by && by.use === 'ours') return { merged, conflicts: rest }
  if (conflict.path === '') return { merged: theirs, conflicts: rest }
  if (!merged) return { merged, conflicts: rest }
  if (conflict.path === 'publishedVersion')
    return { merged: { ...merged, published: theirs?.published ?? null }, conflicts: rest }
  const value = 'value' in by ? by.value : conflict.theirs
  return { merged: { ...merged, content: withValue(merged.content, conflict.path, value) }, conflicts: rest }
}

/** The object with a value at a path in dot notation; null takes an inner member away, and leaves an outer one without a value. */
export function withValue(object: JsonObject, path: string, value: Json): JsonObject {
  const [name = '', ...rest] = path.split('.')
  const inner = object[name]
  return {
    ...object,
    [name]: rest.length === 0 ? value : withInnerValue(isJsonObject(inner) ? inner : {}, rest, value),
  }
}

function withInnerValue(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: Json,
): JsonObject {
  const members = new Map<string, Json>(Object.entries(object))
  const inner = members.get(name)
  if (rest.length > 0) members.set(name, withInnerValue(isJsonObject(inner) ? inner : {}, rest, value))
  else if (value === null) members.delete(name)
  else members.set(name, value)
  return Object.fromEntries(members)
}

/** The value at a path in dot notation; null when there is none. */
export function valueAt(object: JsonObject, path: string): Json {
  const [name = '', ...rest] = path.split('.')
  const value = Object.hasOwn(object, name) ? (object[name] ?? null) : null
  if (rest.length === 0) return value
  return isJsonObject(value) ? valueAt(value, rest.join('.')) : null
}
