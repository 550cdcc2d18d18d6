import { z } from 'zod'
import { generateKey } from '../connections/access/endpoints.ts'
import { listInput, listOf, RepositoryRef } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { health } from './health.ts'
import { process } from './process.ts'
import { settings, updateSettings } from './settings.ts'
import { IndexRebuild, SearchIndex } from './shapes.ts'

const exampleIndex: SearchIndex = {
  name: 'magazine',
  numDocs: 1204,
  maxDocId: 1377,
  numTerms: 20_391,
  numRecords: 188_204,
  invSize: 4_194_304,
  totalInvertedIndexBlocks: 1024,
}

const exampleRebuild: IndexRebuild = {
  id: 'JOB_01JB2QH3F5H7K9M1N3P5R7T9V1',
  index: 'magazine',
  state: 'running',
  progress: { done: 0, total: 1204 },
  startedDate: 1_790_001_000_000,
  finishedDate: null,
  error: null,
}

const onIndex = { id: RepositoryRef.describe("The index: its repository's name, or id") }

/** Operations that administer the service. */
export const admin = {
  indexes: endpoint({
    binding: 'GET /api/admin/indexes',
    summary: 'List the search indexes, one for each repository',
    permission: { key: 'admin.indexes.view', on: 'global' },
    input: z.strictObject({ limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(SearchIndex),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleIndex] } },
  }),
  index: endpoint({
    binding: 'GET /api/admin/indexes/{id}',
    summary: 'Read the statistics of a search index',
    permission: { key: 'admin.indexes.view', on: 'global' },
    input: z.strictObject(onIndex),
    output: SearchIndex,
    errors: ['not_found'],
    example: { input: { id: 'magazine' }, output: exampleIndex },
  }),
  rebuildIndex: endpoint({
    binding: 'POST /api/admin/indexes/{id}/rebuild',
    summary: 'Rebuild a search index',
    description:
      'Searches keep working meanwhile and find everything. A request while a rebuild is running returns that rebuild. A rebuild continues after a restart.',
    permission: { key: 'admin.indexes.update', on: 'global' },
    input: z.strictObject(onIndex),
    output: IndexRebuild,
    success: 202,
    errors: ['not_found', 'idempotency_mismatch'],
    example: { input: { id: 'magazine' }, output: exampleRebuild },
  }),
  process,
  generateKey,
  settings,
  updateSettings,
  health,
}
