import type { Settings } from '@quire/contract'
import type { RecordReader } from '../ports/index.ts'

/** The settings of the service that have ever been set. There is only one record. */
export interface SettingsRecord {
  readonly id: Settings['id']
  readonly set: Partial<Omit<Settings, 'id' | 'updatedDate'>>
  readonly updatedDate: number
}

declare module '../ports/records.ts' {
  interface RecordKinds {
    settings: SettingsRecord
  }
}

/** The id of the one record. */
export const settingsId = 'settings'

/** The values of settings that were never set. */
const defaults: Required<SettingsRecord['set']> = {
  jobsKeptDays: 30,
  deliveriesKeptDays: 30,
  deletedItemsKeptDays: 30,
}

/** The settings of a record, with defaults for the rest; null: nothing was ever set. */
export function settingsOf(record: SettingsRecord | null): Settings {
  return { id: settingsId, ...defaults, ...record?.set, updatedDate: record?.updatedDate ?? null }
}

/** The current settings. */
export async function currentSettings(records: RecordReader): Promise<Settings> {
  return settingsOf(await records.get('settings', settingsId))
}
