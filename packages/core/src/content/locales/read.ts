import { innerFields, type ContentType, type Field } from '@quire/contract'
import { localeView, type LocaleChain } from '../../engine/locales.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { definitionOf, fieldsWithin, isByLocale } from './fields.ts'

/** Values in one locale. */
interface LocaleValues {
  readonly values: JsonObject
  /** The values that come from another locale, by path. */
  readonly fallbacks: Readonly<Record<string, string>>
}

/** The values of a locale, given fields of `typeInLocales` and what is stored for them. */
export function valuesIn(fields: readonly Field[], stored: JsonObject, view: LocaleChain): LocaleValues {
  const fallbacks: Record<string, string> = {}
  return { values: objectIn(fields, stored, { view, path: 'fields', fallbacks }), fallbacks }
}

/** The values of the default locale; all values in a repository without locales. */
export function defaultValues(type: ContentType, stored: JsonObject): JsonObject {
  const { locales } = definitionOf(type) ?? {}
  return locales
    ? valuesIn(type.fields, stored, localeView(locales, { code: locales.default })).values
    : stored
}

/** The fields of a type as it is defined, and their values in the default locale. */
export function inDefaultLocale(
  type: ContentType,
  stored: JsonObject,
): { readonly fields: readonly Field[]; readonly values: JsonObject } {
  const { type: defined } = definitionOf(type) ?? { type }
  return { fields: defined.fields, values: defaultValues(type, stored) }
}

interface ReadPosition {
  readonly view: LocaleChain
  readonly path: string
  readonly fallbacks: Record<string, string>
}

function objectIn(fields: readonly Field[], stored: JsonObject, reading: ReadPosition): JsonObject {
  const values = Object.entries(stored).flatMap(([name, value]): [string, Json][] => {
    const field = fields.find((candidate) => candidate.name === name)
    const read = field ? valueIn(field, value, { ...reading, path: `${reading.path}.${name}` }) : value
    return read === undefined ? [] : [[name, read]]
  })
  return Object.fromEntries(values)
}

function valueIn(field: Field, value: Json, reading: ReadPosition): Json | undefined {
  if (isByLocale(field)) return isJsonObject(value) ? localeValue(value, reading) : undefined
  if (innerFields(field).length === 0) return value
  const entryIn = (entry: Json, at: ReadPosition): Json => {
    const fields = isJsonObject(entry) && fieldsWithin(field, entry)
    return fields ? objectIn(fields, entry, at) : entry
  }
  if (!Array.isArray(value)) return entryIn(value, reading)
  return value.map((entry, index) => entryIn(entry, { ...reading, path: `${reading.path}.${index}` }))
}

function localeValue(
  byLocale: JsonObject,
  { view: { code, chain }, path, fallbacks }: ReadPosition,
): Json | undefined {
  const from = chain.find((candidate) => (byLocale[candidate] ?? null) !== null)
  if (from === undefined) return undefined
  if (from !== code) fallbacks[path] = from
  return byLocale[from]
}
