import { visibleHead } from './branches.ts'
import { type Head } from './head.ts'
import type { State } from './state.ts'
import { matchingHeads } from './matching.ts'
import {
  type SearchDocument,
  mostCounted,
  type EntityKind,
  type Branch,
  type SearchCursor,
  type SearchPage,
  type SearchQuery,
} from '../ports/index.ts'
import { tierOf } from './search-index.ts'

/** One page of search results on a branch, best first. Walks all heads of the kind. */
export function searchHeads(state: State, branch: Branch, query: SearchQuery): SearchPage {
  const { text, after, limit } = query
  const heads = text.terms.length === 0 ? [] : matchingHeads(state, branch, query)
  const found = heads.flatMap((head) => matchOf(head, query) ?? [])
  const rest = found
    .filter(({ position }) => !after || comparePositions(position, after) > 0)
    .toSorted((a, b) => comparePositions(a.position, b.position))
  const last = rest.length > limit ? rest[limit - 1] : undefined
  return {
    entities: rest.slice(0, limit).map(({ head }) => head.entity),
    ...(query.count && { count: Math.min(found.length, mostCounted), isCapped: found.length > mostCounted }),
    ...(last && { next: last.position }),
  }
}

/** The search documents of live heads visible on a branch, for some ids. */
export function documentsOf(
  state: State,
  branch: Branch,
  { kind, ids }: { kind: EntityKind; ids: readonly string[] },
): ReadonlyMap<string, SearchDocument> {
  return new Map(
    ids.flatMap((id) => {
      const found = visibleHead(state, branch, { kind, id })?.found
      return found ? [[id, found.document] as const] : []
    }),
  )
}

interface Match {
  readonly head: Head
  readonly position: SearchCursor
}

function matchOf(head: Head, { text }: SearchQuery): Match | null {
  const tier = head.found && tierOf(head.found, text)
  return head.found === null || tier === null ? null : { head, position: { tier, row: head.found.row } }
}

function comparePositions(a: SearchCursor, b: SearchCursor): number {
  return a.tier - b.tier || b.row - a.row
}
