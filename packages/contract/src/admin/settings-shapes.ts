import { z } from 'zod'
import { UnixMs } from '../conventions.ts'

const days = (what: string) => z.int().min(1).max(3650).describe(what)

/** The settings that a caller can change. */
export const settingMembers = {
  jobsKeptDays: days('Days for which ended jobs are kept. Default: 30'),
  deliveriesKeptDays: days('Days for which ended webhook deliveries are kept. Default: 30'),
  deletedItemsKeptDays: days('Days for which deleted content can be restored. Default: 30'),
}

/** The settings of the whole service. */
export const Settings = z
  .object({
    id: z.literal('settings').describe('Always `settings`: there is only one record'),
    ...settingMembers,
    updatedDate: UnixMs.nullable().describe('When the settings were last changed; null: never'),
  })
  .meta({ id: 'Settings', description: 'The settings of the whole service' })

/** The settings of the whole service. */
export type Settings = z.output<typeof Settings>
