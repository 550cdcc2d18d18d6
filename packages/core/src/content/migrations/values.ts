import { innerFields, type Field, type Issue } from '@quire/contract'
import type { Json, JsonObject } from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import { checkValues, innerObjects } from '../types/values.ts'

/** The names that fields had before, by their path. */
export type Renames = Readonly<Record<string, string>>

/** Renames, and the path of what contains the fields, which ends with a dot. */
export interface Renaming {
  readonly renames: Renames
  readonly prefix?: string
}

/** The path of a field in a group, or in the variant of a union. */
export function innerPath(path: string, variant: string | null): string {
  return variant === null ? `${path}.` : `${path}.${variant}.`
}

/** The name that the field with a path had before; undefined: the same. */
export function formerName(renames: Renames, path: string): string | undefined {
  return Object.hasOwn(renames, path) ? renames[path] : undefined
}

/** The variant of an entry of a union; null for an object of a group. */
export function variantOf(field: Field, { type }: JsonObject): string | null {
  const isUnion = innerFields(field).some(({ variant }) => variant !== null)
  return isUnion && typeof type === 'string' ? type : null
}

/** Whether a change moves values at all. */
export function hasRenames(renames: Renames): boolean {
  return Object.keys(renames).length > 0
}

/** Problems of `renames`: a path that is no field, and a former name that a field still has. */
export function renameIssues(fields: readonly Field[], renames: Renames): Issue[] {
  const unknown = new Set(Object.keys(renames))
  const issues: Issue[] = []
  const look = (level: readonly Field[], prefix: string): void => {
    const names = new Set(level.map(({ name }) => name))
    const taken = new Map<string, string>()
    for (const field of level) {
      const path = prefix + field.name
      for (const inner of innerFields(field)) look(inner.fields, innerPath(path, inner.variant))
      const from = formerName(renames, path)
      if (from === undefined) continue
      unknown.delete(path)
      const other = names.has(from) ? from : taken.get(from)
      if (other !== undefined)
        issues.push({ path: `renames.${path}`, message: `"${from}" is taken by the field "${other}"` })
      taken.set(from, field.name)
    }
  }
  look(fields, '')
  return [
    ...issues,
    ...[...unknown].map((path) => ({ path: `renames.${path}`, message: 'is not the path of a field' })),
  ]
}

/** Values under the new names of their fields. A value that a field already has stays. */
export function renamedValues(
  fields: readonly Field[],
  values: JsonObject,
  { renames, prefix = '' }: Renaming,
): JsonObject {
  if (!hasRenames(renames)) return values
  const moved: Record<string, Json> = { ...values }
  for (const field of fields) {
    const path = prefix + field.name
    const from = formerName(renames, path)
    if (from !== undefined && Object.hasOwn(moved, from) && !Object.hasOwn(moved, field.name)) {
      moved[field.name] = moved[from] ?? null
      delete moved[from]
    }
    const value = moved[field.name]
    if (value !== undefined) moved[field.name] = renamedWithin(field, value, { path, renames })
  }
  return moved
}

function renamedWithin(
  field: Field,
  value: Json,
  { path, renames }: { path: string; renames: Renames },
): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => renamedWithin(field, entry, { path, renames }))
  const [inner] = innerObjects(field, value)
  if (!inner) return value
  return renamedValues(inner.fields, inner.value, {
    renames,
    prefix: innerPath(path, inner.own.type ?? null),
  })
}

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
