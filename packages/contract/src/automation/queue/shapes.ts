import { z } from 'zod'
import { Id, UnixMs, UserRef } from '../../conventions.ts'

/** Where a job stands. */
export const JobState = z
  .enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
  .describe('Where it stands')

/** A job of the queue. */
export const Job = z
  .object({
    id: Id,
    kind: z.string().describe('What it does: `webhook.deliver`, `assets.sync`, `docs.sync`, `item.publish`…'),
    state: JobState,
    repositoryId: z.string().describe('What it is about; empty for the whole service'),
    payload: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('What it was asked for: its plain members, without what it carries of content'),
    progress: z
      .object({
        done: z.int().describe('In units of its own'),
        total: z.int().describe('0 while it is not known'),
        message: z.string(),
      })
      .describe('How far it is'),
    attempts: z.int().describe('Times that it was begun'),
    maxAttempts: z.int().describe('Times that it is begun at most'),
    runAt: UnixMs.describe('Not begun before'),
    createdAt: UnixMs,
    startedAt: UnixMs.nullable().describe('The last begin'),
    finishedAt: UnixMs.nullable().describe('null while it has not ended'),
    error: z.string().nullable().describe('Why it failed'),
    createdBy: UserRef,
  })
  .meta({ id: 'Job', description: 'A job of the queue' })

/** A job of the queue, as answered. */
export type Job = z.output<typeof Job>

/** How many jobs there are. */
export const QueueStats = z
  .object({
    jobs: z.array(
      z.object({
        kind: z.string(),
        state: JobState,
        count: z.int(),
        oldest: UnixMs.describe('Since when the oldest of them was to be begun'),
      }),
    ),
  })
  .meta({ id: 'QueueStats', description: 'How many jobs there are, by kind and state' })

/** How many jobs there are. */
export type QueueStats = z.output<typeof QueueStats>
