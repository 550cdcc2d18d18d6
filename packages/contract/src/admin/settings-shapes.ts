import { z } from 'zod'
import { UnixMs } from '../conventions.ts'

const days = (what: string) => z.int().min(1).max(3650).describe(what)

/** What can be decided, as it is set. */
export const settingMembers = {
  jobsKeptDays: days('Days for which a job that has ended is kept. Default: 30'),
  deliveriesKeptDays: days('Days for which a delivery of a webhook that has ended is kept. Default: 30'),
  deletedItemsKeptDays: days('Days for which what was deleted can be restored. Default: 30'),
}

/** What is decided for the whole service. */
export const Settings = z
  .object({
    id: z.literal('settings').describe('There is one record of them'),
    ...settingMembers,
    updatedDate: UnixMs.nullable().describe('When they were last changed; null: never'),
  })
  .meta({ id: 'Settings', description: 'What is decided for the whole service' })

/** What is decided for the whole service. */
export type Settings = z.output<typeof Settings>
