import type { FacetCount, FacetQuery, Line, QueryField, QueryValue } from '../ports/index.ts'
import { compareValues } from './compare.ts'
import { valuesOf, type Head } from './head.ts'
import { matchingHeads } from './matching.ts'
import type { State } from './state.ts'

/** How often each value of some fields occurs among what a line shows. Walks every head of the kind. */
export function facetsOf(state: State, line: Line, query: FacetQuery): readonly (readonly FacetCount[])[] {
  const heads = matchingHeads(state, line, query)
  return query.fields.map((field) => countValues(heads, field).slice(0, query.limit))
}

/** A head counts once for each of its different values. */
function countValues(heads: readonly Head[], field: QueryField): readonly FacetCount[] {
  const counts = new Map<QueryValue, number>()
  for (const value of heads.flatMap((head) => [...new Set(valuesOf(head, field))]))
    counts.set(value, (counts.get(value) ?? 0) + 1)
  return Array.from(counts, ([value, count]) => ({ value, count })).toSorted(
    (a, b) => b.count - a.count || compareValues(a.value, b.value),
  )
}
