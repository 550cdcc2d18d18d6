import { z } from 'zod'
import { endlessListOf, Id, listInput, RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleJob } from './examples.ts'
import { Job, JobState, QueueStats } from './shapes.ts'

const onJob = { jobId: Id.describe('The job') }

const example = { jobId: exampleJob.id }

/** What the service does after its answers. */
export const queue = {
  list: endpoint({
    binding: 'GET /api/queue',
    summary: 'List jobs, the newest first',
    permission: 'queue.view',
    input: z.strictObject({
      repositoryId: RepositoryRef.optional().describe('Only jobs of this repository'),
      kind: z.string().max(100).optional().describe('Only jobs of this kind'),
      state: JobState.optional().describe('Only jobs in this state'),
      limit: listInput.limit,
      cursor: listInput.cursor,
      skipCount: listInput.skipCount,
    }),
    output: endlessListOf(Job),
    errors: ['not_found'],
    example: { input: { state: 'running' }, output: { count: 1, items: [exampleJob] } },
  }),
  stats: endpoint({
    binding: 'GET /api/queue/stats',
    summary: 'How many jobs there are',
    permission: 'queue.view',
    input: z.strictObject({}),
    output: QueueStats,
    errors: [],
    example: {
      input: {},
      output: { jobs: [{ kind: 'docs.sync', state: 'running', count: 1, oldest: 1_790_001_000_000 }] },
    },
  }),
  get: endpoint({
    binding: 'GET /api/queue/{jobId}',
    summary: 'Read a job',
    permission: 'queue.view',
    input: z.strictObject(onJob),
    output: Job,
    errors: ['not_found'],
    example: { input: example, output: exampleJob },
  }),
  watch: endpoint({
    binding: 'GET /api/queue/{jobId}/events',
    summary: 'Follow a job',
    description: 'The job as it is, then at every change, until it has ended.',
    permission: 'queue.view',
    input: z.strictObject(onJob),
    output: Job,
    errors: ['not_found', 'too_many_requests'],
    answer: 'events',
    example: { input: example, output: exampleJob },
  }),
  cancel: endpoint({
    binding: 'POST /api/queue/{jobId}/cancel',
    withoutRoom: true,
    summary: 'Cancel a job',
    description: 'One that is queued ends at once. One that runs is asked to: it ends at its next step.',
    permission: 'queue.manage',
    input: z.strictObject(onJob),
    output: Job,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: { input: example, output: exampleJob },
  }),
  retry: endpoint({
    binding: 'POST /api/queue/{jobId}/retry',
    summary: 'Begin a job again that failed or was cancelled',
    description:
      'A delivery is not: it is attempted once, and repeated as a new one by `webhooks.redeliver`.',
    permission: 'queue.manage',
    input: z.strictObject(onJob),
    output: Job,
    success: 202,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: { input: example, output: { ...exampleJob, state: 'queued' } },
  }),
}
