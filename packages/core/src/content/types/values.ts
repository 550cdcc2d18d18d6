import { innerFields, limits, type Field, type Issue } from '@quire/contract'
import { rulesOf } from '../fields/index.ts'
import { isByLocale } from '../locales/fields.ts'
import type { CheckObject } from '../fields/rules.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { yieldingToLoop, type YieldToLoop } from '../../engine/event-loop.ts'

/** The values to store, and the issues of those that are not valid. */
export interface CheckedValues {
  readonly values: JsonObject
  readonly issues: readonly Issue[]
}

/**
 * Stored texts and lists that are longer than the limit for a save. They may stay and may be sent
 * again. Other values are limited, because checking them blocks the thread.
 */
export interface StoredValue {
  readonly texts: ReadonlySet<string>
  /** The most entries of a list, by the path of its field. */
  readonly lists: ReadonlyMap<string, number>
}

/** Characters. Texts up to this length are within the limits of every kind. */
const shortText = limits.patternText

/** Collects the long texts and lists of stored contents. */
export function storedIn(...contents: readonly JsonObject[]): StoredValue {
  const texts = new Set<string>()
  const lists = new Map<string, number>()
  const collect = (value: Json, path: string): void => {
    if (typeof value === 'string' && value.length > shortText) texts.add(value)
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) {
      for (const [name, entry] of Object.entries(value)) collect(entry, `${path}.${name}`)
      return
    }
    if (value.length > limits.listDefault) lists.set(path, Math.max(value.length, lists.get(path) ?? 0))
    for (const entry of value) collect(entry, path)
  }
  for (const content of contents) collect(content, '')
  return { texts, lists }
}

/** The position and the options of a check. */
interface CheckContext {
  readonly path: string
  /**
   * The stored values that may exceed the limits of a save. Null if nothing is saved; then these
   * limits do not apply.
   */
  readonly stored: StoredValue | null
  readonly yieldToLoop: YieldToLoop
  /** What the names of the object are. Default: fields of the content type. */
  readonly names?: string
}

/**
 * Checks the kinds and formats of values against their fields. `required` is only checked on
 * publishing (DESIGN "Items, versions, status"). Null means no value and is not stored. An unknown
 * name is an issue. For a save, `stored` contains the long values that were stored before.
 */
export async function checkValues(
  fields: readonly Field[],
  values: JsonObject,
  stored: StoredValue | null = null,
): Promise<CheckedValues> {
  return checkObject(fields, values, { path: 'fields', stored, yieldToLoop: yieldingToLoop() })
}

async function checkObject(
  fields: readonly Field[],
  values: JsonObject,
  checking: CheckContext,
): Promise<CheckedValues> {
  const issues = unknownNames(fields, values, checking)
  const stored: [string, Json][] = []
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    if (value === undefined || value === null) continue
    const checked = await checkField(field, value, below(checking, field.name))
    issues.push(...checked.issues)
    if (!isByLocale(field) || !isEmptyObject(checked.value)) stored.push([field.name, checked.value])
  }
  return { values: Object.fromEntries(stored), issues }
}

function unknownNames(
  fields: readonly Field[],
  values: JsonObject,
  { path, names = 'a field of this content type' }: CheckContext,
): Issue[] {
  const known = new Set(fields.map((field) => field.name))
  return Object.keys(values)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `${path}.${name}`, message: `is not ${names}` }))
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

interface CheckedValue {
  readonly value: Json
  readonly issues: readonly Issue[]
}

function below(checking: CheckContext, name: string | number): CheckContext {
  const { names: _, ...rest } = checking
  return { ...rest, path: `${checking.path}.${name}` }
}

async function checkField(field: Field, value: Json, checking: CheckContext): Promise<CheckedValue> {
  const { path } = checking
  if (isByLocale(field)) {
    if (!isJsonObject(value))
      return { value, issues: [{ path, message: 'must be an object of values by locale' }] }
    const { values, issues } = await checkObject(field.settings.fields, value, {
      ...checking,
      names: 'a locale of this repository',
    })
    return { value: values, issues }
  }
  if (!field.list) return checkSingle(field, value, checking)
  if (!Array.isArray(value)) return { value, issues: [{ path, message: 'must be a list' }] }
  const problem = listProblem(field, value)
  if (problem !== null && !mayExceed(field, value, checking))
    return { value, issues: [{ path, message: problem }] }
  const checked: CheckedValue[] = []
  for (const [index, entry] of value.entries())
    checked.push(await checkSingle(field, entry, below(checking, index)))
  return { value: checked.map((entry) => entry.value), issues: checked.flatMap((entry) => entry.issues) }
}

/** Why a list is too long; null if it is not. */
function listProblem({ maxItems = limits.listDefault }: Field, list: readonly Json[]): string | null {
  return list.length > maxItems ? `must have at most ${maxItems} entries` : null
}

/**
 * Whether a list may exceed the limit: it was already as long before, and its field does not set
 * its own limit.
 */
function mayExceed({ maxItems }: Field, list: readonly Json[], { path, stored }: CheckContext): boolean {
  if (maxItems !== undefined) return false
  return stored === null || list.length <= (stored.lists.get(fieldPath(path)) ?? 0)
}

/** The path of a field, without the indexes of list entries. */
function fieldPath(path: string): string {
  return path.replace(/^fields/, '').replaceAll(/\.\d+(?=\.|$)/g, '')
}

async function checkSingle(field: Field, value: Json, checking: CheckContext): Promise<CheckedValue> {
  await checking.yieldToLoop()
  const { path } = checking
  const problem = textProblem(field, value)
  if (problem !== null) {
    const isStored =
      checking.stored === null || (typeof value === 'string' && checking.stored.texts.has(value))
    return { value, issues: isStored ? [] : [{ path, message: problem }] }
  }
  const within: CheckObject = (fields, values) => checkObject(fields, values, checking)
  const checked = await rulesOf(field).check(value, field.settings, within)
  return 'value' in checked
    ? { value: checked.value, issues: checked.issues ?? [] }
    : { value, issues: [{ path, message: checked.problem }] }
}

/** Why a text is too long to check; null if it is not. */
function textProblem(field: Field, value: Json): string | null {
  if (typeof value !== 'string' || value.length <= shortText) return null
  return rulesOf(field).tooLong(value, field.settings)
}

/** Which values count as missing. */
interface MissingOptions {
  /** Default: `fields`. */
  readonly path?: string
  /** The locales whose values are shown where a locale has none. Default: none. */
  readonly fallbacksOf?: (code: string) => readonly string[]
  /** Whether a locale needs its values. Default: yes. */
  readonly isNeeded?: (code: string) => boolean
}

/**
 * Finds every required field without a value, which prevents publishing. An empty text or list
 * counts as no value. A localized field needs a value in each locale.
 */
export function missingValues(
  fields: readonly Field[],
  values: JsonObject,
  { path = 'fields', ...options }: MissingOptions = {},
): Issue[] {
  return fields.flatMap((field) => {
    const value = values[field.name]
    const here = `${path}.${field.name}`
    if (isByLocale(field)) {
      const byLocale = objectOr(value)
      const { fallbacksOf = () => [], isNeeded = () => true } = options
      const members = field.settings.fields.filter(
        ({ name, fallbackCounts }) =>
          isNeeded(name) && (!fallbackCounts || fallbacksOf(name).every((code) => isEmpty(byLocale[code]))),
      )
      return missingValues(members, byLocale, { ...options, path: here })
    }
    if (isEmpty(value)) return field.required ? [{ path: here, message: 'is required' }] : []
    return innerObjects(field, value).flatMap(({ fields: inner, value: object, index }) =>
      missingValues(inner, object, { ...options, path: index === null ? here : `${here}.${index}` }),
    )
  })
}

/** The value if it is an object, or an empty one. */
export function objectOr(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Whether a field has no value: none, an empty text or an empty list. */
export function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** An object inside a value, with its fields. */
export interface InnerObject {
  readonly fields: readonly Field[]
  readonly value: JsonObject
  /** Members that are not fields: the variant of a block. */
  readonly own: { readonly type?: string }
  /** Its index in a list; null if the field is not a list. */
  readonly index: number | null
}

/** The objects in the value of a group or block field. Empty for other kinds. */
export function innerObjects(field: Field, value: Json | undefined): InnerObject[] {
  if (typeof value !== 'object') return []
  const inner = innerFields(field)
  if (inner.length === 0) return []
  const entries = Array.isArray(value)
    ? value.map((entry, index) => ({ entry, index }))
    : [{ entry: value, index: null }]
  return entries.flatMap(({ entry, index }): InnerObject[] => {
    if (!isJsonObject(entry)) return []
    const found = inner.find(({ variant }) => variant === null || variant === entry['type'])
    if (!found) return []
    const { variant, fields } = found
    return [{ fields, value: entry, own: variant === null ? {} : { type: variant }, index }]
  })
}
