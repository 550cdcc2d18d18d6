import { QuireError, type ServiceAccount } from '@quire/contract'
import { lastUse } from '../auth/sessions.ts'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { recordsOf, recordTag } from '../../engine/record-rules.ts'
import type { RecordReader, Stored } from '../../ports/index.ts'
import {
  accountOfService,
  type ServiceAccountRecord,
  type StoredSecret,
} from '../../engine/access/records.ts'
import { auditEntry } from '../audit.ts'
import { requireAssignable } from '../grantable.ts'
import { serializeSettings } from '../quota.ts'

/** `serializeAccount` serializes accounts, because their JSON needs the store. */
export const accountRecords = recordsOf({
  kind: 'serviceAccount',
  called: 'service account',
  events: {
    created: 'SERVICE_ACCOUNT_CREATED',
    updated: 'SERVICE_ACCOUNT_UPDATED',
    deleted: 'SERVICE_ACCOUNT_DELETED',
  },
  entry: auditEntry('serviceAccount'),
})

/**
 * A service account as it is sent, with the ids and dates of its secrets, and without their hashes.
 */
export async function accountJson(call: Call, stored: Stored<'serviceAccount'>): Promise<ServiceAccount> {
  const { revision: _, epoch: __, secrets, settings, ...account } = stored
  const visible = secrets.map(async ({ id, createdDate }) => ({
    id,
    createdDate,
    lastUsedDate: await lastUse(call.store, id, call.now),
  }))
  const { branchOnly = false } = account
  return { ...account, branchOnly, ...serializeSettings(settings), secrets: await Promise.all(visible) }
}

/** A service account as it is sent, with its ETag. */
export async function serializeAccount(
  call: Call,
  stored: Stored<'serviceAccount'>,
): Promise<Serialized<ServiceAccount>> {
  return new Serialized(JSON.stringify(await accountJson(call, stored)), recordTag(stored))
}

/** Errors: `not_found`, `precondition_failed`. */
export function findServiceAccount(call: Call, id: string): Promise<Stored<'serviceAccount'>> {
  return accountRecords.require(call, id)
}

/**
 * Generates a secret of 256 random bits. `secret` is its text, to be shown once; `stored` is the
 * record with its hash.
 */
export async function newSecret(call: Call): Promise<{ secret: string; stored: StoredSecret }> {
  const { ids, secrets } = call.environment
  const secret = ids.secret(32)
  return { secret, stored: { id: ids.next('SECR'), hash: await secrets.hmac(secret), createdDate: call.now } }
}

/**
 * Errors: `forbidden` for permissions that the caller does not hold; `invalid` naming a role or
 * group that does not exist.
 */
export async function requireAssignableAccount(
  call: Call,
  records: RecordReader,
  account: ServiceAccountRecord,
): Promise<void> {
  await requireAssignable(call, records, accountOfService(account))
}

/** Secrets per account: one in use, and one to rotate to. */
export const mostSecrets = 2

/** Errors: `invalid_state` if the account has two secrets. */
export function requireRoomForSecret({ secrets }: ServiceAccountRecord): void {
  if (secrets.length < mostSecrets) return
  throw new QuireError('invalid_state', 'The service account has two secrets: remove one first.')
}
