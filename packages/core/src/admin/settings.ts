import type { Settings } from '@quire/contract'
import type { RecordReader, SettingsRecord } from '../ports/index.ts'

/** The id of the one record. */
export const settingsId = 'settings'

/** What holds where nothing was set. */
const defaults: Required<SettingsRecord['set']> = {
  jobsKeptDays: 30,
  deliveriesKeptDays: 30,
  deletedItemsKeptDays: 30,
}

/** What a record decides, and the defaults for the rest; null: nothing was ever set. */
export function settingsOf(record: SettingsRecord | null): Settings {
  return { id: settingsId, ...defaults, ...record?.set, updatedDate: record?.updatedDate ?? null }
}

/** The settings as they are now. */
export async function currentSettings(records: RecordReader): Promise<Settings> {
  return settingsOf(await records.get('settings', settingsId))
}
