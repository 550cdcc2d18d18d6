import { limits, TokenError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
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
}

async function findClient(
  call: Call,
  { client_id = '', client_secret = '' }: TokenInput,
): Promise<Client | null> {
  const account = await call.store.records.get('serviceAccount', client_id)
  const hash = await call.environment.secrets.hmac(client_secret)
  const secret = (account?.secrets ?? [absentSecret, absentSecret]).find((stored) =>
    isEqual(stored.hash, hash),
  )
  if (!account?.enabled || !secret || (account.expiresAt ?? Infinity) <= call.now) return null
  return { account, secret }
}

const absentSecret: StoredSecret = { id: '', hash: '-'.repeat(43), createdDate: 0 }

// Both are keyed hashes of the same length; every character is looked at.
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < b.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
