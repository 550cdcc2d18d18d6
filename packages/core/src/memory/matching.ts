import type { EntityKind, Filter, Line, Reader, TextQuery } from '../ports/index.ts'
import { matches } from './filter.ts'
import type { Head } from './head.ts'
import { shownHeads } from './lines.ts'
import { maySee } from './reader.ts'
import type { State } from './state.ts'
import { isMetAnywhere } from './tiers.ts'

/** What lists, searches and facets have in common. */
export interface Wanted {
  readonly kind: EntityKind
  readonly reader: Reader
  readonly filter?: Filter
  readonly text?: TextQuery
  readonly archived: boolean
}

/** The live heads that a line shows, that the reader may see and that match. Walks every head of the kind. */
export function matchingHeads(state: State, line: Line, wanted: Wanted): readonly Head[] {
  return [...shownHeads(state, line, wanted.kind)].filter((head) => isWanted(head, wanted))
}

function isWanted(head: Head, { archived, reader, filter, text }: Wanted): boolean {
  const { entity, found } = head
  if (entity.deletedDate !== null || (entity.archived && !archived) || !maySee(reader, entity)) return false
  if (filter && !matches(head, filter)) return false
  if (!text || text.terms.length === 0) return true
  return found !== null && isMetAnywhere(found, text.terms)
}
