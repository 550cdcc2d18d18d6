import { innerFields, type ContentType, type Field } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { formerName, innerPath, variantOf, type Renames } from '../migrations/values.ts'
import { objectOr } from '../types/values.ts'
import { definitionOf, fieldsWithin, isByLocale, type LocalizedField } from './fields.ts'

/** A change of how values are stored: other locales, or other fields that are localized. */
interface Conversion {
  readonly from: ContentType
  readonly to: ContentType
  /**
   * Whether a value that is in none of the target's locales is left out. Otherwise one takes the place of
   * that of the default locale, as in a copy elsewhere.
   */
  readonly leavesOut?: boolean
  /** The names that fields had before: their values are converted, and stay under these. Default: none. */
  readonly renames?: Renames
}

/**
 * Stored values in the form of another type or repository. A value that becomes localized is that
 * of the default locale; one that is localized no more keeps that of the default locale, or else of
 * the first locale that has one. Values of locales that the target lacks are left out.
 */
export function convertedValues(
  { from, to, renames = {}, leavesOut = false }: Conversion,
  values: JsonObject,
): JsonObject {
  const defaults = { from: defaultOf(from), to: defaultOf(to) }
  return objectTo(
    { from: from.fields, to: to.fields, prefix: '', context: { defaults, renames, leavesOut } },
    values,
  )
}

function defaultOf(type: ContentType): string {
  return definitionOf(type)?.locales.default ?? ''
}

interface Context {
  readonly defaults: { readonly from: string; readonly to: string }
  readonly renames: Renames
  readonly leavesOut: boolean
}

interface FieldLists {
  readonly from: readonly Field[]
  readonly to: readonly Field[]
  /** The path of what contains the fields, which ends with a dot. */
  readonly prefix: string
  readonly context: Context
}

function objectTo({ from, to, prefix, context }: FieldLists, values: JsonObject): JsonObject {
  const { renames } = context
  const converted = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const one = from.find((field) => field.name === name)
    const other = to.find((field) => (formerName(renames, prefix + field.name) ?? field.name) === name)
    const result = one && other ? valueTo({ one, other, path: prefix + other.name, context }, value) : value
    return result === undefined ? [] : [[name, result]]
  })
  return Object.fromEntries(converted)
}

interface FieldPair {
  readonly one: Field
  readonly other: Field
  /** The path of the other one. */
  readonly path: string
  readonly context: Context
}

function valueTo(pair: FieldPair, value: Json): Json | undefined {
  const { one, other, path, context } = pair
  if (isByLocale(one)) {
    if (isByLocale(other)) return toLocales(other, value, context)
    if (isPlainByHand(one, other, value)) return value
    const first = firstOf(objectOr(value), context)
    return first === undefined ? undefined : valueTo({ ...pair, one: memberOf(one) }, first)
  }
  if (isByLocale(other)) {
    if (isByHand(one, other, value)) return value
    const inner = valueTo({ ...pair, other: memberOf(other) }, value)
    return inner === undefined ? undefined : { [context.defaults.to]: inner }
  }
  if (innerFields(one).length === 0) return value
  const entryTo = (entry: Json): Json => {
    if (!isJsonObject(entry)) return entry
    const [from, to] = [fieldsWithin(one, entry), fieldsWithin(other, entry)]
    const prefix = innerPath(path, variantOf(other, entry))
    return from && to ? objectTo({ from, to, prefix, context }, entry) : entry
  }
  return Array.isArray(value) ? value.map(entryTo) : entryTo(value)
}

/** The field of the value in one locale. */
function memberOf(field: LocalizedField): Field {
  return field.settings.fields[0] ?? field
}

/** The values of the locales that a field has; if it has none of them, see `Conversion.leavesOut`. */
function toLocales(field: LocalizedField, value: Json, context: Context): Json | undefined {
  const stored = objectOr(value)
  const common = shared(field, stored)
  if (Object.keys(common).length === Object.keys(stored).length) return value
  if (Object.keys(common).length > 0) return common
  const first = context.leavesOut ? undefined : firstOf(stored, context)
  return first === undefined ? undefined : { [context.defaults.to]: first }
}

function firstOf(stored: JsonObject, { defaults }: Context): Json | undefined {
  return stored[defaults.from] ?? Object.values(stored)[0]
}

/** Whether a localized value fits a group of another kind, which has a member for each of its locales. */
function isPlainByHand(one: LocalizedField, other: Field, value: Json): boolean {
  const codes = Object.keys(objectOr(value))
  if (codes.length === 0 || memberOf(one).kind === other.kind) return false
  const members = fieldsWithin(other, {}) ?? []
  return codes.every((code) => members.some(({ name }) => name === code))
}

/**
 * Whether a value of another kind of field has the form by locale already: `{ en, de }` in a group or as
 * JSON, from before there were locales. Of the same kind, it is one value, whatever its members are called.
 */
function isByHand(plain: Field, { settings: { fields } }: LocalizedField, value: Json): boolean {
  if (plain.kind === fields[0]?.kind || !isJsonObject(value)) return false
  const codes = new Set(fields.map(({ name }) => name))
  return Object.keys(value).every((name) => codes.has(name))
}

/** The values of the locales that a field has. */
function shared({ settings: { fields } }: LocalizedField, stored: JsonObject): JsonObject {
  const codes = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(Object.entries(stored).filter(([code]) => codes.has(code)))
}
