import { innerFields, type ContentType, type Field, type Locales } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject, type Snapshot } from '../../ports/index.ts'
import { definitionOf, fieldsWithin, isByLocale } from './fields.ts'

/** The locales in which a snapshot stores localized values, the default one first; none: none. */
function storedLocales({ body }: Pick<Snapshot, 'body'>): readonly string[] {
  const { locales } = body
  return Array.isArray(locales) ? locales.filter((code) => typeof code === 'string') : []
}

/** The default locale when a snapshot was saved; null if it tells none. */
export function defaultLocaleIn(snapshot: Pick<Snapshot, 'body'>): string | null {
  return storedLocales(snapshot)[0] ?? null
}

/** The locales to store in a snapshot of a type, the default one first; undefined: none. */
export function localesToStore(type: Pick<ContentType, 'name'>): string[] | undefined {
  const { locales } = definitionOf(type) ?? {}
  return locales && defaultFirst(locales)
}

/** The codes of locales, the default one first. */
export function defaultFirst(locales: Locales): string[] {
  const codes = locales.list.map(({ code }) => code)
  return [locales.default, ...codes.filter((code) => code !== locales.default)]
}

/**
 * A version as its values would be stored now. Versions do not change, so one that was saved when
 * the repository had other locales, or when other fields were localized, has them in another form.
 */
export function inCurrentForm<S extends Snapshot>(type: ContentType, snapshot: S): S {
  const { fields = null } = snapshot.body
  if (!isJsonObject(fields)) return snapshot
  const current = valuesInForm(type, fields, storedLocales(snapshot))
  return current === fields ? snapshot : { ...snapshot, body: { ...snapshot.body, fields: current } }
}

/** Values as a type stores them, given the locales in which they are now, the default one first. */
export function valuesInForm(type: ContentType, values: JsonObject, stored: readonly string[]): JsonObject {
  const locales = definitionOf(type)?.locales
  if (stored.length === 0 && !locales) return values
  return objectIn(type.fields, values, { stored, code: locales?.default ?? '' })
}

/** The locales of stored values, and the locale of values that become localized. */
interface Form {
  readonly stored: readonly string[]
  readonly code: string
}

function objectIn(fields: readonly Field[], values: JsonObject, form: Form): JsonObject {
  const current = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const field = fields.find((candidate) => candidate.name === name)
    const result = field ? valueIn(field, value, form) : value
    return result === null ? [] : [[name, result]]
  })
  return Object.fromEntries(current)
}

function valueIn(field: Field, value: Json, form: Form): Json {
  const byLocale = objectByLocale(value, form)
  if (isByLocale(field)) {
    if (!byLocale) return { [form.code]: value }
    const known = new Set(field.settings.fields.map(({ name }) => name))
    const current = Object.entries(byLocale).filter(([code]) => known.has(code))
    return current.length === 0 ? null : Object.fromEntries(current)
  }
  if (field.localized && byLocale) return byLocale[form.stored[0] ?? ''] ?? Object.values(byLocale)[0] ?? null
  if (innerFields(field).length === 0) return value
  const entryIn = (entry: Json): Json => {
    const fields = isJsonObject(entry) && fieldsWithin(field, entry)
    return fields ? objectIn(fields, entry, form) : entry
  }
  return Array.isArray(value) ? value.map(entryIn) : entryIn(value)
}

/** The value as an object by locale; null if it is none. */
function objectByLocale(value: Json, { stored }: Form): JsonObject | null {
  return isJsonObject(value) && Object.keys(value).every((code) => stored.includes(code)) ? value : null
}
