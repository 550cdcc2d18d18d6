import type { Condition, EntityQuery, Filter, QueryMember } from '@quire/core/ports'
import { valueMembers } from './columns.ts'
import { conjuncts, memberOf, membersOf } from './filter.ts'
import { type Test, testOf } from './value-condition.ts'

/** A test of a custom value, that the rows of a list are walked by. */
export interface DrivingTest {
  readonly path: string
  /** Whether the field is a list, so that an entity may pass by several of its values. */
  readonly list: boolean
  readonly test: Test
}

/** What a list is walked by: the one thing that bounds its cost. */
export type Drive =
  /** Rows of heads, by the index that fits filter and order. */
  | { readonly by: 'heads' }
  /** Postings of the words. */
  | { readonly by: 'words'; readonly words: readonly string[] }
  /** Rows of values in order: by value, then by updated date. `alone`: nothing of the heads is needed to choose the page. */
  | { readonly by: 'values'; readonly driving: DrivingTest; readonly alone: boolean }

/** A query, taken apart for one way to walk it. */
export interface Plan {
  readonly drive: Drive
  /** The types that may match: what the reader may see and the filter asks for; null for all. */
  readonly types: readonly string[] | null
  /** What is left to check of each row. */
  readonly filters: readonly Filter[]
}

/** Chooses how to walk a list. Without statistics: words, then equality, then the sort's own values, then the narrower test. */
export function planOf(query: EntityQuery, words: readonly string[]): Plan {
  const all = conjuncts(query.filter)
  const types = typesOf(query, all)
  const filters = all.filter((filter) => namedTypes(filter) === null)
  if (words.length > 0) return { drive: { by: 'words', words }, types, filters }
  const driving = drivingCondition(query, filters)
  if (!driving) return { drive: { by: 'heads' }, types, filters }
  const rest = filters.filter((filter) => filter !== driving.condition)
  return { drive: { by: 'values', driving: driving.test, alone: isAlone(query, rest) }, types, filters: rest }
}

/** The path whose values would give the order of a list that is walked by heads otherwise; null when there is a better way. */
export function sortedPath({ sort: [first] }: EntityQuery, { drive, filters }: Plan): string | null {
  if (drive.by !== 'heads' || filters.some(isNarrow)) return null
  return first && 'path' in first.field ? first.field.path : null
}

/** The plan that walks the values of the path it is sorted by. All heads that may match must have one. */
export function walkedBySort(query: EntityQuery, plan: Plan, path: string): Plan {
  const driving: DrivingTest = { path, list: false, test: { op: 'any' } }
  return { ...plan, drive: { by: 'values', driving, alone: isAlone(query, plan.filters) } }
}

/** Few heads pass, and an index finds them. */
function isNarrow(filter: Filter): boolean {
  const isParent = 'op' in filter && filter.op === 'eq' && memberOf(filter.field).includes('parentId')
  return isUnique(filter) || isParent
}

function typesOf({ reader }: EntityQuery, filters: readonly Filter[]): readonly string[] | null {
  const limits = filters.map(namedTypes).filter((limit) => limit !== null)
  const allowed = reader.types === 'all' ? limits : [reader.types, ...limits]
  const [first, ...others] = allowed
  return first ? [...new Set(first)].filter((type) => others.every((types) => types.includes(type))) : null
}

/** The types that a condition on the type allows; null when it is another condition. */
function namedTypes(filter: Filter): readonly string[] | null {
  if (!('op' in filter) || !('member' in filter.field) || filter.field.member !== 'type') return null
  if (filter.op === 'eq') return [filter.value].filter((type) => typeof type === 'string')
  return filter.op === 'in' ? filter.value.filter((type) => typeof type === 'string') : null
}

interface Candidate {
  readonly condition: Condition
  readonly test: DrivingTest
  readonly rank: number
}

function drivingCondition(query: EntityQuery, filters: readonly Filter[]): Candidate | undefined {
  if (filters.some(isUnique)) return undefined
  return filters.flatMap((filter) => candidateOf(query, filter)).toSorted((a, b) => a.rank - b.rank)[0]
}

/** At most one head passes: no other index does better. */
function isUnique(filter: Filter): boolean {
  if (!('op' in filter) || filter.op !== 'eq' || !('member' in filter.field)) return false
  return filter.field.member === 'id' || filter.field.member === 'slug'
}

function candidateOf(query: EntityQuery, filter: Filter): Candidate[] {
  if (!('op' in filter) || !('path' in filter.field)) return []
  const { test, negated } = testOf(filter)
  if (negated) return []
  const { path, list } = filter.field
  const rank = rankOf(test, !list && isFirstKey(query, path))
  return rank === null ? [] : [{ condition: filter, test: { path, list, test }, rank }]
}

function isFirstKey({ sort: [first] }: EntityQuery, path: string): boolean {
  return first !== undefined && 'path' in first.field && first.field.path === path
}

/** Smaller is walked rather; null: not worth walking by. */
function rankOf(test: Test, sorted: boolean): number | null {
  if (test.op === 'eq') return 0
  if (sorted) return 1
  if (test.op === 'in') return 2
  if (test.op === 'exists' || test.op === 'any') return null
  return test.op === 'contains' || test.op === 'startsWith' ? 4 : 3
}

function isAlone(query: EntityQuery, rest: readonly Filter[]): boolean {
  const members = [...rest.flatMap(membersOf), ...query.sort.flatMap(({ field }) => memberOf(field))]
  const held: readonly QueryMember[] = valueMembers
  return members.every((member) => held.includes(member))
}
