import { currentSettings } from '../../engine/settings.ts'
import type { Call } from '../../engine/call.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import { deliveryKind } from '../webhooks/record.ts'
import { schedules } from './schedules.ts'
import { purgeDeleted } from '../../content/items/delete.ts'
import type { Job, JsonObject } from '../../ports/index.ts'

/**
 * Jobs that delete old ended jobs and expired values, and that fold the recorded changes of usage
 * into their totals.
 */
export const sweeps: ReadonlyMap<string, JobHandler> = new Map([
  ['jobs.sweep', { slots: 1, each: 1, run: sweepJobs }],
  ['ephemera.sweep', { slots: 1, each: 1, run: sweepEphemera }],
  ['usage.fold', { slots: 1, each: 1, run: foldUsage }],
])

// Rows per transaction. A batch takes about 20 ms, so no other write waits for longer.
const batchSize = 1000

async function sweepJobs(_job: Job, { call, signal }: JobContext): Promise<JsonObject> {
  const { jobsKeptDays, deliveriesKeptDays } = await currentSettings(call.store.records)
  const counts = await call.store.jobs.counts()
  let forgotten = 0
  for (const kind of new Set(counts.map((count) => count.kind))) {
    const expired = daysBefore(call, kind === deliveryKind ? deliveriesKeptDays : jobsKeptDays)
    const before = Math.min(expired, await lastEndOfSchedule(call, kind))
    for (let swept = batchSize; swept === batchSize; forgotten += swept) {
      signal.throwIfAborted()
      swept = await call.write((call) => call.store.jobs.sweep({ kind, before, limit: batchSize }))
    }
  }
  return { forgotten }
}

/** Reads no longer return expired values; this job frees their space. */
async function sweepEphemera(_job: Job, { call, signal }: JobContext): Promise<JsonObject> {
  const { clock } = call.environment
  let expired = 0
  for (let swept = batchSize; swept === batchSize; expired += swept) {
    signal.throwIfAborted()
    swept = await call.write(({ store }) => store.ephemera.sweep(clock.now(), batchSize))
  }
  return { expired }
}

async function foldUsage(_job: Job, { call, signal }: JobContext): Promise<JsonObject> {
  let folded = 0
  for (let count = batchSize; count === batchSize; folded += count) {
    signal.throwIfAborted()
    count = await call.write((call) => call.store.usage.fold(batchSize))
  }
  return { folded }
}

/**
 * When the last job of a schedule ended, in Unix ms; infinity for all other kinds. That job is
 * retained whatever its age, because the due time of the next one is computed from it.
 */
async function lastEndOfSchedule({ store }: Call, kind: string): Promise<number> {
  if (!schedules.some((schedule) => schedule.kind === kind)) return Infinity
  const [newest] = await store.jobs.list({ kind, limit: 1 })
  return newest?.finishedAt ?? Infinity
}

/** The job that permanently removes items which were deleted long enough ago. */
export const itemPurge: ReadonlyMap<string, JobHandler> = new Map([
  [
    'items.purge',
    {
      slots: 1,
      each: 1,
      async run(_job, { call, ...context }) {
        const { deletedItemsKeptDays } = await currentSettings(call.store.records)
        return {
          ...(await purgeDeleted(call, { ...context, before: daysBefore(call, deletedItemsKeptDays) })),
        }
      },
    },
  ],
])

const dayMs = 24 * 60 * 60 * 1000

/** In Unix ms. */
function daysBefore({ now }: Call, days: number): number {
  return now - days * dayMs
}
