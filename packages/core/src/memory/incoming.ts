import type { IncomingEdge, Line } from '../ports/index.ts'
import { compareText } from './compare.ts'
import type { Head } from './head.ts'
import { mainBelow, ownHead, targetScope } from './lines.ts'
import type { State } from './state.ts'

/** The edges that point at a target, from live heads as the line shows them, by source id, then path. */
export function incomingEdges(state: State, line: Line, targetId: string): readonly IncomingEdge[] {
  const edges = shownSources(state, line, targetId)
    .filter(({ entity }) => entity.deletedDate === null)
    .flatMap(({ entity, edges }) =>
      edges.filter((edge) => edge.targetId === targetId).map((edge) => ({ ...edge, source: entity })),
    )
  return edges.toSorted((a, b) => compareText(a.source.id, b.source.id) || compareText(a.path, b.path))
}

/** The heads that a line shows which point at a target, soft-deleted ones too. */
export function shownSources(state: State, line: Line, targetId: string): readonly Head[] {
  const own = sourcesOn(state, line, targetId)
  const main = mainBelow(line)
  if (!main) return own
  const below = sourcesOn(state, main, targetId)
  return [...own, ...below.filter(({ entity }) => !ownHead(state, line, entity))]
}

function sourcesOn(state: State, line: Line, targetId: string): readonly Head[] {
  const refs = [...state.sources.values(targetScope(line, targetId))]
  return refs.flatMap((ref) => ownHead(state, line, ref) ?? [])
}
