import type { PageCursor, SortKey } from '../ports/index.ts'
import { compareText, compareValues } from './compare.ts'
import { valuesOf, type Head } from './head.ts'

/** The place of a head in a sort. */
export function placeOf(head: Head, sort: readonly SortKey[]): PageCursor {
  return { values: sort.map(({ field }) => valuesOf(head, field)[0] ?? null), id: head.entity.id }
}

/** Order of two places: each key in its direction, then the id. */
export function comparePlaces(a: PageCursor, b: PageCursor, sort: readonly SortKey[]): number {
  for (const [index, { descending }] of sort.entries()) {
    const order = compareValues(a.values[index] ?? null, b.values[index] ?? null)
    if (order !== 0) return descending ? -order : order
  }
  return compareText(a.id, b.id)
}
