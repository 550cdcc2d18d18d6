import { defaultPreferences, type Preferences, type User } from '@quire/contract'
import { Presented } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { recordTag, requireRecord } from '../../call/records.ts'
import type { RecordReader, Stored, UserRecord } from '../../ports/index.ts'
import { requireAssignable } from '../grantable.ts'

/** Errors: `not_found`, `precondition_failed`. Addresses differ in nothing but what is not their case. */
export async function findUser(call: Call, id: string): Promise<Stored<'user'>> {
  const found = await call.store.records.get('user', id.toLowerCase())
  return requireRecord<'user'>(call, found, `user "${id}"`)
}

/** A user as shown, with the preferences that were set. */
export async function showUser(records: RecordReader, stored: Stored<'user'>): Promise<User> {
  const { revision: _revision, epoch: _epoch, ...user } = stored
  const set = await records.get('preferences', user.id)
  return { ...user, ...(set && { preferences: set.preferences }) }
}

/** The same with its ETag. */
export async function presentUser(records: RecordReader, stored: Stored<'user'>): Promise<Presented<User>> {
  return new Presented(JSON.stringify(await showUser(records, stored)), recordTag(stored))
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
