import type { Contract, ParsedOf, Settings } from '@quire/contract'
import { Presented } from '../call/answer.ts'
import { requireMatch, requirePermission, type Call } from '../call/call.ts'
import { recordTag } from '../call/records.ts'
import type { RecordReader, SettingsRecord, Stored } from '../ports/index.ts'
import { securityEvent } from '../security/audit.ts'
import { settingsId, settingsOf } from './settings.ts'

type Patch = ParsedOf<Contract['admin']['updateSettings']>

/** The settings of the service. Errors: `forbidden`. */
export async function showSettings(call: Call): Promise<Presented<Settings>> {
  requirePermission(call, 'admin.settings.view')
  return present(await storedSettings(call.store.records))
}

/** Changes what is sent. Errors: `forbidden`, `precondition_failed`. */
export async function updateSettings(call: Call, patch: Patch): Promise<Presented<Settings>> {
  requirePermission(call, 'admin.settings.update')
  return call.transaction(async (tx) => {
    const found = await storedSettings(tx.records)
    requireMatch(call, tagOf(found))
    const record: SettingsRecord = { id: settingsId, set: merged(found?.set, patch), updatedDate: call.now }
    const stored = await tx.records.put('settings', record, found?.revision ?? 0)
    const change = {
      kind: 'settings',
      id: settingsId,
      before: settingsOf(found),
      after: settingsOf(stored),
    } as const
    await tx.journal.record(securityEvent(call, 'SETTINGS_UPDATED', change))
    return present(stored)
  })
}

/** A merge patch (RFC 7396): null takes away what was set. */
function merged(set: SettingsRecord['set'] = {}, patch: Patch): SettingsRecord['set'] {
  const members = Object.entries({ ...set, ...patch })
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined))
}

function storedSettings(records: RecordReader): Promise<Stored<'settings'> | null> {
  return records.get('settings', settingsId)
}

function present(found: Stored<'settings'> | null): Presented<Settings> {
  return new Presented(JSON.stringify(settingsOf(found)), tagOf(found))
}

/** What was never set has a tag too: who saw that it was not may say so. */
function tagOf(found: Stored<'settings'> | null): string {
  return recordTag(found ?? { id: settingsId, revision: 0 })
}
