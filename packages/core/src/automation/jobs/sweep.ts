import { currentSettings } from '../../engine/settings.ts'
import type { Call } from '../../engine/call.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import { deliveryKind } from '../webhooks/record.ts'
import { schedules } from './schedules.ts'
import { purgeDeleted } from '../../content/items/delete.ts'
import type { Job, JsonObject } from '../../ports/index.ts'

/** The jobs that forget what has had its time: jobs that ended, values that expired, and changes of what is kept once they are added up. */
export const sweeps: ReadonlyMap<string, JobHandler> = new Map([
  ['jobs.sweep', { slots: 1, each: 1, run: sweepJobs }],
  ['ephemera.sweep', { slots: 1, each: 1, run: sweepEphemera }],
  ['usage.fold', { slots: 1, each: 1, run: foldUsage }],
])

// What one transaction forgets, some 20 ms: no write waits for longer.
const atOnce = 1000

async function sweepJobs(_job: Job, { call, signal }: JobContext): Promise<JsonObject> {
  const { jobsKeptDays, deliveriesKeptDays } = await currentSettings(call.store.records)
  const counts = await call.store.jobs.counts()
  let forgotten = 0
  for (const kind of new Set(counts.map((count) => count.kind))) {
    const stored = daysBefore(call, kind === deliveryKind ? deliveriesKeptDays : jobsKeptDays)
    const before = Math.min(stored, await lastOfSchedule(call, kind))
    for (let swept = atOnce; swept === atOnce; forgotten += swept) {
      signal.throwIfAborted()
      swept = await call.write((call) => call.store.jobs.sweep({ kind, before, limit: atOnce }))
    }
  }
  return { forgotten }
}

/** What is expired is gone for every read; this gets its room back. */
async function sweepEphemera(_job: Job, { call, signal }: JobContext): Promise<JsonObject> {
  const { clock } = call.environment
  let expired = 0
  for (let swept = atOnce; swept === atOnce; expired += swept) {
    signal.throwIfAborted()
    swept = await call.write(({ store }) => store.ephemera.sweep(clock.now(), atOnce))
  }
  return { expired }
}

async function foldUsage(_job: Job, { call, signal }: JobContext): Promise<JsonObject> {
  let folded = 0
  for (let count = atOnce; count === atOnce; folded += count) {
    signal.throwIfAborted()
    count = await call.write((call) => call.store.usage.fold(atOnce))
  }
  return { folded }
}

/** When the last job of a schedule ended, which says when the next is due and so stays whatever its age; in Unix ms, infinite for all others. */
async function lastOfSchedule({ store }: Call, kind: string): Promise<number> {
  if (!schedules.some((schedule) => schedule.kind === kind)) return Infinity
  const [newest] = await store.jobs.list({ kind, limit: 1 })
  return newest?.finishedAt ?? Infinity
}

/** The job that removes for good what was deleted long enough ago. */
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

/** The time so many days before a call, in Unix ms. */
function daysBefore({ now }: Call, days: number): number {
  return now - days * dayMs
}
