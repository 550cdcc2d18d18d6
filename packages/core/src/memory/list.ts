import type { EntityPage, EntityQuery, Line } from '../ports/index.ts'
import { matchingHeads } from './matching.ts'
import { comparePlaces, placeOf } from './order.ts'
import type { State } from './state.ts'

/** One page of what a line shows. Walks every head of the kind. */
export function listHeads(state: State, line: Line, query: EntityQuery): EntityPage {
  const { sort, after, offset = 0, limit } = query
  const found = matchingHeads(state, line, query)
  const rest = found
    .map((head) => ({ head, place: placeOf(head, sort) }))
    .filter(({ place }) => !after || comparePlaces(place, after, sort) > 0)
    .toSorted((a, b) => comparePlaces(a.place, b.place, sort))
  const page = rest.slice(offset, offset + limit)
  const last = offset + limit < rest.length ? page.at(-1) : undefined
  return {
    entities: page.map(({ head }) => head.entity),
    ...(query.count && { count: found.length }),
    ...(last && { next: last.place }),
  }
}
