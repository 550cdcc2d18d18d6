import { exampleItem } from '../items/examples.ts'
import type { QueryAnswer, SavedQuery } from './shapes.ts'

/** The response of the example query. */
export const exampleAnswer: QueryAnswer = {
  count: 1,
  items: [exampleItem],
  facets: { type: [{ value: 'article', count: 1 }] },
  highlights: {
    [exampleItem.id]: [
      { path: 'description', fragments: ['Why <mark>iron</mark> <mark>gall</mark> ink is still made'] },
    ],
  },
}

/** A saved query, as the examples of the reference show it. */
export const exampleQuery: SavedQuery = {
  id: 'QURY_01JB2QG2E4G6J8K0M2N4P6R8T0',
  repositoryId: exampleItem.repositoryId,
  name: 'short-reads',
  description: 'Articles that take no longer than the tea',
  query: {
    type: 'article',
    filter: { status: 'published', 'fields.readingMinutes': { lte: { $param: 'minutes' } } },
    facets: ['categories'],
  },
  parameters: [
    { name: 'minutes', kind: 'number', required: false, default: 5, description: 'How long the tea takes' },
  ],
  createdDate: 1_790_000_900_000,
  updatedDate: 1_790_000_900_000,
  createdByUser: exampleItem.createdByUser,
  updatedByUser: exampleItem.createdByUser,
}
