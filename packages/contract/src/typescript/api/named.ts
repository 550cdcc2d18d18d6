import { z } from 'zod'
import { BytesOut, FileIn } from '../../binary.ts'
import { ProxiedOutput } from '../../proxied.ts'
import { defOf, identified, type Schema } from './schemas.ts'

/** A shape that is declared once, under its name. */
export interface NamedShape {
  readonly name: string
  readonly schema: Schema
}

/** Finds the name of a shape; undefined if it has none and is written where it is used. */
export type NameOf = (schema: Schema) => NamedShape | undefined

/** Shapes without a definition in zod, by their definition. */
export const custom: ReadonlyMap<unknown, string> = new Map([
  [defOf(FileIn), 'BytesIn'],
  [defOf(BytesOut), 'Binary'],
  [defOf(ProxiedOutput), 'Proxied'],
])

const nameable: ReadonlySet<string> = new Set(['object', 'record', 'enum', 'union'])

/**
 * The names of shapes: as in the OpenAPI document, or else that of the schema that the contract
 * exports.
 */
export function namesFor(exported: Readonly<Record<string, unknown>>): NameOf {
  const byDefinition = new Map<unknown, NamedShape>()
  for (const [name, schema] of Object.entries(exported)) {
    if (!(schema instanceof z.ZodType) || !nameable.has(schema.def.type) || identified(schema)) continue
    if (!byDefinition.has(schema.def)) byDefinition.set(schema.def, { name, schema })
  }
  return (schema) => {
    const found = identified(schema)
    return found ? { name: found.id, schema: found.schema } : byDefinition.get(defOf(schema))
  }
}
