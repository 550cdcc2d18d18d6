import { isSame } from '../../engine/same.ts'
import { limits, type Field } from '@quire/contract'
import {
  isJsonObject,
  type Edge,
  type IndexedValue,
  type Json,
  type JsonObject,
  type Passage,
  type QueryValue,
} from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import type { Comparison, FieldTarget } from '../fields/rules.ts'
import { isByLocale, type LocalizedField } from '../locales/fields.ts'
import { innerObjects } from './values.ts'

/** A field that filters and sorts can use. Paths and names are relative to `fields`. */
export interface ComparableField {
  /** Its name in queries. */
  readonly name: string
  /** The path of its indexed values, which differs from the name for the values of a locale. */
  readonly path: string
  readonly comparison: Comparison
  readonly list: boolean
  readonly compareBy: (value: Json) => Json
}

/** Where a field is. */
type FieldPosition = Pick<ComparableField, 'name' | 'path' | 'list'>

/**
 * The fields that filters and sorts can use: scalars, including those in groups (`seo.title`), but
 * not those in blocks.
 */
export function comparableFields(fields: readonly Field[]): ComparableField[] {
  return comparableBelow(fields, { name: '', path: '', list: false })
}

function comparableBelow(fields: readonly Field[], above: FieldPosition): ComparableField[] {
  return fields.flatMap((field) => {
    const at = {
      name: above.name + field.name,
      path: above.path + field.name,
      list: above.list || field.list,
    }
    if (!isByLocale(field)) return comparableAt(field, at)
    const { fields: members } = field.settings
    return members.flatMap((member) =>
      comparableAt(member, { ...at, path: `${at.path}.${member.name}`, list: above.list || member.list }),
    )
  })
}

function comparableAt(field: Field, at: FieldPosition): ComparableField[] {
  const { comparison, compareBy, members } = rulesOf(field)
  const own = comparison ? [{ ...at, comparison, compareBy }] : []
  const below = { ...at, name: `${at.name}.`, path: `${at.path}.` }
  return [...own, ...comparableBelow(members(field.settings), below)]
}

/** The values to index for filters and sorts. A single field without a value has null. */
export function indexedValues(fields: readonly Field[], values: JsonObject): IndexedValue[] {
  return comparableFields(fields).flatMap((field) => rowsOf(field, values, field.path))
}

/** The values to index for one field, which are at a path of the values. */
export function rowsOf(
  { path, list, compareBy }: ComparableField,
  values: JsonObject,
  from: string,
): IndexedValue[] {
  const found = valuesAt(values, from.split('.')).map(compareBy).filter(isComparable)
  if (found.length === 0) return list ? [] : [{ path, value: null }]
  const unique = [...new Set(found.map((value) => (typeof value === 'string' ? comparedText(value) : value)))]
  return unique.map((value) => ({ path, value }))
}

function isComparable(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/**
 * The part of a text that is compared. Operands must be shorter than the limit, so a text that was
 * cut never equals one.
 */
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

/** A value of a unique field, in the form in which it is compared. */
interface UniqueValue {
  /** `sku`, or `sku.en` for the value of a locale, which is unique within the locale. */
  readonly path: string
  readonly value: QueryValue
}

/** The values of unique fields. */
export function uniqueValues(fields: readonly Field[], values: JsonObject): UniqueValue[] {
  return fields.flatMap((field): UniqueValue[] => {
    const value = values[field.name] ?? null
    if (value === null) return []
    if (isByLocale(field)) {
      const inner = isJsonObject(value) ? uniqueValues(field.settings.fields, value) : []
      return inner.map((one) => ({ ...one, path: `${field.name}.${one.path}` }))
    }
    const compared = field.unique ? rulesOf(field).compareBy(value) : null
    return typeof compared === 'string' || typeof compared === 'number'
      ? [{ path: field.name, value: compared }]
      : []
  })
}

/** A value at any depth, with its field and path. */
interface Leaf {
  readonly field: Field
  readonly path: string
  readonly value: Json
  /** For a value of one locale: its code, and those of the values beside it. */
  readonly locale: LeafLocale | null
}

interface LeafLocale {
  readonly code: string
  readonly codes: readonly string[]
}

/** Where values are. */
interface LeafPosition {
  readonly prefix: string
  readonly locale: LeafLocale | null
}

function leaves(
  fields: readonly Field[],
  values: JsonObject,
  { prefix, locale }: LeafPosition = { prefix: '', locale: null },
): Leaf[] {
  return fields.flatMap((field) => {
    const value = values[field.name]
    if (value === undefined || value === null) return []
    const path = prefix + field.name
    if (isByLocale(field)) return isJsonObject(value) ? localizedLeaves(field, value, path) : []
    const inner = innerObjects(field, value)
    if (inner.length > 0)
      return inner.flatMap((object) => leaves(object.fields, object.value, { prefix: `${path}.`, locale }))
    return (Array.isArray(value) && field.list ? value : [value]).map((entry: Json) => ({
      field,
      path,
      value: entry,
      locale,
    }))
  })
}

function localizedLeaves({ settings: { fields } }: LocalizedField, values: JsonObject, path: string): Leaf[] {
  const codes = Object.keys(values)
  return fields.flatMap((member) =>
    leaves([member], values, { prefix: `${path}.`, locale: { code: member.name, codes } }),
  )
}

/** The target of a reference, and what it must be. */
export interface Target extends FieldTarget {
  readonly path: string
  readonly id: string
}

/** The targets of all references, with paths relative to `fields`. */
function idsIn(fields: readonly Field[], values: JsonObject): Target[] {
  return leaves(fields, values).flatMap(({ field, path, value }): Target[] => {
    const { target } = rulesOf(field)
    return target === null || typeof value !== 'string'
      ? []
      : [{ ...target(field.settings), path, id: value }]
  })
}

/** The edges of all references. A target that occurs twice in a field has one edge. */
export function edgesOf(fields: readonly Field[], values: JsonObject): Edge[] {
  const edges = idsIn(fields, values).map(({ path, id, onDelete }) => ({ path, targetId: id, onDelete }))
  return [...new Map(edges.map((edge) => [`${edge.path} ${edge.targetId}`, edge])).values()]
}

/** The targets of all references, with paths relative to the item. */
export function targetsOf(fields: readonly Field[], values: JsonObject): Target[] {
  return idsIn(fields, values).map((target) => ({ ...target, path: `fields.${target.path}` }))
}

/**
 * Yields the searchable texts with their paths in the item. Each is computed only when it is read.
 * `localesOf` names the searches that find a text of a locale, given the locales that have one.
 */
export function* passagesOf(
  fields: readonly Field[],
  values: JsonObject,
  localesOf: (code: string, codes: readonly string[]) => readonly string[] = (code) => [code],
): Generator<Passage> {
  for (const { field, path, value, locale } of leaves(fields, values)) {
    const { searchText } = rulesOf(field)
    if (!field.searchable || typeof value !== 'string' || searchText === null) continue
    const localized = locale && { locales: localesOf(locale.code, locale.codes) }
    yield { path: `fields.${path}`, text: searchText(value), ...localized }
  }
}

/** The fields that refer to items, by name. `include` accepts these names. */
export function referenceFields(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const referring = fields.filter((field) => rulesOf(field).target?.(field.settings).kind === 'item')
  return new Map(referring.map((field) => [field.name, field]))
}

/**
 * Whether every value that fits the old fields certainly fits the new ones. Fields may be added,
 * and members that do not restrict values (label, help, required, default, searchable) may change.
 * After any other change the items must be checked.
 */
export function isCompatible(before: readonly Field[], after: readonly Field[]): boolean {
  return before.every((field) => {
    const next = after.find(({ name }) => name === field.name)
    if (!next || next.kind !== field.kind || next.list !== field.list || (next.unique && !field.unique))
      return false
    // The cast is safe because settings were parsed from JSON.
    return isSame(field.settings as unknown as Json, next.settings as unknown as Json)
  })
}

/**
 * Whether the same values have the same search words, indexed values and edges with the old and the
 * new fields.
 */
export function derivesTheSame(before: readonly Field[], after: readonly Field[]): boolean {
  const of = (fields: readonly Field[]): Json[] =>
    // The cast is safe because settings were parsed from JSON.
    fields.map(({ name, kind, list, searchable, localized = false, settings }) => ({
      name,
      localized,
      kind,
      list,
      searchable,
      settings: settings as unknown as Json,
    }))
  return isSame(of(before), of(after))
}
