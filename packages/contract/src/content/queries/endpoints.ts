import { z } from 'zod'
import { KebabName, listInput, RepositoryRef } from '../../conventions.ts'
import { crud, pageInput, patchOf } from '../../crud.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { onRepository } from '../items/inputs.ts'
import { localeInput } from '../locales/inputs.ts'
import { exampleAnswer, exampleQuery } from './examples.ts'
import { ParameterValues, QueryAnswer, queryInput, SavedQuery, savedQueryMembers } from './shapes.ts'

const onSaved = { configId: RepositoryRef, name: KebabName }
const exampleSaved = { configId: 'magazine', name: exampleQuery.name }

/** Operations that run queries: those in the request and saved ones. */
export const queries = {
  run: endpoint({
    binding: onBranch('POST /api/queries/{configId}'),
    summary: 'Search and filter items',
    description:
      'Returns the matching items that you may read; facets and counts cover only these. With `text` and without `sort` the best matches come first: ' +
      'items with all words in the name before items with all words anywhere, whole words before prefixes.',
    permission: { key: 'queries.run', on: 'repository' },
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
    description: 'Runs with the permissions of the caller, no matter who saved it.',
    permission: { key: 'queries.run', on: 'repository' },
    input: z.strictObject({
      ...onRepository,
      name: KebabName,
      parameters: ParameterValues.optional(),
      limit: listInput.limit,
      cursor: listInput.cursor,
      locale: localeInput.locale.describe('The locale to read. Default: that of the saved query'),
      fallback: localeInput.fallback,
    }),
    output: QueryAnswer,
    errors: ['not_found'],
    example: { input: { ...exampleSaved, parameters: { minutes: 10 } }, output: exampleAnswer },
  }),
}

/** Queries that are saved under a name. */
export const savedQueries = crud({
  path: '/api/queries/{configId}/saved',
  on: onSaved,
  one: 'a saved query',
  many: 'the saved queries of a repository',
  view: { key: 'queries.run', on: 'repository' },
  write: { key: 'queries.save', on: 'repository' },
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
      'Its structure and placeholders are checked now. Field names are checked when it is run, because the fields that exist depend on who runs it.',
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
    description: 'Only the members that are sent change; `query` and `parameters` are replaced as a whole.',
    input: patchOf(savedQueryMembers),
    errors: ['not_found', 'precondition_failed'],
    example: { description: 'For one cup' },
  },
})
