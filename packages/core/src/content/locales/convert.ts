import { innerFields, type ContentType, type Field } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { definitionOf, fieldsWithin, isByLocale, type LocalizedField } from './fields.ts'

/** A change of how values are stored: other locales, or other fields that are localized. */
interface Conversion {
  readonly from: ContentType
  readonly to: ContentType
}

/**
 * Stored values in the form of another type or repository. A value that becomes localized is that
 * of the default locale; one that is localized no more keeps that of the default locale, or else of
 * the first locale that has one. Values of locales that the target lacks are left out.
 */
export function convertedValues({ from, to }: Conversion, values: JsonObject): JsonObject {
  const defaults = { from: defaultOf(from), to: defaultOf(to) }
  return objectTo({ from: from.fields, to: to.fields, defaults }, values)
}

function defaultOf(type: ContentType): string {
  return definitionOf(type)?.locales.default ?? ''
}

interface Defaults {
  readonly defaults: { readonly from: string; readonly to: string }
}

interface FieldLists extends Defaults {
  readonly from: readonly Field[]
  readonly to: readonly Field[]
}

function objectTo({ from, to, defaults }: FieldLists, values: JsonObject): JsonObject {
  const converted = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const one = from.find((field) => field.name === name)
    const other = to.find((field) => field.name === name)
    const result = one && other ? valueTo({ one, other, defaults }, value) : value
    return result === undefined ? [] : [[name, result]]
  })
  return Object.fromEntries(converted)
}

interface FieldPair extends Defaults {
  readonly one: Field
  readonly other: Field
}

function valueTo({ one, other, defaults }: FieldPair, value: Json): Json | undefined {
  if (isByLocale(one))
    return isByLocale(other)
      ? toLocales(other, value, { defaults })
      : toPlain({ one, other, defaults }, value)
  if (isByLocale(other)) return isByHand(one, other, value) ? value : { [defaults.to]: value }
  if (innerFields(one).length === 0) return value
  const entryTo = (entry: Json): Json => {
    if (!isJsonObject(entry)) return entry
    const [from, to] = [fieldsWithin(one, entry), fieldsWithin(other, entry)]
    return from && to ? objectTo({ from, to, defaults }, entry) : entry
  }
  return Array.isArray(value) ? value.map(entryTo) : entryTo(value)
}

/** The values of the locales that a field has; if it has none of them, the first one in the default locale. */
function toLocales(field: LocalizedField, value: Json, { defaults }: Defaults): Json | undefined {
  const stored = isJsonObject(value) ? value : {}
  const common = shared(field, stored)
  if (Object.keys(common).length === Object.keys(stored).length) return value
  if (Object.keys(common).length > 0) return common
  const first = firstOf(stored, defaults)
  return first === undefined ? undefined : { [defaults.to]: first }
}

function firstOf(stored: JsonObject, { from }: Defaults['defaults']): Json | undefined {
  return stored[from] ?? Object.values(stored)[0]
}

/** A localized value as a plain one, or as a group of another kind with a member for each locale. */
function toPlain(
  { one, other, defaults }: FieldPair & { readonly one: LocalizedField },
  value: Json,
): Json | undefined {
  const stored = isJsonObject(value) ? value : {}
  const members = new Set(
    innerFields(other)
      .flatMap(({ fields, variant }) => (variant === null ? fields : []))
      .map(({ name }) => name),
  )
  const first = firstOf(stored, defaults)
  if (first === undefined || one.settings.fields[0]?.kind === other.kind) return first
  return Object.keys(stored).every((code) => members.has(code)) ? value : first
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
