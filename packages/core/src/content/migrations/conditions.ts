import type { ContentType, Field } from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import type { Filter, Json, JsonObject, QueryField } from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import type { Renames } from './renames.ts'

/** A change of a content type. */
export interface TypeChange {
  readonly before: ContentType
  readonly after: ContentType
  readonly renames: Renames
}

/** Which items a changed field affects. */
interface FieldConditions {
  readonly convert: readonly Filter[]
  /** Those that lose the value of the field. */
  readonly lose: readonly Filter[]
}

const nobody: FieldConditions = { convert: [], lose: [] }

/**
 * The items that do not fit a changed type, as conditions on indexed values: an item that meets any
 * of them does not fit. Null if the index cannot tell.
 */
export function conditionsOf({ before, after, renames }: TypeChange): FieldConditions | null {
  const all: FieldConditions[] = []
  for (const field of before.fields) {
    const next = after.fields.find(({ name }) => name === field.name)
    const renamed = after.fields.find(({ name }) => renames[name] === field.name)
    const found = next ? changed(field, next) : removed(field, renamed)
    if (!found) return null
    all.push(found)
  }
  return { convert: all.flatMap(({ convert }) => convert), lose: all.flatMap(({ lose }) => lose) }
}

function indexed(field: Field): QueryField | null {
  return rulesOf(field).comparison === null ? null : { path: field.name, list: field.list }
}

/** A field that is removed, or has another name. */
function removed(field: Field, renamed: Field | undefined): FieldConditions | null {
  const path = indexed(field)
  if (!path || (renamed && !isSameField({ ...field, name: renamed.name }, renamed))) return null
  const having: readonly Filter[] = [{ field: path, op: 'exists', value: true }]
  return { convert: having, lose: renamed ? [] : having }
}

function isSameField(one: Field, other: Field): boolean {
  const rules = ({ name, kind, list, settings }: Field) => ({ name, kind, list, settings }) as unknown as Json
  return isSame(rules(one), rules(other)) && (one.unique || !other.unique)
}

/** A field that exists before and after. */
function changed(field: Field, next: Field): FieldConditions | null {
  if (isSameField(field, next)) return nobody
  if (field.kind !== next.kind || field.list !== next.list || (next.unique && !field.unique)) return null
  const unfit = unfitValues(field, next)
  return unfit && { convert: unfit, lose: unfit }
}

/** The values that the changed settings of a field do not allow any more; null if the index cannot tell. */
function unfitValues(field: Field, next: Field): readonly Filter[] | null {
  const { settings, unfit } = rulesOf(next).narrowing
  const path = indexed(field)
  if (!path || !differOnlyIn(settings, field, next)) return null
  const having = { field: path, op: 'exists', value: true } as const
  const conditions = unfit(next.settings)
  // A list can have an unfit value beside fitting ones.
  if (field.list && conditions.some(({ op }) => op === 'nin')) return null
  return conditions.map((condition) => ({ all: [having, { field: path, ...condition }] }))
}

function differOnlyIn(members: readonly string[], field: Field, next: Field): boolean {
  // Settings were parsed from JSON.
  const rest = ({ settings }: Field) => ({
    ...settings,
    ...Object.fromEntries(members.map((name) => [name, null])),
  })
  return isSame(rest(field) as JsonObject, rest(next) as JsonObject)
}
