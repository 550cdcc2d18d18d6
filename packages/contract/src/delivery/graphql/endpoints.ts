import { z } from 'zod'
import { BytesOut } from '../../binary.ts'
import { PackageName, RepositoryRef } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { GraphqlResult } from './shapes.ts'

const onRepository = { configId: RepositoryRef, packageName: PackageName.optional() }
const Query = z.string().max(limits.graphqlQuery).describe('The GraphQL document')
const OperationName = z
  .string()
  .max(limits.name)
  .nullish()
  .describe('Which operation of the document to execute, if it has several')

const bounds =
  `At most ${limits.graphqlTokens} tokens, ${limits.graphqlDepth} levels, ${limits.graphqlAliases} aliases, ${limits.graphqlDirectives} directives and a cost of ${limits.graphqlCost}: ` +
  'a field costs 1, and fields in a list count once per entry.'

/** GraphQL over the content of a repository (GraphQL over HTTP). */
export const graphql = {
  execute: endpoint({
    binding: onBranch('POST /api/graphql/{configId}'),
    summary: 'Execute a GraphQL document',
    description: `Without a token if the repository is public and its settings allow it (\`graphql.public\`): then only published content, and no introspection. Otherwise needs \`graphql.query\` and runs with the permissions of the caller. ${bounds}`,
    permission: 'published',
    answer: 'graphql',
    input: z.strictObject({
      ...onRepository,
      query: Query,
      variables: z.record(z.string(), z.json()).nullish().describe('Values of the variables'),
      operationName: OperationName,
      extensions: z.record(z.string(), z.json()).nullish().describe('Ignored'),
    }),
    output: GraphqlResult,
    errors: ['not_found'],
    example: {
      input: { configId: 'magazine', query: '{ articles(limit: 1) { items { name } } }' },
      output: { data: { articles: { items: [{ name: 'Ink' }] } } },
    },
  }),
  query: endpoint({
    binding: onBranch('GET /api/graphql/{configId}'),
    summary: 'Execute a GraphQL query',
    description: `Like \`graphql.execute\`, but only for queries: a mutation is rejected. ${bounds}`,
    permission: 'published',
    answer: 'graphql',
    input: z.strictObject({
      ...onRepository,
      query: Query,
      variables: z.string().max(limits.graphqlQuery).optional().describe('Values of the variables, as JSON'),
      operationName: z
        .string()
        .max(limits.name)
        .optional()
        .describe('Which operation of the document to execute, if it has several'),
      extensions: z.string().max(limits.graphqlQuery).optional().describe('Ignored'),
    }),
    output: GraphqlResult,
    errors: ['not_found', 'method_not_allowed'],
    example: {
      input: { configId: 'magazine', query: '{ articles(limit: 1) { items { name } } }' },
      output: { data: { articles: { items: [{ name: 'Ink' }] } } },
    },
  }),
  schema: endpoint({
    binding: 'GET /api/graphql/{configId}/schema',
    summary: 'Fetch the GraphQL schema of a repository',
    description: 'In the schema definition language, for code generators.',
    permission: { key: 'graphql.query', on: 'repository' },
    input: z.strictObject({ configId: RepositoryRef }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'range_not_satisfiable'],
    example: { input: { configId: 'magazine' } },
  }),
}
