import { visibleHeads, withMainReaders } from './branches.ts'
import { compareText, compareValues, meetsFilter } from '../adapters/filters.ts'
import { type Head, valuesOf } from './head.ts'
import type { State } from './state.ts'
import { isMetAnywhere } from './search-index.ts'
import type {
  EntityKind,
  Filter,
  Branch,
  Reader,
  TextQuery,
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
  return [...visibleHeads(state, branch, query.kind)].filter((head) => isMatch(state, head, query))
}

function isMatch(state: State, head: Head, { archived, reader, filter, text }: MatchFilter): boolean {
  const { entity, found } = head
  if (
    entity.deletedDate !== null ||
    (entity.archived && !archived) ||
    !maySee(reader, withMainReaders(state, entity))
  )
    return false
  if (filter && !meetsFilter(filter, (field) => valuesOf(head, field))) return false
  if (!text || text.terms.length === 0) return true
  return found !== null && isMetAnywhere(found, text)
}

/** Whether a reader may see an entity: by its type, and by its read roles and main's if it has any. */
function maySee({ types, roles: held }: Reader, { type, roles, mainReaders = [] }: Entity): boolean {
  if (types !== 'all' && !types.includes(type)) return false
  if (held === 'all') return true
  return [roles.read, mainReaders].every(
    (list) => list.length === 0 || list.some((role) => held.includes(role)),
  )
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
