import type { InputMakers } from './input-makers.ts'

const query = '{ articles(limit: 1) { items { id } } }'

/** GraphQL requests. */
export const graphql: InputMakers<'graphql'> = {
  execute: ({ configId, branch }) => ({ configId, ...branch, query }),
  query: ({ configId, branch }) => ({ configId, ...branch, query }),
  schema: ({ configId }) => ({ configId }),
}
