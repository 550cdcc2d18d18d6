import { z } from 'zod'
import { endlessListOf, Id, listInput, RepositoryRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleJob } from './examples.ts'
import { Job, JobState, QueueStats } from './shapes.ts'

const onJob = { jobId: Id.describe('The job') }

/** Whoever may start jobs follows their own without the rights of the queue. */
const toFollow = {
  key: [
    'queue.view',
    'sites.publish',
    'items.publish',
    'packages.merge',
    'admin.types.update',
    'admin.repositories.update',
  ],
  on: 'each',
} as const

const example = { jobId: exampleJob.id }

/** Operations on the jobs that the service runs in the background. */
export const queue = {
  list: endpoint({
    binding: 'GET /api/queue',
    summary: 'List jobs, newest first',
    permission: { key: 'queue.view', on: 'each' },
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
    summary: 'Count jobs by kind and state',
    permission: { key: 'queue.view', on: 'each' },
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
    description: 'With `queue.view` any job there, otherwise those that you started.',
    permission: toFollow,
    input: z.strictObject(onJob),
    output: Job,
    errors: ['not_found'],
    example: { input: example, output: exampleJob },
  }),
  watch: endpoint({
    binding: 'GET /api/queue/{jobId}/events',
    summary: 'Follow a job',
    description:
      'Sends the job as it is now, then after every change, until it has ended. With `queue.view` any job there, ' +
      'otherwise those that you started.',
    permission: toFollow,
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
    description: 'A queued job ends at once. A running job ends at its next step.',
    permission: { key: 'queue.manage', on: 'each' },
    input: z.strictObject(onJob),
    output: Job,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: { input: example, output: exampleJob },
  }),
  retry: endpoint({
    binding: 'POST /api/queue/{jobId}/retry',
    summary: 'Retry a job that failed or was cancelled',
    description:
      'Not for webhook deliveries: a delivery is attempted once, and `webhooks.redeliver` repeats it as a new delivery.',
    permission: { key: 'queue.manage', on: 'each' },
    input: z.strictObject(onJob),
    output: Job,
    success: 202,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: { input: example, output: { ...exampleJob, state: 'queued' } },
  }),
}
