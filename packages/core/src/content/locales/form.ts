import {
  innerFields,
  isScalarField,
  scalarKindOf,
  type ContentType,
  type Field,
  type Locales,
} from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import { isJsonObject, type Json, type JsonObject, type Snapshot } from '../../ports/index.ts'
import { innerPath } from '../migrations/values.ts'
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

/** How a snapshot stores localized values. */
interface StoredForm {
  /** The codes of the locales, the default one first. */
  readonly locales: string[]
  /** The paths of the localized fields. */
  readonly localized: string[]
}

/** What to store in a snapshot of a type about its localized values; undefined: it has no locales. */
export function formToStore(type: Pick<ContentType, 'name'>): StoredForm | undefined {
  const definition = definitionOf(type)
  if (!definition) return undefined
  return {
    locales: defaultFirst(definition.locales),
    localized: localizedPaths(definition.type.fields),
  }
}

const pathsOf = new WeakMap<readonly Field[], string[]>()

/** The paths of the fields that are defined as localized. */
function localizedPaths(fields: readonly Field[], prefix = ''): string[] {
  const known = prefix === '' ? pathsOf.get(fields) : undefined
  if (known) return known
  const paths = fields.flatMap((field): string[] => {
    const path = prefix + field.name
    if (field.localized) return [path]
    return innerFields(field).flatMap((inner) => localizedPaths(inner.fields, innerPath(path, inner.variant)))
  })
  if (prefix === '') pathsOf.set(fields, paths)
  return paths
}

/** The codes of locales, the default one first. */
export function defaultFirst(locales: Locales): string[] {
  const codes = locales.list.map(({ code }) => code)
  return [locales.default, ...codes.filter((code) => code !== locales.default)]
}

/**
 * A version as its values would be stored now. Versions do not change, so one that was saved when
 * the repository had other locales, or when other fields were localized, has them in another form.
 * A value that is localized no more is that of the locale in which the version is read, else of the
 * default one.
 */
export function inCurrentForm<S extends Snapshot>(type: ContentType, snapshot: S, code?: string): S {
  const { fields = null, localized } = snapshot.body
  if (!isJsonObject(fields)) return snapshot
  const locales = storedLocales(snapshot)
  const paths = Array.isArray(localized) ? new Set<Json>(localized) : null
  const current = valuesInForm(type, fields, { locales, paths, ...(code !== undefined && { code }) })
  return current === fields || isSame(current, fields)
    ? snapshot
    : { ...snapshot, body: { ...snapshot.body, fields: current } }
}

/** Values by locale, as they were saved. */
interface SavedForm {
  /** The locales in which they are, the default one first; none: none. */
  readonly locales: readonly string[]
  /** The paths of what was localized; null: unknown, so values tell it by their form. */
  readonly paths: ReadonlySet<Json> | null
  /** The locale of the reader. Default: the default one. */
  readonly code?: string
}

/** Values as a type stores them now. */
export function valuesInForm(type: ContentType, values: JsonObject, saved: SavedForm): JsonObject {
  const locales = definitionOf(type)?.locales
  if (saved.locales.length === 0 && !locales) return values
  const paths = saved.locales.length === 0 ? new Set<Json>() : saved.paths
  const form = { ...saved, paths, wrapIn: locales?.default ?? '' }
  return objectIn(type.fields, values, { form, prefix: '' })
}

interface Reading {
  readonly form: SavedForm & {
    /** The locale of values that become localized. */
    readonly wrapIn: string
  }
  /** The path of what contains the values, which ends with a dot. */
  readonly prefix: string
}

function objectIn(fields: readonly Field[], values: JsonObject, { form, prefix }: Reading): JsonObject {
  const current = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const field = fields.find((candidate) => candidate.name === name)
    const result = valueIn(field, value, { form, prefix: prefix + name })
    return result === null ? [] : [[name, result]]
  })
  return Object.fromEntries(current)
}

/** `prefix` is the path of the value here. */
function valueIn(field: Field | undefined, value: Json, { form, prefix: path }: Reading): Json {
  const byLocale = wasLocalized(field, path, form) ? objectByLocale(value, form) : null
  if (field && isByLocale(field)) {
    if (!byLocale) return { [form.wrapIn]: value }
    const known = new Set(field.settings.fields.map(({ name }) => name))
    const current = Object.entries(byLocale).filter(([code]) => known.has(code))
    return current.length === 0 ? null : Object.fromEntries(current)
  }
  if (byLocale) return plainOf(byLocale, form)
  if (!field || innerFields(field).length === 0) return value
  const entryIn = (entry: Json): Json => {
    const fields = isJsonObject(entry) && fieldsWithin(field, entry)
    return fields
      ? objectIn(fields, entry, { form, prefix: innerPath(path, variantOf(field, entry)) })
      : entry
  }
  return Array.isArray(value) ? value.map(entryIn) : entryIn(value)
}

/** The variant of an entry of a union; null for an object of a group. */
function variantOf(field: Field, { type }: JsonObject): string | null {
  const isUnion = innerFields(field).some(({ variant }) => variant !== null)
  return isUnion && typeof type === 'string' ? type : null
}

/** Where the paths are unknown, what has no field any more and what is no object now tells it by its form. */
function wasLocalized(field: Field | undefined, path: string, { paths }: SavedForm): boolean {
  if (paths) return paths.has(path)
  return !field || isByLocale(field) || field.localized === true || !holdsObjects(field)
}

function holdsObjects(field: Field): boolean {
  return !isScalarField(field) || ['object', 'any'].includes(scalarKindOf(field).json)
}

/** The value as an object by locale; null if it is none. */
function objectByLocale(value: Json, { locales }: SavedForm): JsonObject | null {
  return isJsonObject(value) && Object.keys(value).every((code) => locales.includes(code)) ? value : null
}

/** Only the locale of the reader may be public: nothing else is shown to who names one. */
function plainOf(byLocale: JsonObject, { code, locales }: SavedForm): Json {
  if (code !== undefined && locales.includes(code)) return byLocale[code] ?? null
  return byLocale[locales[0] ?? ''] ?? Object.values(byLocale)[0] ?? null
}
