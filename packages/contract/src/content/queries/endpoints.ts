import { z } from 'zod'
import { KebabName, listInput, RepositoryRef } from '../../conventions.ts'
import { crud, pageInput, patchOf } from '../../crud.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { onRepository } from '../items/inputs.ts'
import { exampleAnswer, exampleQuery } from './examples.ts'
import { ParameterValues, QueryAnswer, queryInput, SavedQuery, savedQueryMembers } from './shapes.ts'

const onSaved = { configId: RepositoryRef, name: KebabName }
const exampleSaved = { configId: 'magazine', name: exampleQuery.name }

/** Queries as they are sent, and saved ones run. */
export const queries = {
  run: endpoint({
    binding: onBranch('POST /api/queries/{configId}'),
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
    binding: onBranch('GET /api/queries/{configId}/saved/{name}/results'),
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
export const savedQueries = crud({
  path: '/api/queries/{configId}/saved',
  on: onSaved,
  one: 'a saved query',
  many: 'the saved queries of a repository',
  view: 'queries.run',
  write: 'queries.save',
  output: SavedQuery,
  at: exampleSaved,
  example: exampleQuery,
  list: {
    input: { configId: RepositoryRef, ...pageInput },
    errors: ['not_found'],
    example: { configId: 'magazine' },
  },
  create: {
    summary: 'Save a query under a name',
    description:
      'Its form and its placeholders are checked now, the names of fields when it is run: which there are depends on who runs it.',
    input: z.strictObject({
      ...onSaved,
      description: savedQueryMembers.description.default(''),
      query: savedQueryMembers.query,
      parameters: savedQueryMembers.parameters.default([]),
    }),
    errors: ['not_found', 'name_taken', 'idempotency_mismatch'],
    example: { ...exampleSaved, query: exampleQuery.query, parameters: exampleQuery.parameters },
  },
  update: {
    description: 'Only what is sent changes; `query` and `parameters` are replaced whole.',
    input: patchOf(savedQueryMembers),
    errors: ['not_found', 'precondition_failed'],
    example: { description: 'For one cup' },
  },
})
