import { defaultPreferences, type Preferences, type User } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { recordsOf, recordTag } from '../../engine/record-rules.ts'
import type { UserRecord } from '../../engine/access/records.ts'
import { auditEntry, securityEvent } from '../audit.ts'
import { requireAssignable } from '../grantable.ts'
import { relate } from '../relate.ts'
import { freeSearchId } from '../search-id.ts'
import type { RecordReader, Stored, SignedIn, SignIn } from '../../ports/index.ts'

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

/** A user for somebody who signs in for the first time, with the roles that the operator gives such; null when there are none for them. */
export async function provisionUser(
  call: Call,
  { newUserRoles }: SignIn,
  { email, name }: SignedIn,
): Promise<UserRecord | null> {
  if (newUserRoles === null) return null
  const id = email.toLowerCase()
  return call.write(async (call) => {
    const existing = await call.store.records.get('user', id)
    if (existing) return existing
    const roles = await call.store.records.list('role')
    const user: UserRecord = {
      id,
      searchId: await freeSearchId(call.store.records, id),
      name: name || id,
      repos: [],
      roles: roles
        .filter((role) => newUserRoles.includes(role.id) || newUserRoles.includes(role.name))
        .map((role) => role.id),
      groups: [],
      type: 'user',
      description: '',
      enabled: true,
      createdDate: call.now,
      updatedDate: call.now,
      epoch: call.now,
    }
    await call.record(securityEvent(call, 'USER_CREATED', { kind: 'user', id, after: user }))
    const stored = await call.store.records.put('user', user, 0)
    await relate(call, { kind: 'user', id, roles: user.roles })
    return stored
  })
}
