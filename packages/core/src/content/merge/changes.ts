import { isSame } from '../../engine/same.ts'
import { type Json, type JsonObject, isJsonObject } from '../../ports/index.ts'

/** One difference between two objects. */
type Change =
  | { path: string; kind: 'added'; after: Value }
  | { path: string; kind: 'removed'; before: Value }
  | { path: string; kind: 'changed'; before: Value; after: Value }

// The type that the contract's z.json() infers for a JSON value.
type Value = string | number | boolean | null | Value[] | { [member: string]: Value }

// Characters. Each differing member is reported with its whole path. Below a name of a megabyte the
// report would become too large to send.
const maxPathLength = 200

/**
 * Finds the members that differ. Compares objects member by member, but lists as a whole, and also
 * objects below very long names. Null and absent are equal.
 */
export function changesBetween(before: JsonObject, after: JsonObject, prefix = ''): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => changeOf(prefix + name, before[name] ?? null, after[name] ?? null))
}

function changeOf(path: string, before: Json, after: Json): Change[] {
  if (isSame(before, after)) return []
  if (isJsonObject(before) && isJsonObject(after) && path.length <= maxPathLength)
    return changesBetween(before, after, `${path}.`)
  if (before === null) return [{ path, kind: 'added', after: copy(after) }]
  if (after === null) return [{ path, kind: 'removed', before: copy(before) }]
  return [{ path, kind: 'changed', before: copy(before), after: copy(after) }]
}

function copy(value: Json): Value {
  if (Array.isArray(value)) return value.map(copy)
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]))
  return value as string | number | boolean | null
}

/** The three sides of a merge. Both `ours` and `theirs` started from `base`. */
export interface Sides<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}
