import { z } from 'zod'

/** Whether a type describes what callers send or what they get: defaults are optional only when sent. */
export type Direction = 'input' | 'output'

export type Schema = z.core.$ZodType

/** The definition of a schema. A description makes another schema of the same definition. */
export function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def
}

/** What a schema says about itself, or else the schema that it wraps. */
export function descriptionOf(schema: Schema): string {
  const { description } = z.globalRegistry.get(schema) ?? {}
  if (description !== undefined) return description
  const def = defOf(schema)
  if ('innerType' in def) return descriptionOf(def.innerType)
  return def.type === 'pipe' ? descriptionOf(def.in) : ''
}

/** The schema that has the id, if this one was made of it by a description; null if none has. */
export function identified(schema: Schema): { readonly id: string; readonly schema: Schema } | null {
  const id = z.globalRegistry.get(schema)?.id
  if (typeof id === 'string') return { id, schema }
  const { parent } = schema._zod
  return parent ? identified(parent) : null
}

/** Any JSON value, of which `z.json()` makes a union that refers to itself. */
export function isJson(schema: Schema): boolean {
  const def = defOf(schema)
  if (def.type !== 'lazy') return false
  const union = defOf(def.getter())
  if (union.type !== 'union') return false
  return union.options.some((option) => {
    const inner = defOf(option)
    return inner.type === 'array' && inner.element === schema
  })
}

/** A schema without what only says that it may be absent or null. */
export function unwrapped(schema: Schema): Schema {
  const def = defOf(schema)
  return def.type === 'optional' || def.type === 'nullable' ? unwrapped(def.innerType) : schema
}

/** Whether a member may be left out. Members with a default are always returned. */
export function mayBeAbsent({ _zod }: Schema, direction: Direction): boolean {
  return direction === 'input' ? _zod.optin !== undefined : _zod.optout === 'optional'
}
