import { QuireError } from '../errors.ts'

/** The 400 that names one member of the input; `path` in dot notation, empty for the whole. */
export function invalidMember(path: string, message: string): QuireError {
  return new QuireError('invalid', path === '' ? message : `${path}: ${message}`, {
    issues: [{ path, message }],
  })
}

/** Whether a value is an object with members: neither null nor a list. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// V8 keeps an object whose prototype is null as a hash table: decoding and checking an input took twice as long with it.
const nothing: object = Object.freeze(Object.create(null))

/** An object that inherits nothing, so that `__proto__` and `constructor` are names like any other. */
export function bareObject(): Record<string, unknown> {
  return Object.create(nothing)
}
