import type { z } from 'zod'

const schemas = new WeakSet<z.core.$ZodType>()

/** An enumeration in lower case of which addresses may write the values in any (`format=WebP`). Not to be described after this: that makes another of it. */
export function inAnyCase<S extends z.ZodEnum>(schema: S): S {
  schemas.add(schema)
  return schema
}

/** Whether addresses may write its values in any case. */
export function takesAnyCase(schema: z.core.$ZodType): boolean {
  return schemas.has(schema)
}
