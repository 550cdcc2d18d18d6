import { QuireError, type ServiceAccount } from '@quire/contract'
import { lastUse } from '../../auth/secret-use.ts'
import { Presented } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { recordTag, requireRecord } from '../../call/records.ts'
import type { RecordReader, ServiceAccountRecord, Stored, StoredSecret } from '../../ports/index.ts'
import { requireAssignable } from '../grantable.ts'

/** A service account as shown: its secrets by id and dates, never their hashes. */
export async function showAccount(call: Call, stored: Stored<'serviceAccount'>): Promise<ServiceAccount> {
  const { revision: _, epoch: __, secrets, ...account } = stored
  const shown = secrets.map(async ({ id, createdDate }) => ({
    id,
    createdDate,
    lastUsedDate: await lastUse(call.store, id, call.now),
  }))
  return { ...account, secrets: await Promise.all(shown) }
}

/** The same with its ETag. */
export async function presentAccount(
  call: Call,
  stored: Stored<'serviceAccount'>,
): Promise<Presented<ServiceAccount>> {
  return new Presented(JSON.stringify(await showAccount(call, stored)), recordTag(stored))
}

/** Errors: `not_found`, `precondition_failed`. */
export async function findServiceAccount(call: Call, id: string): Promise<Stored<'serviceAccount'>> {
  const found = await call.store.records.get('serviceAccount', id)
  return requireRecord<'serviceAccount'>(call, found, `service account "${id}"`)
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
