import { visibleHeads } from './branches.ts'
import { type Head, valuesOf, compareValues, compareText } from './head.ts'
import type { State } from './state.ts'
import { isMetAnywhere } from './search-index.ts'
import type {
  EntityKind,
  Filter,
  Branch,
  Reader,
  TextQuery,
  Condition,
  QueryValue,
  Entity,
  EntityPage,
  EntityQuery,
  PageCursor,
  SortKey,
} from '../ports/index.ts'

/** The filter that lists, searches and facets share. */
interface MatchFilter {
  readonly kind: EntityKind
  readonly reader: Reader
  readonly filter?: Filter
  readonly text?: TextQuery
  readonly archived: boolean
}

/**
 * The live heads visible on a branch that the reader may see and that match. Walks all heads of the
 * kind.
 */
export function matchingHeads(state: State, branch: Branch, query: MatchFilter): readonly Head[] {
  return [...visibleHeads(state, branch, query.kind)].filter((head) => isMatch(head, query))
}

function isMatch(head: Head, { archived, reader, filter, text }: MatchFilter): boolean {
  const { entity, found } = head
  if (entity.deletedDate !== null || (entity.archived && !archived) || !maySee(reader, entity)) return false
  if (filter && !matches(head, filter)) return false
  if (!text || text.terms.length === 0) return true
  return found !== null && isMetAnywhere(found, text.terms)
}

/** Whether a head matches a filter (see `Filter` for what each operator means). */
function matches(head: Head, filter: Filter): boolean {
  if ('all' in filter) return filter.all.every((inner) => matches(head, inner))
  if ('any' in filter) return filter.any.some((inner) => matches(head, inner))
  if ('not' in filter) return !matches(head, filter.not)
  return meets(valuesOf(head, filter.field), filter)
}

function meets(values: readonly QueryValue[], condition: Condition): boolean {
  switch (condition.op) {
    case 'eq':
      return values.includes(condition.value)
    case 'ne':
      return !values.includes(condition.value)
    case 'in':
      return values.some((value) => condition.value.includes(value))
    case 'nin':
      return !values.some((value) => condition.value.includes(value))
    case 'exists':
      return values.length > 0 === condition.value
    case 'contains':
    case 'startsWith':
      return values.some((value) => textMeets(value, condition))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return values.some((value) => orderMeets(value, condition))
    default:
      return condition satisfies never
  }
}

function textMeets(
  value: QueryValue,
  { op, value: part }: Extract<Condition, { value: string; op: 'contains' | 'startsWith' }>,
): boolean {
  if (typeof value !== 'string') return false
  const folded = foldAscii(value)
  return op === 'contains' ? folded.includes(foldAscii(part)) : folded.startsWith(foldAscii(part))
}

/** Values of different kinds have no order: they never match. */
function orderMeets(
  value: QueryValue,
  { op, value: operand }: Extract<Condition, { op: 'gt' | 'gte' | 'lt' | 'lte' }>,
): boolean {
  if (typeof value !== typeof operand) return false
  const order = compareValues(value, operand)
  if (op === 'gt') return order > 0
  if (op === 'gte') return order >= 0
  return op === 'lt' ? order < 0 : order <= 0
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Whether a reader may see an entity: by its type, and by its read roles if it has any. */
function maySee({ types, roles: held }: Reader, { type, roles }: Entity): boolean {
  if (types !== 'all' && !types.includes(type)) return false
  if (held === 'all' || roles.read.length === 0) return true
  return roles.read.some((role) => held.includes(role))
}

/** One page of the entities visible on a branch. Walks all heads of the kind. */
export function listHeads(state: State, branch: Branch, query: EntityQuery): EntityPage {
  const { sort, after, offset = 0, limit, mostText = Number.POSITIVE_INFINITY } = query
  const found = matchingHeads(state, branch, query)
  const rest = found
    .map((head) => ({ head, position: positionOf(head, sort) }))
    .filter(({ position }) => !after || comparePositions(position, after, sort) > 0)
    .toSorted((a, b) => comparePositions(a.position, b.position, sort))
  let left = mostText
  const end = rest.findIndex(({ head }, at) => at >= offset && (left -= head.entity.json.length) < 0)
  const most = end < 0 ? limit : Math.min(limit, end + 1 - offset)
  const page = rest.slice(offset, offset + most)
  const last = offset + most < rest.length ? page.at(-1) : undefined
  return {
    entities: page.map(({ head }) => head.entity),
    ...(query.count && { count: found.length }),
    ...(last && { next: last.position }),
  }
}

/** The position of a head in a sort. */
function positionOf(head: Head, sort: readonly SortKey[]): PageCursor {
  return { values: sort.map(({ field }) => valuesOf(head, field)[0] ?? null), id: head.entity.id }
}

/** The order of two positions: each key in its direction, then the id. */
function comparePositions(a: PageCursor, b: PageCursor, sort: readonly SortKey[]): number {
  for (const [index, { descending }] of sort.entries()) {
    const order = compareValues(a.values[index] ?? null, b.values[index] ?? null)
    if (order !== 0) return descending ? -order : order
  }
  return compareText(a.id, b.id)
}
