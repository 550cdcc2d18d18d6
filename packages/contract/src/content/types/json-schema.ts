import { z } from 'zod'
import { limits } from '../../limits.ts'
import { parseAs, type Parsed } from '../../parse.ts'

/** What a value breaks of a JSON Schema, in words; null when it fits. Throws when the schema is not one (see `schemaProblem`). */
export function jsonSchemaProblem(schema: Readonly<Record<string, unknown>>, value: unknown): string | null {
  const parsed = parseDeep(schema, value)
  if ('value' in parsed) return null
  const reported = parsed.issues.slice(0, limits.issues)
  return reported.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
}

/** A schema that refers to nothing but itself takes no value: it would be followed until the stack ends. */
function parseDeep(schema: Readonly<Record<string, unknown>>, value: unknown): Parsed<unknown> {
  try {
    return parseAs(z.fromJSONSchema(schema), value)
  } catch (error) {
    if (error instanceof RangeError)
      return { issues: [{ path: '', message: 'the JSON Schema refers to itself without end' }] }
    throw error
  }
}

/**
 * Why a JSON Schema cannot be used; null when it can. Regular expressions are refused: they would run on a backtracking
 * engine (TRUST S16); a text field's `pattern` runs in linear time.
 */
export function schemaProblem(schema: Readonly<Record<string, unknown>>): string | null {
  if (holdsPattern(schema)) return 'may not use pattern or patternProperties'
  try {
    z.fromJSONSchema(schema)
    return null
  } catch (error) {
    return `is no JSON Schema: ${error instanceof Error ? error.message : 'unknown'}`
  }
}

function holdsPattern(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && ('patternProperties' in value || 'pattern' in value)) return true
  return Object.values(value).some(holdsPattern)
}
