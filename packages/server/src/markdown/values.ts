import type { Field } from '@quire/contract'
import type { FrontMatterEntry } from './parse-markdown.ts'

const textKinds: ReadonlySet<Field['kind']> = new Set([
  'text',
  'richText',
  'reference',
  'asset',
  'category',
  'date',
  'url',
  'email',
  'slug',
  'color',
])

/**
 * A value of the front matter as the field takes it: YAML reads `2026` as a number where a text is meant, a time as text where
 * Unix milliseconds are, and one value where a list is. What does not fit stays, so that the engine names it.
 */
export function fieldValue(field: Field, { value }: Pick<FrontMatterEntry, 'value'>): unknown {
  if (!field.list) return single(field, value)
  return (Array.isArray(value) ? value : [value]).map((member: unknown) => single(field, member))
}

function single({ kind }: Field, value: unknown): unknown {
  if (textKinds.has(kind) && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (kind === 'datetime' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return Date.parse(value)
  return value
}
