import { z } from 'zod'
import { RepositoryRef } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'

const asked = (what: string) => z.boolean().optional().describe(what)

/** Looks after the content of a repository, in the queue. */
export const process = endpoint({
  binding: 'POST /api/admin/process/{id}',
  summary: 'Look after the content of a repository',
  description:
    'Each thing that is asked for becomes a job of the queue, where it can be followed (`queue.watch`); the answer comes at once. One that has not ' +
    'ended is joined: it is not begun a second time. Needs `admin.repositories.crawl` or `admin.repositories.migration.run`.',
  permission: ['admin.repositories.crawl', 'admin.repositories.migration.run'],
  input: z.strictObject({
    id: RepositoryRef.describe('The repository, by id or name'),
    syncAssets: asked(
      'Whether every file is to be read and compared with its hash, and what was made of it made again where it is lost (`assets.sync`)',
    ),
    syncDocs: asked(
      'Whether the text of every file that has none yet is to be found, and the search index to be made anew (`docs.sync`)',
    ),
    reloadGraph: asked(
      'Whether what is computed from the content types is to be computed anew on every server (`graph.reload`)',
    ),
  }),
  output: z
    .object({ message: z.string().describe('For people: what was queued, under which ids') })
    .meta({ id: 'ProcessStarted', description: 'What was asked of the queue' }),
  errors: ['not_found', 'idempotency_mismatch'],
  example: {
    input: { id: 'magazine', syncAssets: true, reloadGraph: true },
    output: {
      message:
        'Queued: the asset sync (JOB_01JB2QH3F5H7K9M1N3P5R7T9V1), the graph reload (JOB_01JB2QH3F6G8J0K2M4N6P8Q0R2). Follow them at /api/queue.',
    },
  },
})
