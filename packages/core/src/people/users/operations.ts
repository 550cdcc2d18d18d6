import {
  type Contract,
  type OutputOf,
  type ParsedOf,
  type User,
  QuireError,
  Preferences,
  limits,
} from '@quire/contract'
import { explainPermissions } from '../auth/explain.ts'
import type { Serialized } from '../../engine/answer.ts'
import { type Call } from '../../engine/call.ts'
import { pageOf } from '../../engine/paging.ts'
import { accountUsage, requireOwn, patchSettings } from '../quota.ts'
import {
  findUser,
  serializeUser,
  userJson,
  requireAssignableUser,
  userRecords,
  preferencesOf,
} from './find.ts'
import { plainRecord, sentMembers } from '../../engine/record-rules.ts'
import { accountOfUser, type UserRecord } from '../../engine/access/records.ts'
import { forgetMember, requireAdministratorLeft } from '../last-administrator.ts'
import { relate } from '../relate.ts'
import { freeSearchId } from '../search-id.ts'
import { storeTicket } from '../auth/sessions.ts'
import { securityEvent } from '../audit.ts'

type Users = Contract['users']

/** All users (specification 4.5). */
async function listUsers(call: Call, input: ParsedOf<Users['list']>): Promise<OutputOf<Users['list']>> {
  const { records } = call.store
  const page = pageOf(await records.list('user'), input)
  return { ...page, items: await Promise.all(page.items.map((stored) => userJson(records, stored))) }
}

/** Errors: `not_found`. */
async function getUser(call: Call, { id }: ParsedOf<Users['get']>): Promise<Serialized<User>> {
  return serializeUser(call.store.records, await findUser(call, id))
}

/**
 * The stored content that a user created, what the user used today, and the user's limits. Errors: `forbidden` for another
 * user without the permission, even if that user does not exist; `not_found`.
 */
async function userUsage(call: Call, { id }: ParsedOf<Users['usage']>): Promise<OutputOf<Users['usage']>> {
  requireOwn(call, id.toLowerCase(), 'security.users.view')
  const user = await findUser(call, id)
  return accountUsage(call, accountOfUser(user), user.settings)
}

/** The current permissions of a user, with an explanation for one key. Errors: `not_found`. */
async function userPermissions(
  call: Call,
  { id, ...input }: ParsedOf<Users['permissions']>,
): Promise<OutputOf<Users['permissions']>> {
  const user = await findUser(call, id)
  return explainPermissions(call, accountOfUser(user), input)
}

/**
 * Creates a user. Errors: `forbidden` for permissions that the caller does not hold; `name_taken`;
 * `invalid` naming a role or group that does not exist.
 */
async function createUser(call: Call, input: ParsedOf<Users['create']>): Promise<Serialized<User>> {
  const id = input.id.toLowerCase()
  return call.write(async (call) => {
    if (await call.store.records.get('user', id))
      throw new QuireError('name_taken', `There is a user "${id}".`, { details: { id } })
    const dates = { createdDate: call.now, updatedDate: call.now }
    const searchId = await freeSearchId(call.store.records, id)
    const after: UserRecord = { ...input, id, searchId, ...dates, epoch: call.now }
    await requireAssignableUser(call, call.store.records, after)
    const follow = () => relate(call, { kind: 'user', id, roles: after.roles, groups: after.groups })
    const stored = await userRecords.put(call, { before: null, after, follow })
    return serializeUser(call.store.records, stored)
  })
}

/**
 * Changes the given members. Sessions of a disabled user are rejected from the next call on, and
 * stay invalid when the user is enabled again. Errors: `not_found`, `precondition_failed`,
 * `last_administrator`; `forbidden` if the caller does not hold all permissions of the user, before
 * and after.
 */
async function updateUser(
  call: Call,
  { id: sentId, settings, ...patch }: ParsedOf<Users['update']>,
): Promise<Serialized<User>> {
  return call.write(async (call) => {
    const before = await findUser(call, sentId)
    const user = plainRecord(before)
    const { id } = user
    const epoch = patch.enabled === false && user.enabled ? Math.max(call.now, user.epoch + 1) : user.epoch
    const sent = { ...sentMembers(patch), ...patchSettings(user.settings, settings) }
    const after: UserRecord = { ...user, ...sent, epoch, updatedDate: call.now }
    await requireAssignableUser(call, call.store.records, user)
    await requireAssignableUser(call, call.store.records, after)
    const follow = async () => {
      await relate(call, { kind: 'user', id, roles: patch.roles, groups: patch.groups })
      await requireAdministratorLeft(call)
    }
    return serializeUser(call.store.records, await userRecords.put(call, { before, after, follow }))
  })
}

/**
 * Deletes a user with their preferences and removes them from roles and groups. Their sessions are
 * rejected from the next call on. Errors: `not_found`, `forbidden`, `last_administrator`,
 * `precondition_failed`.
 */
async function deleteUser(call: Call, input: ParsedOf<Users['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const user = await findUser(call, input.id)
    const { id } = user
    await requireAssignableUser(call, call.store.records, user)
    await forgetMember(call, { kind: 'user', id })
    const preferences = await call.store.records.get('preferences', id)
    if (preferences) await call.store.records.delete('preferences', id, preferences.revision)
    return userRecords.remove(call, user, () => requireAdministratorLeft(call))
  })
}

/**
 * A user's preferences. Errors: `forbidden` for another user without the permission, even if that
 * user does not exist; `not_found`.
 */
export async function getPreferences(
  call: Call,
  { id }: ParsedOf<Users['getPreferences']>,
): Promise<Preferences> {
  requireOwn(call, id.toLowerCase(), 'security.users.view')
  const user = await findUser({ ...call, ifMatch: undefined }, id)
  return preferencesOf(call.store.records, user.id)
}

/** Replaces all preferences of a user (specification 4.5). Errors: those of `getPreferences`. */
export async function replacePreferences(
  call: Call,
  { id: sentId, ...preferences }: ParsedOf<Users['replacePreferences']>,
): Promise<Preferences> {
  requireOwn(call, sentId.toLowerCase(), 'security.users.update')
  return call.write(async (call) => {
    const user = await findUser({ ...call, ifMatch: undefined }, sentId)
    const { id } = user
    const existing = await call.store.records.get('preferences', id)
    const stored = await call.store.records.put('preferences', { id, preferences }, existing?.revision ?? 0)
    return Preferences.parse(stored.preferences)
  })
}

type SignInLink = Contract['users']['createSignInLink']

/**
 * Creates a URL that signs the user in once. Anyone who opens it acts as the user, so the caller
 * must hold all the user's permissions. Errors: `not_found`, `forbidden`, `invalid_state` for a
 * disabled user.
 */
export async function createSignInLink(
  call: Call,
  input: ParsedOf<SignInLink>,
): Promise<OutputOf<SignInLink>> {
  const { baseUrl, ids } = call.environment
  const ticket = ids.secret(32)
  const expiresAt = call.now + limits.signInLinkLifetime
  await call.write(async (call) => {
    const user = await findUser(call, input.id)
    await requireAssignableUser(call, call.store.records, user)
    if (!user.enabled) throw new QuireError('invalid_state', 'The user is disabled. Enable the user first.')
    await storeTicket(call, { ticket, user, expiresAt })
    await call.record(securityEvent(call, 'SIGN_IN_LINK_CREATED', { kind: 'user', id: user.id }))
  })
  return { url: `${baseUrl}/api/user/login?ticket=${ticket}`, expiresAt }
}

export {
  getUser as get,
  listUsers as list,
  userPermissions as permissions,
  userUsage as usage,
  createUser as create,
  deleteUser as delete,
  updateUser as update,
}
