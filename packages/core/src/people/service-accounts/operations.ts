import { type Contract, type OutputOf, type ParsedOf, type ServiceAccount, QuireError } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call } from '../../engine/call.ts'
import { pageOf } from '../../engine/paging.ts'
import { explainPermissions } from '../auth/explain.ts'
import { accountUsage, requireOwn, patchSettings } from '../quota.ts'
import {
  findServiceAccount,
  serializeAccount,
  accountJson,
  accountRecords,
  newSecret,
  requireAssignableAccount,
  requireRoomForSecret,
} from './account.ts'
import { plainRecord, sentMembers } from '../../engine/record-rules.ts'
import { accountOfService, type ServiceAccountRecord } from '../../engine/access/records.ts'
import { requireAdministratorLeft } from '../last-administrator.ts'
import { securityEvent } from '../audit.ts'
import type { JournalEntry } from '../../ports/index.ts'

type ServiceAccounts = Contract['serviceAccounts']

/** All service accounts, without secrets. */
async function listServiceAccounts(
  call: Call,
  input: ParsedOf<ServiceAccounts['list']>,
): Promise<OutputOf<ServiceAccounts['list']>> {
  const page = pageOf(await call.store.records.list('serviceAccount'), input)
  return { ...page, items: await Promise.all(page.items.map((account) => accountJson(call, account))) }
}

/** One service account, without secrets. Errors: `not_found`. */
async function getServiceAccount(
  call: Call,
  { id }: ParsedOf<ServiceAccounts['get']>,
): Promise<Serialized<ServiceAccount>> {
  return serializeAccount(call, await findServiceAccount(call, id))
}

/** The current permissions of a service account, with an explanation for one key. Errors: `not_found`. */
async function serviceAccountPermissions(
  call: Call,
  { id, ...input }: ParsedOf<ServiceAccounts['permissions']>,
): Promise<OutputOf<ServiceAccounts['permissions']>> {
  return explainPermissions(call, accountOfService(await findServiceAccount(call, id)), input)
}

/**
 * The stored content that a service account created, what it used today, and its limits. Errors: `forbidden` for another
 * account without the permission; `not_found`.
 */
async function serviceAccountUsage(
  call: Call,
  { id }: ParsedOf<ServiceAccounts['usage']>,
): Promise<OutputOf<ServiceAccounts['usage']>> {
  requireOwn(call, id, 'security.serviceAccounts.view')
  const account = await findServiceAccount(call, id)
  return accountUsage(call, accountOfService(account), account.settings)
}

/**
 * Creates a service account and returns its secret, which is not shown again (specification 4.5,
 * 5.2.4). Errors: `forbidden` for permissions that the caller does not hold; `invalid` naming an
 * unknown role or group.
 */
async function createServiceAccount(
  call: Call,
  input: ParsedOf<ServiceAccounts['create']>,
): Promise<OutputOf<ServiceAccounts['create']>> {
  const { secret, stored } = await newSecret(call)
  const after: ServiceAccountRecord = {
    id: call.environment.ids.next('SVCA'),
    ...input,
    enabled: true,
    secrets: [stored],
    epoch: 1,
    createdDate: call.now,
    updatedDate: call.now,
  }
  return call.write(async (call) => {
    await requireAssignableAccount(call, call.store.records, after)
    const account = await accountRecords.put(call, { before: null, after })
    return { ...(await accountJson(call, account)), secret }
  })
}

/**
 * Changes the given members. Tokens of a disabled account are rejected from the next call on.
 * Errors: `not_found`, `precondition_failed`, `last_administrator`; `forbidden` if the caller does
 * not hold all its permissions, before and after.
 */
async function updateServiceAccount(
  call: Call,
  { id, settings, ...patch }: ParsedOf<ServiceAccounts['update']>,
): Promise<Serialized<ServiceAccount>> {
  return call.write(async (call) => {
    const before = await findServiceAccount(call, id)
    const account = plainRecord(before)
    const sent = { ...sentMembers(patch), ...patchSettings(account.settings, settings) }
    // Tokens from before stay invalid when the account is enabled again.
    const epoch = patch.enabled === false && account.enabled ? account.epoch + 1 : account.epoch
    const after: ServiceAccountRecord = { ...account, ...sent, epoch, updatedDate: call.now }
    await requireAssignableAccount(call, call.store.records, account)
    await requireAssignableAccount(call, call.store.records, after)
    const follow = () => requireAdministratorLeft(call)
    return serializeAccount(call, await accountRecords.put(call, { before, after, follow }))
  })
}

/**
 * Deletes a service account. Its tokens are rejected from the next call on. Errors: `not_found`,
 * `forbidden`, `precondition_failed`, `last_administrator`.
 */
async function deleteServiceAccount(
  call: Call,
  { id }: ParsedOf<ServiceAccounts['delete']>,
): Promise<undefined> {
  return call.write(async (call) => {
    const account = await findServiceAccount(call, id)
    await requireAssignableAccount(call, call.store.records, account)
    return accountRecords.remove(call, account, () => requireAdministratorLeft(call))
  })
}

/**
 * Adds a second secret and returns it; it is not shown again. Errors: `not_found`, `forbidden`;
 * `invalid_state` if there are already two.
 */
export async function addSecret(
  call: Call,
  { id }: ParsedOf<ServiceAccounts['addSecret']>,
): Promise<OutputOf<ServiceAccounts['addSecret']>> {
  const { secret, stored: added } = await newSecret(call)
  return call.write(async (call) => {
    const { revision, ...account } = await findServiceAccount(call, id)
    await requireAssignableAccount(call, call.store.records, account)
    requireRoomForSecret(account)
    const changed = { ...account, secrets: [...account.secrets, added], updatedDate: call.now }
    const stored = await call.store.records.put('serviceAccount', changed, revision)
    await call.record(secretEvent(call, account, changed))
    return { ...(await accountJson(call, stored)), secret }
  })
}

/**
 * Removes a secret. All tokens of the account that were issued before are rejected from the next
 * call on. Errors: `not_found`, `forbidden`, `invalid_state` for the last secret.
 */
export async function removeSecret(
  call: Call,
  { id, secretId }: ParsedOf<ServiceAccounts['removeSecret']>,
): Promise<Serialized<ServiceAccount>> {
  return call.write(async (call) => {
    const { revision, ...account } = await findServiceAccount(call, id)
    await requireAssignableAccount(call, call.store.records, account)
    const secrets = account.secrets.filter((secret) => secret.id !== secretId)
    if (secrets.length === account.secrets.length)
      throw new QuireError('not_found', `There is no secret "${secretId}".`)
    if (secrets.length === 0) {
      throw new QuireError(
        'invalid_state',
        'This is the last secret: add another first, or disable the account.',
      )
    }
    const changed = { ...account, secrets, epoch: account.epoch + 1, updatedDate: call.now }
    const stored = await call.store.records.put('serviceAccount', changed, revision)
    await call.record(secretEvent(call, account, changed))
    return serializeAccount(call, stored)
  })
}

/** The audit entry of added or removed secrets, by their ids. */
function secretEvent(call: Call, before: ServiceAccountRecord, after: ServiceAccountRecord): JournalEntry {
  const ids = ({ secrets }: ServiceAccountRecord) => ({ secretIds: secrets.map(({ id }) => id) })
  return securityEvent(call, 'SERVICE_ACCOUNT_UPDATED', {
    kind: 'serviceAccount',
    id: before.id,
    before: ids(before),
    after: ids(after),
  })
}

export {
  getServiceAccount as get,
  listServiceAccounts as list,
  serviceAccountPermissions as permissions,
  serviceAccountUsage as usage,
  createServiceAccount as create,
  deleteServiceAccount as delete,
  updateServiceAccount as update,
}
