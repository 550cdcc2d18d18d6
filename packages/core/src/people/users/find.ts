import { defaultPreferences, type Preferences, type User } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { recordsOf, recordTag } from '../../engine/record-rules.ts'
import { accountOfUser, type UserRecord } from '../../engine/access/records.ts'
import { auditEntry, securityEvent } from '../audit.ts'
import { requireAssignable } from '../grantable.ts'
import { serializeSettings } from '../quota.ts'
import { relate } from '../relate.ts'
import { freeSearchId } from '../search-id.ts'
import type { RecordReader, Stored, SignedIn, SignIn } from '../../ports/index.ts'

/** `serializeUser` serializes users, because their JSON needs the store. */
export const userRecords = recordsOf({
  kind: 'user',
  called: 'user',
  events: { created: 'USER_CREATED', updated: 'USER_UPDATED', deleted: 'USER_DELETED' },
  entry: auditEntry('user'),
})

/**
 * The id is an email address, in upper or lower case. Errors: `not_found`, `precondition_failed`.
 */
export async function findUser(call: Call, id: string): Promise<Stored<'user'>> {
  const found = await call.store.records.get('user', id.toLowerCase())
  return userRecords.matched(call, found, id)
}

/** A user as it is sent, with preferences if they were set. */
export async function userJson(records: RecordReader, stored: Stored<'user'>): Promise<User> {
  const { revision: _revision, epoch: _epoch, settings, ...user } = stored
  const set = await records.get('preferences', user.id)
  const { branchOnly = false } = user
  return { ...user, branchOnly, ...serializeSettings(settings), ...(set && { preferences: set.preferences }) }
}

/** A user as it is sent, with its ETag. */
export async function serializeUser(
  records: RecordReader,
  stored: Stored<'user'>,
): Promise<Serialized<User>> {
  return new Serialized(JSON.stringify(await userJson(records, stored)), recordTag(stored))
}

/**
 * Errors: `forbidden` for permissions that the caller does not hold; `invalid` naming a role or
 * group that does not exist.
 */
export async function requireAssignableUser(
  call: Call,
  records: RecordReader,
  user: UserRecord,
): Promise<void> {
  await requireAssignable(call, records, accountOfUser(user))
}

/** The preferences of a user, or the defaults if none were set. */
export async function preferencesOf(records: RecordReader, id: string): Promise<Preferences> {
  return (await records.get('preferences', id))?.preferences ?? defaultPreferences
}

/**
 * Creates a user at the first sign-in, with the configured roles. Null if the configuration does
 * not create users.
 */
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
