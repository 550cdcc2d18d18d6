import type { z } from 'zod'

const schemas = new WeakSet<z.core.$ZodType>()

/**
 * Marks a lower-case enumeration whose values may be written in any case in a URL (`format=WebP`).
 * Call `describe` before this, not after: it returns a copy, which would not be marked.
 */
export function inAnyCase<S extends z.ZodEnum>(schema: S): S {
  schemas.add(schema)
  return schema
}

/** Whether a URL may write the values of this schema in any case. */
export function takesAnyCase(schema: z.core.$ZodType): boolean {
  return schemas.has(schema)
}
