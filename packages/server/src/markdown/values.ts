import { isScalarField, scalarKindOf, type Field } from '@quire/contract'
import type { FrontMatterEntry } from './parse-markdown.ts'

/**
 * Converts a front matter value to what the field expects. YAML parses `2026` as a number where a
 * text is meant, a time as text instead of Unix milliseconds, and a single value where a list is
 * meant. An invalid value is left as it is, so that the engine reports it.
 */
export function fieldValue(field: Field, { value }: Pick<FrontMatterEntry, 'value'>): unknown {
  if (!field.list) return single(field, value)
  return (Array.isArray(value) ? value : [value]).map((member: unknown) => single(field, member))
}

function single(field: Field, value: unknown): unknown {
  const isText = isScalarField(field) && scalarKindOf(field).json === 'string'
  if (isText && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (field.kind === 'datetime' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return Date.parse(value)
  return value
}
