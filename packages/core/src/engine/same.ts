import { isJsonObject, type Json, type JsonObject } from '../ports/index.ts'

/** Whether two JSON values are equal; the order of members does not count. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (isList(a) || isList(b)) return isList(a) && isList(b) && isSameList(a, b)
  return isJsonObject(a) && isJsonObject(b) && isSameObject(a, b)
}

function isSameList(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((entry, index) => isSame(entry, b[index]))
}

function isSameObject(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
