import type { Field } from '@quire/contract'
import type { Json, JsonObject } from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import { checkValues, innerObjects } from '../types/values.ts'

/**
 * The values that fit the fields: text and numbers are converted, and what still does not fit is
 * left out.
 */
export async function fittingValues(fields: readonly Field[], values: JsonObject): Promise<JsonObject> {
  const stored: [string, Json][] = []
  for (const field of fields) {
    const value = values[field.name]
    const fitting = value === undefined ? undefined : await fittingValue(field, value)
    if (fitting !== undefined) stored.push([field.name, fitting])
  }
  return Object.fromEntries(stored)
}

async function fittingValue(field: Field, value: Json): Promise<Json | undefined> {
  if (field.list) return fittingList(field, Array.isArray(value) ? value : [value])
  return fittingSingle(field, Array.isArray(value) ? (value[0] ?? null) : value)
}

async function fittingList(field: Field, values: readonly Json[]): Promise<Json | undefined> {
  const fitting: Json[] = []
  for (const value of values) {
    const stored = await fittingSingle({ ...field, list: false }, value)
    if (stored !== undefined) fitting.push(stored)
  }
  return fitting.length === 0 && values.length > 0 ? undefined : fitting
}

async function fittingSingle(field: Field, value: Json): Promise<Json | undefined> {
  const [inner] = innerObjects(field, value)
  if (inner) {
    const fields = await fittingValues(inner.fields, inner.value)
    return { ...inner.own, ...fields }
  }
  for (const candidate of [value, rulesOf(field).convert(value)]) {
    const { values, issues } = await checkValues([field], { [field.name]: candidate })
    if (issues.length === 0) return values[field.name]
  }
  return undefined
}

/** Number of single values in some JSON, to see whether a conversion has lost any. */
export function valueCount(value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, entry) => sum + valueCount(entry), 0)
}
