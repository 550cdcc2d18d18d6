import { Preferences, type Contract, type ParsedOf } from '@quire/contract'
import { mayDo } from '../../access/permissions.ts'
import { notPermitted, type Call } from '../../call/call.ts'
import { findUser, preferencesOf } from './find.ts'

type Users = Contract['users']

/** A user's preferences. Errors: `forbidden` for another's without the key, whether there is such a user or not; `not_found`. */
export async function getPreferences(
  call: Call,
  { id }: ParsedOf<Users['getPreferences']>,
): Promise<Preferences> {
  requireOwn(call, id, 'security.users.view')
  const user = await findUser({ ...call, ifMatch: undefined }, id)
  return preferencesOf(call.store.records, user.id)
}

/** Replaces a user's preferences whole (specification 4.5). Errors: as `getPreferences`. */
export async function replacePreferences(
  call: Call,
  { id: sentId, ...preferences }: ParsedOf<Users['replacePreferences']>,
): Promise<Preferences> {
  requireOwn(call, sentId, 'security.users.update')
  return call.transaction(async (tx) => {
    const user = await findUser({ ...call, store: tx, ifMatch: undefined }, sentId)
    const { id } = user
    const present = await tx.records.get('preferences', id)
    const stored = await tx.records.put('preferences', { id, preferences }, present?.revision ?? 0)
    return Preferences.parse(stored.preferences)
  })
}

function requireOwn(call: Call, id: string, key: 'security.users.view' | 'security.users.update'): void {
  const { kind, id: own, permissions } = call.identity
  if (kind === 'user' && own === id.toLowerCase()) return
  if (!mayDo(permissions, key)) throw notPermitted([key])
}
