import { z } from 'zod'
import { RepositoryRef } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'

const jobFlag = (what: string) => z.boolean().optional().describe(what)

/** Runs maintenance jobs on the content of a repository. */
export const process = endpoint({
  binding: 'POST /api/admin/process/{id}',
  summary: 'Run maintenance jobs on a repository',
  description:
    'Each requested task becomes a job in the queue, which you can follow with `queue.watch`; the response comes at once. If such a job has not ' +
    'ended yet, no second one is started. Needs `admin.repositories.crawl` or `admin.repositories.migration.run`.',
  permission: { key: ['admin.repositories.crawl', 'admin.repositories.migration.run'], on: 'each' },
  input: z.strictObject({
    id: RepositoryRef.describe('The repository, by id or name'),
    syncAssets: jobFlag(
      'Read every file and compare it with its hash, and make lost derived files again (`assets.sync`)',
    ),
    syncDocs: jobFlag(
      'Extract the text of every file that has none yet, and rebuild the search index (`docs.sync`)',
    ),
    reloadGraph: jobFlag('Recompute on every server what is derived from the content types (`graph.reload`)'),
  }),
  output: z
    .object({ message: z.string().describe('The queued jobs and their ids, in words') })
    .meta({ id: 'ProcessStarted', description: 'The jobs that were queued' }),
  errors: ['not_found', 'idempotency_mismatch'],
  example: {
    input: { id: 'magazine', syncAssets: true, reloadGraph: true },
    output: {
      message:
        'Queued: the asset sync (JOB_01JB2QH3F5H7K9M1N3P5R7T9V1), the graph reload (JOB_01JB2QH3F6G8J0K2M4N6P8Q0R2). Follow them at /api/queue.',
    },
  },
})
