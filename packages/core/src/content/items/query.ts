import { limits, type Issue } from '@quire/contract'
import type { QueryMemberName } from '@quire/contract/api'
import { invalid } from '../../engine/check-input.ts'
import type { Comparison } from '../fields/rules.ts'
import {
  categoriesPath,
  translationsPath,
  type Condition,
  type Filter,
  type Json,
  type QueryField,
  type QueryMember,
  type QueryValue,
  type SortKey,
} from '../../ports/index.ts'
import type { ComparableField } from '../types/derived.ts'

/** A field that the caller may use in filters and sorts. */
interface Queryable {
  readonly field: QueryField
  readonly comparison: Comparison
  /** The key by which a value compares; absent: itself. */
  readonly compareBy?: ComparableField['compareBy']
}

/** The names that a query may use: those of the content types that the caller may read. */
export type QueryNames = ReadonlyMap<string, Queryable | 'ambiguous'>

const listMembers = { categories: categoriesPath, translations: translationsPath }

const members: Readonly<
  Record<Exclude<QueryMemberName, keyof typeof listMembers>, { member: QueryMember; comparison: Comparison }>
> = {
  id: { member: 'id', comparison: 'text' },
  type: { member: 'type', comparison: 'text' },
  name: { member: 'name', comparison: 'text' },
  slug: { member: 'slug', comparison: 'text' },
  status: { member: 'status', comparison: 'text' },
  folderId: { member: 'parentId', comparison: 'text' },
  currentVersion: { member: 'version', comparison: 'number' },
  latestVersion: { member: 'version', comparison: 'number' },
  isArchived: { member: 'archived', comparison: 'boolean' },
  isPublished: { member: 'published', comparison: 'boolean' },
  createdDate: { member: 'createdDate', comparison: 'number' },
  updatedDate: { member: 'updatedDate', comparison: 'number' },
  publishedDate: { member: 'publishedDate', comparison: 'number' },
  'createdByUser.userName': { member: 'createdBy', comparison: 'text' },
  'updatedByUser.userName': { member: 'updatedBy', comparison: 'text' },
}

/**
 * The names of members and of the fields of the given types. A name that two types compare
 * differently is ambiguous.
 */
export function queryNames(types: readonly (readonly ComparableField[])[]): QueryNames {
  const names = new Map<string, Queryable | 'ambiguous'>(
    Object.entries(members).map(([name, { member, comparison }]) => [
      name,
      { field: { member }, comparison },
    ]),
  )
  for (const [name, path] of Object.entries(listMembers))
    names.set(name, { field: { path, list: true }, comparison: 'text' })
  for (const { path, comparison, compareBy, list, name: ofField } of types.flat()) {
    const name = `fields.${ofField}`
    const existing = names.get(name)
    const differs =
      typeof existing === 'object' &&
      (existing.comparison !== comparison ||
        existing.compareBy !== compareBy ||
        isList(existing.field) !== list)
    const queried = { field: { path, list }, comparison, compareBy }
    names.set(name, existing === 'ambiguous' || differs ? 'ambiguous' : queried)
  }
  return names
}

function isList(field: QueryField): boolean {
  return 'list' in field && field.list
}

/** A filter as it arrives: operators whose values are text or lists of text. */
export type FilterInput = Readonly<
  Record<string, string | Readonly<Record<string, string | readonly string[] | undefined>>>
>

/**
 * Converts a filter from the query string or body. Errors: `invalid` for unknown fields and for
 * values that cannot be compared.
 */
export function filterOf(names: QueryNames, input: FilterInput): Filter {
  const all = Object.entries(input).flatMap(([name, operators]) =>
    conditionsOf(names, { name, operators, path: `filter.${name}` }),
  )
  const issues = all.filter((found): found is Issue => 'message' in found)
  if (issues.length > 0) throw invalid(issues)
  return { all: all.filter((found): found is Condition => 'field' in found) }
}

/** The operators of one field as they arrive, with the path for issues. */
export interface FieldOperators {
  readonly name: string
  /** A value, or operators with their values. Values of the wrong type become issues. */
  readonly operators: string | Readonly<Record<string, unknown>>
  readonly path: string
}

/** The conditions on one field, or an issue for each operator that is not valid. */
export function conditionsOf(
  names: QueryNames,
  { name, operators, path }: FieldOperators,
): (Condition | Issue)[] {
  const known = queryable(names, name, path)
  if ('message' in known) return [known]
  const pairs: [string, unknown][] =
    typeof operators === 'string' ? [['eq', operators]] : Object.entries(operators)
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([op, value]) => conditionOf(known, { op, value, path: `${path}.${op}` }))
}

/**
 * Finds a field by its name. The issue is the same for unknown fields and for those that the caller
 * may not read.
 */
export function queryable(names: QueryNames, name: string, path: string): Queryable | Issue {
  const known = names.get(name)
  if (known === 'ambiguous')
    return { path, message: `"${name}" has different kinds in different content types: add type` }
  return known ?? { path, message: `"${name}" is not a field that filters and sorts can use` }
}

interface Operand {
  readonly op: string
  readonly value: unknown
  readonly path: string
}

function conditionOf(queried: Queryable, { op, value, path }: Operand): Condition | Issue {
  const { field } = queried
  if (op === 'in' || op === 'nin') {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.every((one) => typeof one === 'string')
      ? listCondition(queried, { op, values, path })
      : { path, message: 'must be a list of values' }
  }
  if (!isOperator(op)) return { path, message: `"${op}" is not an operator` }
  if (typeof value !== 'string') return { path, message: 'must be a single value' }
  if (op === 'exists')
    return value === 'true' || value === 'false'
      ? { field, op, value: value === 'true' }
      : { path, message: problemOf('boolean', value) }
  return op === 'contains' || op === 'startsWith'
    ? textCondition(queried, { op, value, path })
    : scalarCondition(queried, { op, value, path })
}

type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'startsWith', 'exists'] as const

function isOperator(op: string): op is (typeof operators)[number] {
  return operators.some((known) => known === op)
}

function textCondition(
  { field, comparison }: Queryable,
  { op, value, path }: { op: 'contains' | 'startsWith'; value: string; path: string },
): Condition | Issue {
  if (comparison !== 'text') return { path, message: 'can only be used with text fields' }
  return isComparedText(value) ? { field, op, value } : { path, message: problemOf('text', value) }
}

function scalarCondition(
  queried: Queryable,
  { op, value, path }: { op: ComparisonOperator; value: string; path: string },
): Condition | Issue {
  const { field, comparison } = queried
  const compared = comparable(queried, value)
  return compared === undefined
    ? { path, message: problemOf(comparison, value) }
    : { field, op, value: compared }
}

function listCondition(
  queried: Queryable,
  { op, values, path }: { op: 'in' | 'nin'; values: readonly string[]; path: string },
): Condition | Issue {
  const { field, comparison } = queried
  const compared = values.map((value) => comparable(queried, value))
  const wrong = compared.indexOf(undefined)
  if (wrong >= 0) return { path, message: problemOf(comparison, values[wrong] ?? '') }
  return { field, op, value: compared.filter((value) => value !== undefined) }
}

/** What a value in a filter is compared as: the key of a value, or a key. Undefined if it is neither. */
function comparable({ comparison, compareBy }: Queryable, text: string): QueryValue | undefined {
  const key = compareBy?.(text) ?? text
  return typeof key === 'string' ? comparableText(comparison, key) : isOf(comparison, key) ? key : undefined
}

function isOf(comparison: Comparison, key: Json): key is number | boolean {
  return comparison !== 'text' && typeof key === comparison
}

function comparableText(comparison: Comparison, text: string): QueryValue | undefined {
  if (comparison === 'text') return isComparedText(text) ? text : undefined
  if (comparison === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined
}

function isComparedText(text: string): boolean {
  return text.length < limits.comparedText
}

function problemOf(comparison: Comparison, text: string): string {
  if (comparison === 'text') return `is longer than ${limits.comparedText - 1} characters`
  return `"${text.slice(0, 100)}" is not ${comparison === 'number' ? 'a number' : 'true or false'}`
}

/**
 * Parses sort keys such as `-updatedDate,name`. Errors: `invalid` for fields that cannot be sorted
 * by.
 */
export function sortOf(names: QueryNames, text: string): SortKey[] {
  const parts = text.split(',').filter((part) => part !== '')
  const keys = parts.map((part): SortKey | Issue => {
    const name = part.replace(/^-/, '')
    const known = queryable(names, name, 'sort')
    if ('message' in known) return known
    if (isList(known.field)) return { path: 'sort', message: `"${name}" is a list and cannot be sorted by` }
    return { field: known.field, descending: part.startsWith('-') }
  })
  const issues = keys.filter((key): key is Issue => 'message' in key)
  if (issues.length > 0) throw invalid(issues)
  if (keys.length > 5) throw invalid([{ path: 'sort', message: 'has more than 5 keys' }])
  return keys.filter((key): key is SortKey => 'field' in key)
}
