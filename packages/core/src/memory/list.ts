import type { EntityPage, EntityQuery, Branch, PageCursor, SortKey } from '../ports/index.ts'
import { matchingHeads } from './matching.ts'
import type { State } from './state.ts'
import { compareText, compareValues } from './compare.ts'
import { valuesOf, type Head } from './head.ts'

/** One page of what a branch shows. Walks every head of the kind. */
export function listHeads(state: State, branch: Branch, query: EntityQuery): EntityPage {
  const { sort, after, offset = 0, limit, mostText = Number.POSITIVE_INFINITY } = query
  const found = matchingHeads(state, branch, query)
  const rest = found
    .map((head) => ({ head, scope: positionOf(head, sort) }))
    .filter(({ scope }) => !after || comparePositions(scope, after, sort) > 0)
    .toSorted((a, b) => comparePositions(a.scope, b.scope, sort))
  let left = mostText
  const end = rest.findIndex(({ head }, at) => at >= offset && (left -= head.entity.json.length) < 0)
  const most = end < 0 ? limit : Math.min(limit, end + 1 - offset)
  const page = rest.slice(offset, offset + most)
  const last = offset + most < rest.length ? page.at(-1) : undefined
  return {
    entities: page.map(({ head }) => head.entity),
    ...(query.count && { count: found.length }),
    ...(last && { next: last.scope }),
  }
}

/** The place of a head in a sort. */
function positionOf(head: Head, sort: readonly SortKey[]): PageCursor {
  return { values: sort.map(({ field }) => valuesOf(head, field)[0] ?? null), id: head.entity.id }
}

/** Order of two places: each key in its direction, then the id. */
function comparePositions(a: PageCursor, b: PageCursor, sort: readonly SortKey[]): number {
  for (const [index, { descending }] of sort.entries()) {
    const order = compareValues(a.values[index] ?? null, b.values[index] ?? null)
    if (order !== 0) return descending ? -order : order
  }
  return compareText(a.id, b.id)
}
