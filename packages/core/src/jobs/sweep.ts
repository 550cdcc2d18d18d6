import { currentSettings } from '../admin/settings.ts'
import type { Call } from '../call/call.ts'
import type { Doing, JobHandler } from '../call/job-handler.ts'
import { sweepEphemera } from '../call/sweep.ts'
import type { Job, JsonObject } from '../ports/index.ts'
import { deliveryKind } from '../webhooks/kind.ts'
import { daysBefore } from './days.ts'
import { schedules } from './schedules.ts'

/** The jobs that forget what has had its time: jobs that ended, and values that expired. */
export const sweeps: ReadonlyMap<string, JobHandler> = new Map([
  ['jobs.sweep', { places: 1, each: 1, run: sweepJobs }],
  [
    'ephemera.sweep',
    {
      places: 1,
      each: 1,
      run: async (_job, { call }) => ({ expired: await sweepEphemera(call.environment) }),
    },
  ],
])

// Jobs that one transaction forgets, some 20 ms.
const atOnce = 1000

async function sweepJobs(_job: Job, { call, signal }: Doing): Promise<JsonObject> {
  const { jobsKeptDays, deliveriesKeptDays } = await currentSettings(call.store.records)
  const counts = await call.store.jobs.counts()
  let forgotten = 0
  for (const kind of new Set(counts.map((count) => count.kind))) {
    const kept = daysBefore(call, kind === deliveryKind ? deliveriesKeptDays : jobsKeptDays)
    const before = Math.min(kept, await lastOfSchedule(call, kind))
    for (let swept = atOnce; swept === atOnce; forgotten += swept) {
      signal.throwIfAborted()
      swept = await call.transaction((tx) => tx.jobs.sweep({ kind, before, limit: atOnce }))
    }
  }
  return { forgotten }
}

/** When the last job of a schedule ended, which says when the next is due and so stays whatever its age; in Unix ms, infinite for all others. */
async function lastOfSchedule({ store }: Call, kind: string): Promise<number> {
  if (!schedules.some((schedule) => schedule.kind === kind)) return Infinity
  const [newest] = await store.jobs.list({ kind, limit: 1 })
  return newest?.finishedAt ?? Infinity
}
