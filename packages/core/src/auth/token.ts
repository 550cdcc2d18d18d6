import { limits, TokenError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { isEqualInTime } from '../call/constant-time.ts'
import type { ServiceAccountRecord, StoredSecret } from '../ports/index.ts'
import { signToken } from './issue.ts'
import { countFailure, requireCalmAddress } from './throttle.ts'
import { noteUse } from './secret-use.ts'

type TokenInput = ParsedOf<Contract['auth']['token']>

/**
 * An access token for a service account (specification 4.1, 5.1, 7.2). An unknown id and a wrong secret cost the same work and
 * get the same answer. Errors: TokenError 400 for another grant type, 401 `invalid_client`, 429 after ten failures in a minute.
 */
export async function issueToken(
  call: Call,
  input: TokenInput,
): Promise<OutputOf<Contract['auth']['token']>> {
  if (input.grant_type !== 'client_credentials') {
    throw new TokenError(400, 'unsupported_grant_type: only client_credentials is supported')
  }
  await requireCalmAddress(call)
  const found = await findClient(call, input)
  if (!found) throw await countFailure(call, input.client_id ?? '')
  await noteUse(call, found.secret.id)
  if (found.isOld) await rehash(call, found)
  return {
    access_token: await signToken(call, {
      ...found.account,
      kind: 'service',
      expires: call.now + limits.tokenLifetime * 1000,
    }),
    expires_in: limits.tokenLifetime,
    token_type: 'Bearer',
  }
}

interface Client {
  readonly account: ServiceAccountRecord
  readonly secret: StoredSecret
  /** The hash of the secret under the current key. */
  readonly hash: string
  /** Whether it is stored under a key of before. */
  readonly isOld: boolean
}

async function findClient(
  call: Call,
  { client_id = '', client_secret = '' }: TokenInput,
): Promise<Client | null> {
  const account = await call.store.records.get('serviceAccount', client_id)
  const hashes = await call.environment.secrets.hmacs(client_secret)
  const [hash = ''] = hashes
  const secret = (account?.secrets ?? [absentSecret, absentSecret]).find((stored) =>
    hashes.some((one) => isEqualInTime(stored.hash, one)),
  )
  if (!account?.enabled || !secret || (account.expiresAt ?? Infinity) <= call.now) return null
  return { account, secret, hash, isOld: secret.hash !== hash }
}

/** Stores a secret under the current key: with its use the key of before is needed for one less. */
async function rehash(call: Call, { account, secret, hash }: Client): Promise<void> {
  await call.transaction(async (tx) => {
    const stored = await tx.records.get('serviceAccount', account.id)
    if (!stored) return
    const { revision, ...record } = stored
    const secrets = record.secrets.map((one) => (one.id === secret.id ? { ...one, hash } : one))
    await tx.records.put('serviceAccount', { ...record, secrets }, revision)
  })
}

const absentSecret: StoredSecret = { id: '', hash: '-'.repeat(43), createdDate: 0 }
