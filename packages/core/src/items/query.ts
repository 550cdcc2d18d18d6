import { limits, type Issue } from '@quire/contract'
import { invalid } from '../call/check-input.ts'
import type { Condition, Filter, QueryField, QueryMember, QueryValue, SortKey } from '../ports/index.ts'
import type { ComparableField, Comparison } from '../types/derived.ts'

/** A field that this caller may filter and sort by. */
interface Queryable {
  readonly field: QueryField
  readonly comparison: Comparison
}

/** Names that a query may use, as given by the content types that the caller may read. */
export type QueryNames = ReadonlyMap<string, Queryable | 'ambiguous'>

const members: Readonly<Record<string, { member: QueryMember; comparison: Comparison }>> = {
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

/** The names of the members and of the custom fields of some types. A name that two types compare differently is ambiguous. */
export function queryNames(types: readonly (readonly ComparableField[])[]): QueryNames {
  const names = new Map<string, Queryable | 'ambiguous'>(
    Object.entries(members).map(([name, { member, comparison }]) => [
      name,
      { field: { member }, comparison },
    ]),
  )
  for (const { path, comparison, list } of types.flat()) {
    const name = `fields.${path}`
    const present = names.get(name)
    const differs =
      typeof present === 'object' && (present.comparison !== comparison || isList(present.field) !== list)
    names.set(name, present === 'ambiguous' || differs ? 'ambiguous' : { field: { path, list }, comparison })
  }
  return names
}

function isList(field: QueryField): boolean {
  return 'list' in field && field.list
}

/** The operators as they arrive: text, or lists of text. */
export type FilterInput = Readonly<
  Record<string, string | Readonly<Record<string, string | readonly string[] | undefined>>>
>

/** A filter from the query string or body. Errors: `invalid` naming unknown fields and values that cannot be compared. */
export function filterOf(names: QueryNames, input: FilterInput): Filter {
  const issues: Issue[] = []
  const conditions = Object.entries(input).flatMap(([name, operators]) => {
    const path = `filter.${name}`
    const known = queryable(names, name, path)
    if ('message' in known) return keepIssue(issues, known)
    const pairs = typeof operators === 'string' ? [['eq', operators] as const] : Object.entries(operators)
    return pairs.flatMap(([op, value]) => {
      if (value === undefined) return []
      const condition = conditionOf(known, { op, value, path: `${path}.${op}` })
      return 'message' in condition ? keepIssue(issues, condition) : [condition]
    })
  })
  if (issues.length > 0) throw invalid(issues)
  return { all: conditions }
}

function keepIssue(issues: Issue[], issue: Issue): never[] {
  issues.push(issue)
  return []
}

function queryable(names: QueryNames, name: string, path: string): Queryable | Issue {
  const known = names.get(name)
  if (known === 'ambiguous') return { path, message: `"${name}" differs between content types: add type` }
  return known ?? { path, message: `"${name}" is no field that can be filtered or sorted by` }
}

interface Operand {
  readonly op: string
  readonly value: string | readonly string[]
  readonly path: string
}

function conditionOf(queried: Queryable, { op, value, path }: Operand): Condition | Issue {
  const { field } = queried
  if (op === 'exists') return { field, op, value: value === 'true' }
  if (op === 'in' || op === 'nin') return listCondition(queried, { op, values: [value].flat(), path })
  const operand = String(value)
  if (op === 'contains' || op === 'startsWith') return textCondition(queried, { op, value: operand, path })
  return isComparing(op)
    ? scalarCondition(queried, { op, value: operand, path })
    : { path, message: `"${op}" is no operator` }
}

type Comparing = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'

function isComparing(op: string): op is Comparing {
  return ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'].includes(op)
}

function textCondition(
  { field, comparison }: Queryable,
  { op, value, path }: { op: 'contains' | 'startsWith'; value: string; path: string },
): Condition | Issue {
  if (comparison !== 'text') return { path, message: 'only compares text' }
  return isComparedText(value) ? { field, op, value } : { path, message: problemOf('text', value) }
}

function scalarCondition(
  { field, comparison }: Queryable,
  { op, value, path }: { op: Comparing; value: string; path: string },
): Condition | Issue {
  const compared = comparable(comparison, value)
  return compared === undefined
    ? { path, message: problemOf(comparison, value) }
    : { field, op, value: compared }
}

function listCondition(
  { field, comparison }: Queryable,
  { op, values, path }: { op: 'in' | 'nin'; values: readonly string[]; path: string },
): Condition | Issue {
  const compared = values.map((value) => comparable(comparison, value))
  const wrong = compared.indexOf(undefined)
  if (wrong >= 0) return { path, message: problemOf(comparison, values[wrong] ?? '') }
  return { field, op, value: compared.filter((value) => value !== undefined) }
}

function comparable(comparison: Comparison, text: string): QueryValue | undefined {
  if (comparison === 'text') return isComparedText(text) ? text : undefined
  if (comparison === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined
}

function isComparedText(text: string): boolean {
  return text.length < limits.comparedText
}

function problemOf(comparison: Comparison, text: string): string {
  if (comparison === 'text') return `is longer than ${limits.comparedText - 1} characters`
  return `"${text.slice(0, 100)}" is no ${comparison === 'number' ? 'number' : 'true or false'}`
}

/** `-updatedDate,name` as sort keys. Errors: `invalid` naming what cannot be sorted by. */
export function sortOf(names: QueryNames, text: string): SortKey[] {
  const parts = text.split(',').filter((part) => part !== '')
  const keys = parts.map((part): SortKey | Issue => {
    const name = part.replace(/^-/, '')
    const known = queryable(names, name, 'sort')
    if ('message' in known) return known
    if (isList(known.field)) return { path: 'sort', message: `"${name}" is a list` }
    return { field: known.field, descending: part.startsWith('-') }
  })
  const issues = keys.filter((key): key is Issue => 'message' in key)
  if (issues.length > 0) throw invalid(issues)
  if (keys.length > 5) throw invalid([{ path: 'sort', message: 'has more than 5 keys' }])
  return keys.filter((key): key is SortKey => 'field' in key)
}
