import type { InputMakers } from './input-makers.ts'

const query = '{ articles(limit: 1) { items { id } } }'

/** Requests by GraphQL. */
export const graphql: InputMakers<'graphql'> = {
  execute: ({ configId, line }) => ({ configId, ...line, query }),
  query: ({ configId, line }) => ({ configId, ...line, query }),
  schema: ({ configId }) => ({ configId }),
}
