import { z } from 'zod'
import { Id, UnixMs, UserRef } from '../../conventions.ts'

/** The state of a job. */
export const JobState = z
  .enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
  .describe('The state of the job')

/** A job of the queue. */
export const Job = z
  .object({
    id: Id,
    kind: z
      .string()
      .describe('The kind of work: `webhook.deliver`, `assets.sync`, `docs.sync`, `item.publish`…'),
    state: JobState,
    repositoryId: z.string().describe('Id of the repository; empty for a job of the whole service'),
    payload: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('The plain members of its input, without any content'),
    progress: z
      .object({
        done: z.int().describe('Steps done, in a unit that depends on the kind'),
        total: z.int().describe('Steps in total; 0 while that is not known'),
        message: z.string(),
      })
      .describe('Progress of the job'),
    attempts: z.int().describe('Number of attempts so far'),
    maxAttempts: z.int().describe('Maximum number of attempts'),
    runAt: UnixMs.describe('The job does not start before this time'),
    createdAt: UnixMs,
    startedAt: UnixMs.nullable().describe('Start of the last attempt'),
    finishedAt: UnixMs.nullable().describe('When it ended; null until then'),
    error: z.string().nullable().describe('Why it failed'),
    createdBy: UserRef,
  })
  .meta({ id: 'Job', description: 'A job of the queue' })

/** A job of the queue, as returned. */
export type Job = z.output<typeof Job>

/** Number of jobs by kind and state. */
export const QueueStats = z
  .object({
    jobs: z.array(
      z.object({
        kind: z.string(),
        state: JobState,
        count: z.int(),
        oldest: UnixMs.describe('When the oldest of them was due to start'),
      }),
    ),
  })
  .meta({ id: 'QueueStats', description: 'Number of jobs by kind and state' })

/** Number of jobs by kind and state. */
export type QueueStats = z.output<typeof QueueStats>
