import { z } from 'zod'
import { Id, listInput, listOf, RepositoryRef } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { Job, JobState, QueueStats } from './shapes.ts'

const onJob = { jobId: Id.describe('The job') }

const exampleJob: Job = {
  id: 'JOB_01JB2QH3F5H7K9M1N3P5R7T9V1',
  kind: 'docs.sync',
  state: 'running',
  repositoryId: 'REPO_01JB2Q9VJ4S8X2N7C6T1R5W3KD',
  payload: {},
  progress: { done: 200, total: 1204, message: 'texts of files' },
  attempts: 1,
  maxAttempts: 3,
  runAt: 1_790_001_000_000,
  createdAt: 1_790_001_000_000,
  startedAt: 1_790_001_000_010,
  finishedAt: null,
  error: null,
  createdBy: { userName: 'ada@example.com', displayName: 'Ada', email: 'ada@example.com' },
}
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
    }),
    output: listOf(Job),
    errors: ['not_found'],
    example: { input: { state: 'running' }, output: { items: [exampleJob] } },
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
