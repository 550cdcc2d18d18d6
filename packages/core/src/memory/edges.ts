import { entityKinds, type EdgeQuery, type GraphEdge, type Line } from '../ports/index.ts'
import { compareText } from './compare.ts'
import type { Head } from './head.ts'
import { shownHead } from './lines.ts'
import { shownSources } from './incoming.ts'
import type { State } from './state.ts'

/** The edges of live heads, as a line shows them, at one end of which is one of some ids: by that end, the other, then path. */
export function edgesAt(
  state: State,
  line: Line,
  { end, ids, limit, after }: EdgeQuery,
): readonly GraphEdge[] {
  const found = [...new Set(ids)].flatMap((id) =>
    end === 'source' ? edgesFrom(state, line, id) : edgesTo(state, line, id),
  )
  const [first, second] = end === 'source' ? ends : ends.toReversed()
  const compare = (a: Place, b: Place) =>
    compareText(a[first], b[first]) || compareText(a[second], b[second]) || compareText(a.path, b.path)
  return found
    .filter((edge) => after === undefined || compare(edge, after) > 0)
    .toSorted(compare)
    .slice(0, limit)
}

type Place = NonNullable<EdgeQuery['after']>

const ends = ['sourceId', 'targetId'] as const

function edgesFrom(state: State, line: Line, id: string): readonly GraphEdge[] {
  return entityKinds.flatMap((kind) => edgesOf(shownHead(state, line, { kind, id })))
}

function edgesTo(state: State, line: Line, targetId: string): readonly GraphEdge[] {
  return shownSources(state, line, targetId)
    .flatMap(edgesOf)
    .filter((edge) => edge.targetId === targetId)
}

function edgesOf(head: Head | null): readonly GraphEdge[] {
  if (head === null || head.entity.deletedDate !== null) return []
  const { kind, id } = head.entity
  return head.edges.map((edge) => ({ ...edge, sourceKind: kind, sourceId: id }))
}
