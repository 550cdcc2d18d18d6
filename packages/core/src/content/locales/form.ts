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
import { innerPath, variantOf } from '../migrations/values.ts'
import { definitionOf, fieldsWithin, isByLocale, type LocalizedField } from './fields.ts'

/** The texts of a list. */
function textsIn(list: Json): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

/** The locales in which a snapshot stores localized values, the default one first; none: none. */
function storedLocales({ body }: Pick<Snapshot, 'body'>): readonly string[] {
  return textsIn(body['locales'] ?? null)
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
 * A value that is localized no more is the one that was shown in the locale of the reader: `chain` is that
 * and its fallbacks. Default: the default locale, else any.
 */
export function inCurrentForm<S extends Snapshot>(
  type: ContentType,
  snapshot: S,
  chain?: readonly string[],
): S {
  const { fields = null, localized } = snapshot.body
  if (!isJsonObject(fields)) return snapshot
  const locales = storedLocales(snapshot)
  const paths = localized === undefined ? null : new Set(textsIn(localized))
  const current = valuesInForm(type, fields, { locales, paths, ...(chain && { chain }) })
  return current === fields || isSame(current, fields)
    ? snapshot
    : { ...snapshot, body: { ...snapshot.body, fields: current } }
}

/** Values by locale, as they were saved. */
interface SavedForm {
  /** The locales in which they are, the default one first; none: none. */
  readonly locales: readonly string[]
  /** The paths of what was localized; null: unknown, so values tell it by their form. */
  readonly paths: ReadonlySet<string> | null
  /** The locales whose values are shown; the first that has one. Default: the default one, else any. */
  readonly chain?: readonly string[]
}

const nothing: ReadonlySet<string> = new Set()

/** Values as a type stores them now. */
export function valuesInForm(type: ContentType, values: JsonObject, saved: SavedForm): JsonObject {
  const locales = definitionOf(type)?.locales
  if (saved.locales.length === 0 && !locales) return values
  const paths = saved.locales.length === 0 ? nothing : saved.paths
  const form = { ...saved, paths, wrapIn: locales?.default ?? '' }
  return objectIn(type.fields, values, { form, prefix: '' })
}

interface Form extends SavedForm {
  /** The locale of values that become localized. */
  readonly wrapIn: string
}

interface InObject {
  readonly form: Form
  /** The path of the object, which ends with a dot. */
  readonly prefix: string
}

function objectIn(fields: readonly Field[], values: JsonObject, { form, prefix }: InObject): JsonObject {
  const current = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const field = fields.find((candidate) => candidate.name === name)
    const result = valueIn(field, value, { form, path: prefix + name })
    return result === null ? [] : [[name, result]]
  })
  return Object.fromEntries(current)
}

interface AtPath {
  readonly form: Form
  readonly path: string
}

/** `field` is undefined where there is none any more. */
function valueIn(field: Field | undefined, value: Json, { form, path }: AtPath): Json {
  const byLocale = wasLocalized(field, { form, path }) ? objectByLocale(value, form) : null
  if (field && isByLocale(field)) {
    if (!byLocale) return wrapped(field, value, { form, path })
    const known = new Set(field.settings.fields.map(({ name }) => name))
    const current = Object.entries(byLocale).filter(([code]) => known.has(code))
    return current.length === 0 ? null : Object.fromEntries(current)
  }
  if (!byLocale) return field ? within(field, value, { form, path }) : value
  const plain = plainOf(byLocale, form)
  if (!plain || !field) return plain?.value ?? null
  // What is localized within it now gets the locale of the value.
  return within(field, plain.value, { form: { ...form, paths: nothing, wrapIn: plain.code }, path })
}

/** The objects in a value in their form of now. */
function within(field: Field, value: Json, { form, path }: AtPath): Json {
  if (innerFields(field).length === 0) return value
  const entryIn = (entry: Json): Json => {
    const fields = isJsonObject(entry) && fieldsWithin(field, entry)
    return fields
      ? objectIn(fields, entry, { form, prefix: innerPath(path, variantOf(field, entry)) })
      : entry
  }
  return Array.isArray(value) ? value.map(entryIn) : entryIn(value)
}

/** The value by locale: that of the default one, and each other that it had where it was localized within. */
function wrapped(field: LocalizedField, value: Json, { form, path }: AtPath): JsonObject {
  const isWithin = [...(form.paths ?? [])].some((one) => one.startsWith(`${path}.`))
  const [member] = field.settings.fields
  if (!isWithin || !member) return { [form.wrapIn]: value }
  const shown = (chain: readonly string[]) => within(member, value, { form: { ...form, chain }, path })
  const shared = shown([])
  const codes = field.settings.fields.map(({ name }) => name)
  const own = codes.map((code): [string, Json] => [code, shown([code])])
  return Object.fromEntries(own.filter(([code, one]) => code === form.wrapIn || !isSame(one, shared)))
}

/**
 * Where the paths are unknown, a value counts as localized by its form: if its field is gone, is localized,
 * or cannot hold objects.
 */
function wasLocalized(field: Field | undefined, { form: { paths }, path }: AtPath): boolean {
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

/** The value that is shown, and its locale; null: none. */
function plainOf(
  byLocale: JsonObject,
  { chain, locales: [first = ''] }: SavedForm,
): { readonly code: string; readonly value: Json } | null {
  const code = (chain ?? [first, ...Object.keys(byLocale)]).find((one) => (byLocale[one] ?? null) !== null)
  return code === undefined ? null : { code, value: byLocale[code] ?? null }
}
