import type { IncomingEdge, Branch } from '../ports/index.ts'
import { compareText } from './compare.ts'
import type { Head } from './head.ts'
import { mainBelow, ownHead, targetScope } from './branches.ts'
import type { State } from './state.ts'

/** The edges that point at a target, from live heads as the branch shows them, by source id, then path. */
export function incomingEdges(state: State, branch: Branch, targetId: string): readonly IncomingEdge[] {
  const edges = visibleSources(state, branch, targetId)
    .filter(({ entity }) => entity.deletedDate === null)
    .flatMap(({ entity, edges }) =>
      edges.filter((edge) => edge.targetId === targetId).map((edge) => ({ ...edge, source: entity })),
    )
  return edges.toSorted((a, b) => compareText(a.source.id, b.source.id) || compareText(a.path, b.path))
}

/** The heads that a branch shows which point at a target, soft-deleted ones too. */
export function visibleSources(state: State, branch: Branch, targetId: string): readonly Head[] {
  const own = sourcesOn(state, branch, targetId)
  const main = mainBelow(branch)
  if (!main) return own
  const below = sourcesOn(state, main, targetId)
  return [...own, ...below.filter(({ entity }) => !ownHead(state, branch, entity))]
}

function sourcesOn(state: State, branch: Branch, targetId: string): readonly Head[] {
  const refs = [...state.sources.values(targetScope(branch, targetId))]
  return refs.flatMap((ref) => ownHead(state, branch, ref) ?? [])
}
