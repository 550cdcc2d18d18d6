import { innerFields, limits, type Field, type Issue } from '@quire/contract'
import { rulesOf } from '../fields/index.ts'
import type { CheckObject } from '../fields/rules.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { yieldingToLoop, type YieldToLoop } from '../../engine/event-loop.ts'

/** Values as they are kept, and what is wrong with those that cannot be. */
export interface CheckedValues {
  readonly values: JsonObject
  readonly issues: readonly Issue[]
}

/**
 * What is kept already and is longer than a save may bring: it stays as it is, and can be sent again. Values of other saves are bounded, for
 * what checks them holds the thread meanwhile.
 */
export interface StoredValue {
  readonly texts: ReadonlySet<string>
  /** The most entries of a list, by the path of its field. */
  readonly lists: ReadonlyMap<string, number>
}

/** Shorter texts are within the bounds of every kind. */
const shortText = limits.patternText

/** The long texts and lists of what was kept before. */
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

/** Where values are checked, and how. */
interface CheckContext {
  readonly path: string
  /** What may be longer than a save may bring; null where nothing is saved: what is kept is no longer an issue then. */
  readonly stored: StoredValue | null
  readonly yieldToLoop: YieldToLoop
}

/**
 * Checks the kinds and formats of values against fields (DESIGN "Items, versions, status": at save; `required` waits for publish).
 * Null stands for no value and is not kept. An unknown name is an issue. `kept`: for a save, what was kept before.
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
  const { path } = checking
  const issues = unknownNames(fields, values, path)
  const stored: [string, Json][] = []
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    if (value === undefined || value === null) continue
    const checked = await checkField(field, value, below(checking, field.name))
    issues.push(...checked.issues)
    stored.push([field.name, checked.value])
  }
  return { values: Object.fromEntries(stored), issues }
}

function unknownNames(fields: readonly Field[], values: JsonObject, path: string): Issue[] {
  const known = new Set(fields.map((field) => field.name))
  return Object.keys(values)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `${path}.${name}`, message: 'is not a field of this content type' }))
}

interface CheckedValue {
  readonly value: Json
  readonly issues: readonly Issue[]
}

function below(checking: CheckContext, name: string | number): CheckContext {
  return { ...checking, path: `${checking.path}.${name}` }
}

async function checkField(field: Field, value: Json, checking: CheckContext): Promise<CheckedValue> {
  if (!field.list) return checkSingle(field, value, checking)
  const { path } = checking
  if (!Array.isArray(value)) return { value, issues: [{ path, message: 'must be a list' }] }
  const problem = listProblem(field, value)
  if (problem !== null && !mayHave(field, value, checking))
    return { value, issues: [{ path, message: problem }] }
  const checked: CheckedValue[] = []
  for (const [index, entry] of value.entries())
    checked.push(await checkSingle(field, entry, below(checking, index)))
  return { value: checked.map((entry) => entry.value), issues: checked.flatMap((entry) => entry.issues) }
}

/** Why a list is too long; null for one that is not. */
function listProblem({ maxItems = limits.listDefault }: Field, list: readonly Json[]): string | null {
  return list.length > maxItems ? `must have at most ${maxItems} entries` : null
}

/** A list that was longer before can lose entries; one of a field that sets its own bound cannot be longer. */
function mayHave({ maxItems }: Field, list: readonly Json[], { path, stored }: CheckContext): boolean {
  if (maxItems !== undefined) return false
  return stored === null || list.length <= (stored.lists.get(fieldPath(path)) ?? 0)
}

/** The path of a field, whichever entries of lists it is in. */
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

/** Why a value takes too long to be checked; null for one that does not. */
function textProblem(field: Field, value: Json): string | null {
  if (typeof value !== 'string' || value.length <= shortText) return null
  return rulesOf(field).tooLong(value, field.settings)
}

/** Every required field without a value (an empty text or list is none): what stops a publish. */
export function missingValues(fields: readonly Field[], values: JsonObject, path = 'fields'): Issue[] {
  return fields.flatMap((field) => {
    const value = values[field.name]
    const here = `${path}.${field.name}`
    if (isEmpty(value)) return field.required ? [{ path: here, message: 'is required' }] : []
    return innerObjects(field, value).flatMap(({ fields: inner, value: object, index }) =>
      missingValues(inner, object, index === null ? here : `${here}.${index}`),
    )
  })
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** One object inside a value, with the fields that describe it. */
export interface InnerObject {
  readonly fields: readonly Field[]
  readonly value: JsonObject
  /** Members that are no fields: the variant of a block. */
  readonly own: { readonly type?: string }
  /** Its place in a list; null when the field is single. */
  readonly index: number | null
}

/** The objects that a field with fields of its own holds; none for other kinds. */
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
