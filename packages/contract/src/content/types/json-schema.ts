import { z } from 'zod'
import { limits } from '../../limits.ts'
import { parseAs, type Parsed } from '../../parse.ts'

/**
 * Why a value does not match a JSON Schema; null if it does. Throws if the schema is invalid (see
 * `schemaProblem`).
 */
export function jsonSchemaProblem(schema: Readonly<Record<string, unknown>>, value: unknown): string | null {
  const parsed = parseDeep(schema, value)
  if ('value' in parsed) return null
  const reported = parsed.issues.slice(0, limits.issues)
  return reported.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
}

/** A schema that only refers to itself accepts no value: following it would overflow the stack. */
function parseDeep(schema: Readonly<Record<string, unknown>>, value: unknown): Parsed<unknown> {
  try {
    return parseAs(z.fromJSONSchema(schema), value)
  } catch (error) {
    if (error instanceof RangeError)
      return { issues: [{ path: '', message: 'the JSON Schema refers to itself endlessly' }] }
    throw error
  }
}

/**
 * Why a JSON Schema cannot be used; null if it can. Regular expressions are rejected, because they
 * would run on a backtracking engine (TRUST S16). A text field's `pattern` runs in linear time.
 */
export function schemaProblem(schema: Readonly<Record<string, unknown>>): string | null {
  if (holdsPattern(schema)) return 'may not use pattern or patternProperties'
  try {
    z.fromJSONSchema(schema)
    return null
  } catch (error) {
    return `is not a JSON Schema: ${error instanceof Error ? error.message : 'unknown'}`
  }
}

function holdsPattern(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && ('patternProperties' in value || 'pattern' in value)) return true
  return Object.values(value).some(holdsPattern)
}
