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

/** JSON with the members of every object in order: the same value is always the same text. */
export function canonicalText(value: Json): string {
  return JSON.stringify(inOrder(value))
}

/** A copy whose members are in order. A replacer of `JSON.stringify` takes twice as long. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value).toSorted()
  // Only this one defines a member with the name `__proto__`.
  if (names.includes('__proto__'))
    return Object.fromEntries(names.map((name) => [name, inOrder(value[name] ?? null)]))
  const ordered: Record<string, Json> = {}
  for (const name of names) ordered[name] = inOrder(value[name] ?? null)
  return ordered
}
