import type { Condition, EntityQuery, Filter, QueryMember, TextQuery } from '@quire/core/ports'
import { valueMembers } from './columns.ts'
import { conjuncts, memberOf, membersOf } from './filter.ts'
import { type Between, type Range, type Test, isRange, isLower, testOf } from './value-condition.ts'

/** A test of a custom value that selects the rows of a list. */
export interface DrivingTest {
  readonly path: string
  /** Whether the field is a list. Several values of an entity may then pass the test. */
  readonly list: boolean
  readonly test: Test | Between
}

/** How a list is walked. This bounds its cost. */
export type Drive =
  /** Walks heads, in the index that fits the filter and the order. */
  | { readonly by: 'heads' }
  /** Walks the rows of the search index that match. */
  | { readonly by: 'words'; readonly text: TextQuery }
  /**
   * Walks values in order: by value, then by updated date. `alone`: the page can be chosen without
   * reading heads.
   */
  | { readonly by: 'values'; readonly driving: DrivingTest; readonly alone: boolean }

/** The parts of a query that determine the matches and how they can be walked. */
export type DrivenQuery = Pick<EntityQuery, 'kind' | 'reader' | 'filter' | 'text' | 'archived' | 'sort'>

/** A query, split for one way of walking it. */
export interface Plan {
  readonly drive: Drive
  /** The types that may match: those that the filter names and the reader may see; null for all. */
  readonly types: readonly string[] | null
  /** The conditions that remain to be checked for each row. */
  readonly filters: readonly Filter[]
}

/**
 * Chooses how to walk a list, without statistics. Preference: words, an equal value, the values
 * that the list is sorted by, then the narrower test.
 */
export function planOf(query: DrivenQuery): Plan {
  const all = conjuncts(query.filter)
  const types = typesOf(query, all)
  const filters = all.filter((filter) => namedTypes(filter) === null)
  const { text } = query
  if (text && text.terms.length > 0) return { drive: { by: 'words', text }, types, filters }
  const driving = drivingCondition(query, filters)
  if (!driving) return { drive: { by: 'heads' }, types, filters }
  const { test, conditions } = boundTwice(driving, filters)
  const rest = filters.filter((filter) => !conditions.includes(filter))
  return { drive: { by: 'values', driving: test, alone: isAlone(query, rest) }, types, filters: rest }
}

/**
 * Combines a range with a condition for its other end, if there is one. Not for list fields, where
 * different values may pass the two conditions.
 */
function boundTwice(
  { condition, test }: Candidate,
  filters: readonly Filter[],
): { test: DrivingTest; conditions: readonly Filter[] } {
  const one = test.test
  const alone = { test, conditions: [condition] }
  if (test.list || !isRange(one)) return alone
  const other = filters.find((filter) => isOtherEnd(filter, { path: test.path, range: one }))
  if (!other || !('op' in other) || !isRange(other)) return alone
  const [lower, upper] = isLower(one) ? [one, other] : [other, one]
  return { test: { ...test, test: { op: 'between', lower, upper } }, conditions: [condition, other] }
}

function isOtherEnd(filter: Filter, { path, range }: { path: string; range: Range }): boolean {
  if (!('op' in filter) || !isRange(filter)) return false
  if (!('path' in filter.field) || filter.field.list || filter.field.path !== path) return false
  return typeof filter.value === typeof range.value && isLower(filter) !== isLower(range)
}

/**
 * The path whose values would provide the order of a list that is otherwise walked by heads; null
 * when there is a better way.
 */
export function sortedPath({ sort: [first] }: EntityQuery, { drive, filters }: Plan): string | null {
  if (drive.by !== 'heads' || filters.some(isNarrow)) return null
  return first && 'path' in first.field ? first.field.path : null
}

/**
 * The plan that walks the values of the path that the list is sorted by. Every head that may match
 * must have a value.
 */
export function walkedBySort(query: EntityQuery, plan: Plan, path: string): Plan {
  const driving: DrivingTest = { path, list: false, test: { op: 'any' } }
  return { ...plan, drive: { by: 'values', driving, alone: isAlone(query, plan.filters) } }
}

/**
 * The plan that walks the values of a path to count them. Null when another index finds fewer
 * heads, or when heads must be read.
 */
export function walkedForValues(query: DrivenQuery, plan: Plan, path: string): Plan | null {
  if (plan.drive.by !== 'heads' || plan.filters.some(isNarrow)) return null
  if (!isAlone({ ...query, sort: [] }, plan.filters)) return null
  return {
    ...plan,
    drive: { by: 'values', driving: { path, list: false, test: { op: 'exists' } }, alone: true },
  }
}

/** The plan that walks heads, even if there is a better way. */
export function walkedByHeads(query: DrivenQuery): Plan {
  const all = conjuncts(query.filter)
  return {
    drive: { by: 'heads' },
    types: typesOf(query, all),
    filters: all.filter((one) => namedTypes(one) === null),
  }
}

/** Members that heads are indexed by; `inFolder`: also within one folder. */
const orderedMembers: readonly { readonly member: QueryMember; readonly inFolder: boolean }[] = [
  { member: 'updatedDate', inFolder: true },
  { member: 'name', inFolder: true },
  { member: 'createdDate', inFolder: false },
]

/** Whether an index orders the heads by the first sort key. */
export function isInHeadsOrder({ sort: [first] }: DrivenQuery): boolean {
  return orderedMembers.some(({ member }) => first !== undefined && memberOf(first.field).includes(member))
}

/**
 * Whether a page reads little more than its own rows: an index has exactly the matches, in the
 * order of the list.
 */
export function isBounded(query: DrivenQuery, { drive, filters }: Plan): boolean {
  const { sort } = query
  if (drive.by === 'words' || sort.length > 1) return false
  if (drive.by === 'heads') return filters.some(isUnique) || isWalkOfHeads(query, filters)
  return filters.length === 0 && isInValuesOrder(query, drive.driving)
}

function isWalkOfHeads({ sort: [first] }: DrivenQuery, filters: readonly Filter[]): boolean {
  if (!first) return filters.length === 0
  const fitting = orderedMembers.filter(({ member }) => memberOf(first.field).includes(member))
  const isOneFolder = filters.length === 1 && filters.every(isNarrow)
  return fitting.some(({ inFolder }) => filters.length === 0 || (inFolder && isOneFolder))
}

/** The rows of one value are ordered by updated date; those of several values, by value. */
function isInValuesOrder(query: DrivenQuery, { path, list, test }: DrivingTest): boolean {
  const [first] = query.sort
  if (!list && isFirstKey(query, path)) return true
  return test.op === 'eq' && first !== undefined && memberOf(first.field).includes('updatedDate')
}

/** Whether few heads pass and an index finds them. */
function isNarrow(filter: Filter): boolean {
  const isParent = 'op' in filter && filter.op === 'eq' && memberOf(filter.field).includes('parentId')
  return isUnique(filter) || isParent
}

function typesOf({ reader }: DrivenQuery, filters: readonly Filter[]): readonly string[] | null {
  const limits = filters.map(namedTypes).filter((limit) => limit !== null)
  const allowed = reader.types === 'all' ? limits : [reader.types, ...limits]
  const [first, ...others] = allowed
  return first ? [...new Set(first)].filter((type) => others.every((types) => types.includes(type))) : null
}

/** The types that a condition on the type allows; null for other conditions. */
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

function drivingCondition(query: DrivenQuery, filters: readonly Filter[]): Candidate | undefined {
  if (filters.some(isUnique)) return undefined
  return filters.flatMap((filter) => candidateOf(query, filter)).toSorted((a, b) => a.rank - b.rank)[0]
}

/** Whether at most one head passes, so that no other index is better. */
function isUnique(filter: Filter): boolean {
  if (!('op' in filter) || filter.op !== 'eq' || !('member' in filter.field)) return false
  return filter.field.member === 'id' || filter.field.member === 'slug'
}

function candidateOf(query: DrivenQuery, filter: Filter): Candidate[] {
  if (!('op' in filter) || !('path' in filter.field)) return []
  const { test, negated } = testOf(filter)
  if (negated) return []
  const { path, list } = filter.field
  const rank = rankOf(test, !list && isFirstKey(query, path))
  return rank === null ? [] : [{ condition: filter, test: { path, list, test }, rank }]
}

function isFirstKey({ sort: [first] }: DrivenQuery, path: string): boolean {
  return first !== undefined && 'path' in first.field && first.field.path === path
}

/** The lowest rank is preferred; null means that the test is not worth walking by. */
function rankOf(test: Test, sorted: boolean): number | null {
  if (test.op === 'eq') return 0
  if (sorted) return 1
  if (test.op === 'in') return 2
  if (test.op === 'exists' || test.op === 'any') return null
  return test.op === 'contains' || test.op === 'startsWith' ? 4 : 3
}

function isAlone(query: DrivenQuery, rest: readonly Filter[]): boolean {
  const members = [...rest.flatMap(membersOf), ...query.sort.flatMap(({ field }) => memberOf(field))]
  const held: readonly QueryMember[] = valueMembers
  return members.every((member) => held.includes(member))
}
