import { QuireError, type ServiceAccount } from '@quire/contract'
import { lastUse } from '../auth/sessions.ts'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { recordsOf, recordTag } from '../../engine/record-rules.ts'
import type { RecordReader, Stored } from '../../ports/index.ts'
import type { ServiceAccountRecord, StoredSecret } from '../../engine/access/records.ts'
import { auditEntry } from '../audit.ts'
import { requireAssignable } from '../grantable.ts'

/** What is done with accounts as with all records; how they are shown is asked of the store (`serializeAccount`). */
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

/** A service account as shown: its secrets by id and dates, never their hashes. */
export async function accountJson(call: Call, stored: Stored<'serviceAccount'>): Promise<ServiceAccount> {
  const { revision: _, epoch: __, secrets, ...account } = stored
  const visible = secrets.map(async ({ id, createdDate }) => ({
    id,
    createdDate,
    lastUsedDate: await lastUse(call.store, id, call.now),
  }))
  return { ...account, secrets: await Promise.all(visible) }
}

/** The same with its ETag. */
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

/** A new secret: its text, to be shown once, and what is stored of it. 256 random bits. */
export async function newSecret(call: Call): Promise<{ secret: string; stored: StoredSecret }> {
  const { ids, secrets } = call.environment
  const secret = ids.secret(32)
  return { secret, stored: { id: ids.next('SECR'), hash: await secrets.hmac(secret), createdDate: call.now } }
}

/** Errors: `forbidden` when the account has or gets what the caller does not hold; `invalid` naming what does not exist. */
export async function requireAssignableAccount(
  call: Call,
  records: RecordReader,
  account: Pick<ServiceAccountRecord, 'id' | 'roles' | 'groups'>,
): Promise<void> {
  await requireAssignable(call, records, { ...account, kind: 'service', repos: [] })
}

/** At most this many secrets at a time: one in use, one to rotate to. */
export const mostSecrets = 2

/** Errors: `invalid_state` when the account has two secrets. */
export function requireRoomForSecret({ secrets }: ServiceAccountRecord): void {
  if (secrets.length < mostSecrets) return
  throw new QuireError('invalid_state', 'The service account has two secrets: remove one first.')
}
