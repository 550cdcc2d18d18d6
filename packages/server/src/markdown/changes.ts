import { isDeepStrictEqual } from 'node:util'

/**
 * Whether a merge patch (RFC 7396) would change a value. Members that the patch does not name are
 * ignored.
 */
export function wouldChange(current: unknown, patch: unknown): boolean {
  if (!isMembers(patch)) return !isDeepStrictEqual(current, patch)
  if (!isMembers(current)) return true
  return Object.entries(patch).some(([name, value]) => wouldChange(current[name], value))
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
