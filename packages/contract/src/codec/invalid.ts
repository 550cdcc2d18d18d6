import { QuireError } from '../errors.ts'

/**
 * A 400 that names one member of the input. `path` is in dot notation; empty for the input as a
 * whole.
 */
export function invalidMember(path: string, message: string): QuireError {
  return new QuireError('invalid', path === '' ? message : `${path}: ${message}`, {
    issues: [{ path, message }],
  })
}

/** How `invalidMember` is given to code that a client loads on demand. */
export type InvalidMember = typeof invalidMember

/** Whether a value is an object with members, not null or a list. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// V8 stores an object whose prototype is null as a hash table, which made decoding and checking an
// input twice as slow.
const nothing: object = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.create(null))

/** An object that inherits nothing, so that `__proto__` and `constructor` are ordinary names. */
export function bareObject(): Record<string, unknown> {
  return Object.create(nothing)
}

/** Freezes a value with everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
