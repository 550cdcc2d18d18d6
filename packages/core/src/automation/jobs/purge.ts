import { currentSettings } from '../../engine/settings.ts'
import type { JobHandler } from '../../engine/job-handler.ts'
import { purgeDeleted } from '../../content/items/purge.ts'
import type { Call } from '../../engine/call.ts'

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
export function daysBefore({ now }: Call, days: number): number {
  return now - days * dayMs
}
