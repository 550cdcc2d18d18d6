import { limits, type Field } from '@quire/contract'
import type { Edge, IndexedValue, Json, JsonObject, Passage } from '../ports/index.ts'
import { plainTextOf } from './rich-text.ts'
import { innerObjects } from './values.ts'

/** How the values of a field compare: what filters and sorts need to know. */
export type Comparison = 'text' | 'number' | 'boolean'

const comparisons: { readonly [K in Field['kind']]: Comparison | null } = {
  text: 'text',
  richText: null,
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'text',
  datetime: 'number',
  reference: 'text',
  asset: 'text',
  category: 'text',
  url: 'text',
  email: 'text',
  slug: 'text',
  color: 'text',
  geo: null,
  json: null,
  group: null,
  union: null,
}

/** A field that filters can name, by its path below `fields`. */
export interface ComparableField {
  readonly path: string
  readonly comparison: Comparison
  readonly list: boolean
}

/** The fields that filters and sorts can name: scalars, also those in groups (`seo.title`), not those in blocks. */
export function comparableFields(fields: readonly Field[], prefix = '', inList = false): ComparableField[] {
  return fields.flatMap((field) => {
    const path = prefix + field.name
    const list = inList || field.list
    if (field.kind === 'group') return comparableFields(field.settings.fields, `${path}.`, list)
    const comparison = comparisons[field.kind]
    return comparison ? [{ path, comparison, list }] : []
  })
}

/** The values that filters and sorts reach, with null for a single field without a value. */
export function indexedValues(fields: readonly Field[], values: JsonObject): IndexedValue[] {
  return comparableFields(fields).flatMap(({ path, list }): IndexedValue[] => {
    const found = valuesAt(values, path.split('.')).filter(isComparable)
    if (found.length === 0) return list ? [] : [{ path, value: null }]
    const unique = [
      ...new Set(found.map((value) => (typeof value === 'string' ? comparedText(value) : value))),
    ]
    return unique.map((value) => ({ path, value }))
  })
}

function isComparable(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** What is kept of a text for comparing: operands are shorter than the limit, so a cut text never equals one. */
export function comparedText(text: string): string {
  return text.length < limits.comparedText
    ? text
    : text.slice(0, limits.comparedText).replace(/[\uD800-\uDBFF]$/, '\uFFFD')
}

function valuesAt(value: Json | undefined, path: readonly string[]): Json[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((entry) => valuesAt(entry, path))
  const [name, ...rest] = path
  if (name === undefined) return [value]
  return typeof value === 'object' ? valuesAt((value as JsonObject)[name], rest) : []
}

/** A value somewhere in the fields, with its field and path. */
interface Leaf {
  readonly field: Field
  readonly path: string
  readonly value: Json
}

function leaves(fields: readonly Field[], values: JsonObject, prefix = ''): Leaf[] {
  return fields.flatMap((field) => {
    const value = values[field.name]
    if (value === undefined || value === null) return []
    const path = prefix + field.name
    const inner = innerObjects(field, value)
    if (inner.length > 0) return inner.flatMap((object) => leaves(object.fields, object.value, `${path}.`))
    return (Array.isArray(value) && field.list ? value : [value]).map((entry: Json) => ({
      field,
      path,
      value: entry,
    }))
  })
}

/** The edges to what the values refer to. A target named twice in a field is one edge. */
export function edgesOf(fields: readonly Field[], values: JsonObject): Edge[] {
  const edges = leaves(fields, values).flatMap(({ field, path, value }): Edge[] => {
    if (typeof value !== 'string') return []
    if (field.kind === 'reference') return [{ path, targetId: value, onDelete: field.settings.onDelete }]
    return field.kind === 'asset' || field.kind === 'category'
      ? [{ path, targetId: value, onDelete: 'ignore' }]
      : []
  })
  return [...new Map(edges.map((edge) => [`${edge.path} ${edge.targetId}`, edge])).values()]
}

/** Something that values refer to, and what it must be. */
export interface Target {
  readonly path: string
  readonly id: string
  readonly kind: 'item' | 'category'
  /** Content types that it may have; empty: any. */
  readonly types: readonly string[]
  /** The taxonomy that a category must be of; null: any. */
  readonly taxonomyId: string | null
  /** The file that it must have; null: none. */
  readonly file: { readonly mimeTypes: readonly string[]; readonly maxBytes?: number | undefined } | null
}

/** What the values refer to. */
export function targetsOf(fields: readonly Field[], values: JsonObject): Target[] {
  return leaves(fields, values).flatMap(({ field, path, value }): Target[] => {
    if (typeof value !== 'string') return []
    const target = {
      path: `fields.${path}`,
      id: value,
      kind: 'item' as const,
      types: [],
      taxonomyId: null,
      file: null,
    }
    if (field.kind === 'reference') return [{ ...target, types: field.settings.types }]
    if (field.kind === 'category')
      return [{ ...target, kind: 'category', taxonomyId: field.settings.taxonomyId }]
    return field.kind === 'asset' ? [{ ...target, file: field.settings }] : []
  })
}

/** The searchable texts by their paths below `fields`; markup of rich text is left out. */
export function passagesOf(fields: readonly Field[], values: JsonObject): Passage[] {
  return leaves(fields, values).flatMap(({ field, path, value }) => {
    if (!field.searchable || typeof value !== 'string' || !isProse(field)) return []
    return [{ path: `fields.${path}`, text: field.kind === 'richText' ? plainTextOf(value) : value }]
  })
}

function isProse({ kind }: Field): boolean {
  return kind === 'text' || kind === 'richText' || kind === 'url' || kind === 'email' || kind === 'slug'
}

/** The first field of each kind with references: names that `include` may resolve. */
export function referenceFields(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(
    fields.filter(({ kind }) => kind === 'reference' || kind === 'asset').map((field) => [field.name, field]),
  )
}
