import type { EntityPage, EntityQuery, Line } from '../ports/index.ts'
import { matches } from './filter.ts'
import type { Head } from './head.ts'
import { shownHeads } from './lines.ts'
import { comparePlaces, placeOf } from './order.ts'
import { maySee } from './reader.ts'
import type { State } from './state.ts'
import { holdsWords, wordsOf } from './words.ts'

/** One page of what a line shows. Walks every head of the kind. */
export function listHeads(state: State, line: Line, query: EntityQuery): EntityPage {
  const { sort, after, offset = 0, limit } = query
  const starts = wordsOf(query.text ?? '')
  const found = [...shownHeads(state, line, query.kind)].filter((head) => isListed(head, query, starts))
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

function isListed(head: Head, { archived, reader, filter }: EntityQuery, starts: readonly string[]): boolean {
  const { entity } = head
  if (entity.deletedDate !== null || (entity.archived && !archived) || !maySee(reader, entity)) return false
  if (filter && !matches(head, filter)) return false
  return starts.length === 0 || holdsWords(head.words(), starts)
}
