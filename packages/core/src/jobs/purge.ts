import { currentSettings } from '../admin/settings.ts'
import type { JobHandler } from '../call/job-handler.ts'
import { purgeDeleted } from '../items/purge.ts'
import { daysBefore } from './days.ts'

/** The job that removes for good what was deleted long enough ago. */
export const itemPurge: ReadonlyMap<string, JobHandler> = new Map([
  [
    'items.purge',
    {
      places: 1,
      each: 1,
      async run(_job, { call, ...doing }) {
        const { deletedItemsKeptDays } = await currentSettings(call.store.records)
        return { ...(await purgeDeleted(call, { ...doing, before: daysBefore(call, deletedItemsKeptDays) })) }
      },
    },
  ],
])
