import { isSame } from '../../engine/same.ts'
import { type Json, type JsonObject, isJsonObject } from '../../ports/index.ts'

/** One difference, by path. */
type Change =
  | { path: string; kind: 'added'; after: Value }
  | { path: string; kind: 'removed'; before: Value }
  | { path: string; kind: 'changed'; before: Value; after: Value }

// As the contract's z.json() spells a JSON value.
type Value = string | number | boolean | null | Value[] | { [member: string]: Value }

// Characters. Each member that differs is told by its whole path: below a name of a megabyte they would be more than can be sent.
const longestPath = 200

/** The members that differ, objects member by member, lists as a whole, and so what lies deep below long names. Null and absent are the same. */
export function changesBetween(before: JsonObject, after: JsonObject, prefix = ''): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => changeOf(prefix + name, before[name] ?? null, after[name] ?? null))
}

function changeOf(path: string, before: Json, after: Json): Change[] {
  if (isSame(before, after)) return []
  if (isJsonObject(before) && isJsonObject(after) && path.length <= longestPath)
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

/** The three sides: what both started from, ours and theirs. */
export interface Sides<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}
