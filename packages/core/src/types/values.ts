import type { Field, GroupField, Issue, UnionField } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../ports/index.ts'
import { checkScalar } from './kinds.ts'

/** Values as they are kept, and what is wrong with those that cannot be. */
export interface CheckedValues {
  readonly values: JsonObject
  readonly issues: readonly Issue[]
}

/**
 * Checks the kinds and formats of values against fields (DESIGN "Items": at save; `required` waits for publish).
 * Null stands for no value and is not kept. An unknown name is an issue.
 */
export async function checkValues(
  fields: readonly Field[],
  values: JsonObject,
  path = 'fields',
): Promise<CheckedValues> {
  const issues = unknownNames(fields, values, path)
  const kept: [string, Json][] = []
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    if (value === undefined || value === null) continue
    const checked = await checkField(field, value, `${path}.${field.name}`)
    issues.push(...checked.issues)
    kept.push([field.name, checked.value])
  }
  return { values: Object.fromEntries(kept), issues }
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

async function checkField(field: Field, value: Json, path: string): Promise<CheckedValue> {
  if (!field.list) return checkSingle(field, value, path)
  if (!Array.isArray(value)) return { value, issues: [{ path, message: 'must be a list' }] }
  const checked: CheckedValue[] = []
  for (const [index, entry] of value.entries())
    checked.push(await checkSingle(field, entry, `${path}.${index}`))
  return { value: checked.map((entry) => entry.value), issues: checked.flatMap((entry) => entry.issues) }
}

async function checkSingle(field: Field, value: Json, path: string): Promise<CheckedValue> {
  if (field.kind === 'group') return checkGroup(field, value, path)
  if (field.kind === 'union') return checkBlock(field, value, path)
  const checked = await checkScalar(field, value)
  return 'value' in checked
    ? { ...checked, issues: [] }
    : { value, issues: [{ path, message: checked.problem }] }
}

async function checkGroup(field: GroupField, value: Json, path: string): Promise<CheckedValue> {
  if (!isJsonObject(value)) return { value, issues: [{ path, message: 'must be an object' }] }
  const { values, issues } = await checkValues(field.settings.fields, value, path)
  return { value: values, issues }
}

async function checkBlock(field: UnionField, value: Json, path: string): Promise<CheckedValue> {
  const { type, ...rest } = isJsonObject(value) ? value : {}
  const variant = field.settings.variants.find(({ name }) => name === type)
  if (!variant) {
    const names = field.settings.variants.map(({ name }) => name).join(', ')
    return { value, issues: [{ path, message: `must be an object whose type is one of ${names}` }] }
  }
  const { values, issues } = await checkValues(variant.fields, rest, path)
  return { value: { type: variant.name, ...values }, issues }
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
  /** Its place in a list; null when the field is single. */
  readonly index: number | null
}

/** The objects that a group or union field holds; none for other kinds. */
export function innerObjects(field: Field, value: Json | undefined): InnerObject[] {
  if ((field.kind !== 'group' && field.kind !== 'union') || value === undefined) return []
  const entries = Array.isArray(value)
    ? value.map((entry, index) => ({ entry, index }))
    : [{ entry: value, index: null }]
  return entries.flatMap(({ entry, index }) => {
    const fields = isJsonObject(entry) ? fieldsOf(field, entry) : undefined
    return fields && isJsonObject(entry) ? [{ fields, value: entry, index }] : []
  })
}

function fieldsOf(field: GroupField | UnionField, value: JsonObject): readonly Field[] | undefined {
  if (field.kind === 'group') return field.settings.fields
  return field.settings.variants.find(({ name }) => name === value['type'])?.fields
}
