import type { Json } from '../ports/index.ts'

/** Whether two JSON values are equal; the order of members does not count. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || !a || !b) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((entry, index) => isSame(entry, b[index]))
  }
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSame(member(a, name), member(b, name)))
}

function member(object: Json, name: string): Json | undefined {
  return (object as { readonly [name: string]: Json })[name]
}
