import { defaultPreferences, type Preferences, type User } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { recordsOf, recordTag } from '../../engine/record-rules.ts'
import type { RecordReader, Stored } from '../../ports/index.ts'
import type { UserRecord } from '../../engine/access/records.ts'
import { auditEntry } from '../audit.ts'
import { requireAssignable } from '../grantable.ts'

/** What is done with users as with all records; how they are shown is asked of the store (`serializeUser`). */
export const userRecords = recordsOf({
  kind: 'user',
  called: 'user',
  events: { created: 'USER_CREATED', updated: 'USER_UPDATED', deleted: 'USER_DELETED' },
  entry: auditEntry('user'),
})

/** Errors: `not_found`, `precondition_failed`. Addresses differ in nothing but what is not their case. */
export async function findUser(call: Call, id: string): Promise<Stored<'user'>> {
  const found = await call.store.records.get('user', id.toLowerCase())
  return userRecords.matched(call, found, id)
}

/** A user as shown, with the preferences that were set. */
export async function userJson(records: RecordReader, stored: Stored<'user'>): Promise<User> {
  const { revision: _revision, epoch: _epoch, ...user } = stored
  const set = await records.get('preferences', user.id)
  return { ...user, ...(set && { preferences: set.preferences }) }
}

/** The same with its ETag. */
export async function serializeUser(
  records: RecordReader,
  stored: Stored<'user'>,
): Promise<Serialized<User>> {
  return new Serialized(JSON.stringify(await userJson(records, stored)), recordTag(stored))
}

/** Errors: `forbidden` when the user has or gets what the caller does not hold; `invalid` naming what does not exist. */
export async function requireAssignableUser(
  call: Call,
  records: RecordReader,
  user: Pick<UserRecord, 'id' | 'roles' | 'groups' | 'repos'>,
): Promise<void> {
  await requireAssignable(call, records, { ...user, kind: 'user' })
}

/** The preferences of a user: those that were set, else the defaults. */
export async function preferencesOf(records: RecordReader, id: string): Promise<Preferences> {
  return (await records.get('preferences', id))?.preferences ?? defaultPreferences
}
