import { z } from 'zod'
import { KebabName, listInput, listOf, RepositoryRef } from '../conventions.ts'
import { endpoint, onLine } from '../endpoint.ts'
import { onRepository } from '../items/inputs.ts'
import { exampleAnswer, exampleQuery } from './examples.ts'
import { ParameterValues, QueryAnswer, queryInput, SavedQuery, savedQueryMembers } from './shapes.ts'

const onSaved = { configId: RepositoryRef, name: KebabName }
const exampleSaved = { configId: 'magazine', name: exampleQuery.name }

/** Queries as they are sent, and saved ones run. */
export const queries = {
  run: endpoint({
    binding: onLine('POST /api/queries/{configId}'),
    summary: 'Search and filter items',
    description:
      'What the caller may read of what matches; facets and counts are of that alone. With `text` and no `sort` the best come first: ' +
      'all words in the name before all words anywhere, whole words before beginnings of words.',
    permission: 'queries.run',
    input: z.strictObject({ ...onRepository, ...queryInput }),
    output: QueryAnswer,
    errors: ['not_found'],
    example: {
      input: {
        configId: 'magazine',
        text: 'iron gall',
        filter: { status: 'published', or: [{ 'fields.readingMinutes': { lte: 10 } }, { type: 'note' }] },
        facets: ['type'],
        highlight: true,
      },
      output: exampleAnswer,
    },
  }),
  runSaved: endpoint({
    binding: onLine('GET /api/queries/{configId}/saved/{name}/results'),
    summary: 'Run a saved query',
    description: 'With the rights of the caller, whoever saved it.',
    permission: 'queries.run',
    input: z.strictObject({
      ...onRepository,
      name: KebabName,
      parameters: ParameterValues.optional(),
      limit: listInput.limit,
      cursor: listInput.cursor,
    }),
    output: QueryAnswer,
    errors: ['not_found'],
    example: { input: { ...exampleSaved, parameters: { minutes: 10 } }, output: exampleAnswer },
  }),
}

/** Queries that are kept under a name. */
export const savedQueries = {
  list: endpoint({
    binding: 'GET /api/queries/{configId}/saved',
    summary: 'List the saved queries of a repository',
    permission: 'queries.run',
    input: z.strictObject({
      configId: RepositoryRef,
      limit: listInput.limit,
      cursor: listInput.cursor,
    }),
    output: listOf(SavedQuery),
    errors: ['not_found'],
    example: { input: { configId: 'magazine' }, output: { count: 1, items: [exampleQuery] } },
  }),
  get: endpoint({
    binding: 'GET /api/queries/{configId}/saved/{name}',
    summary: 'Read a saved query',
    permission: 'queries.run',
    input: z.strictObject(onSaved),
    output: SavedQuery,
    errors: ['not_found'],
    example: { input: exampleSaved, output: exampleQuery },
  }),
  create: endpoint({
    binding: 'POST /api/queries/{configId}/saved',
    summary: 'Save a query under a name',
    description:
      'Its form and its placeholders are checked now, the names of fields when it is run: which there are depends on who runs it.',
    permission: 'queries.save',
    input: z.strictObject({
      ...onSaved,
      description: savedQueryMembers.description.default(''),
      query: savedQueryMembers.query,
      parameters: savedQueryMembers.parameters.default([]),
    }),
    output: SavedQuery,
    success: 201,
    errors: ['not_found', 'name_taken', 'idempotency_mismatch'],
    example: {
      input: { ...exampleSaved, query: exampleQuery.query, parameters: exampleQuery.parameters },
      output: exampleQuery,
    },
  }),
  update: endpoint({
    binding: 'PATCH /api/queries/{configId}/saved/{name}',
    summary: 'Change a saved query',
    description: 'Only what is sent changes; `query` and `parameters` are replaced whole.',
    permission: 'queries.save',
    input: z.strictObject({ ...onSaved, ...z.object(savedQueryMembers).partial().shape }),
    output: SavedQuery,
    errors: ['not_found', 'precondition_failed'],
    example: {
      input: { ...exampleSaved, description: 'For one cup' },
      output: { ...exampleQuery, description: 'For one cup' },
    },
  }),
  delete: endpoint({
    binding: 'DELETE /api/queries/{configId}/saved/{name}',
    summary: 'Delete a saved query',
    permission: 'queries.save',
    input: z.strictObject(onSaved),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'precondition_failed'],
    example: { input: exampleSaved },
  }),
}
