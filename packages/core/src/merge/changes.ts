import { isJsonObject, type Json, type JsonObject } from '../ports/index.ts'
import { isSame } from './same.ts'

/** One difference, by path. */
export type Change =
  | { path: string; kind: 'added'; after: Value }
  | { path: string; kind: 'removed'; before: Value }
  | { path: string; kind: 'changed'; before: Value; after: Value }

// As the contract's z.json() spells a JSON value.
type Value = string | number | boolean | null | Value[] | { [member: string]: Value }

/** The members that differ, objects member by member, lists as a whole. Null and absent are the same. */
export function changesBetween(before: JsonObject, after: JsonObject, prefix = ''): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => changeOf(prefix + name, before[name] ?? null, after[name] ?? null))
}

function changeOf(path: string, before: Json, after: Json): Change[] {
  if (isSame(before, after)) return []
  if (isJsonObject(before) && isJsonObject(after)) return changesBetween(before, after, `${path}.`)
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
