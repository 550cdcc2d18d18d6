import { limits, TokenError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { isEqualInTime, digest } from '../../engine/digest.ts'
import type { ServiceAccountRecord, StoredSecret } from '../../engine/access/records.ts'
import { noteUse } from './sessions.ts'
import { StoreUnavailable } from '../../ports/index.ts'
import { signToken } from './issue.ts'

type TokenInput = ParsedOf<Contract['auth']['token']>

/**
 * An access token for a service account (specification 4.1, 5.1, 7.2). An unknown id and a wrong secret cost the same work and
 * get the same answer. Errors: TokenError 400 for another grant type, 401 `invalid_client`, 429 after ten failures in a minute.
 */
export async function issueToken(
  call: Call,
  input: TokenInput,
): Promise<OutputOf<Contract['auth']['token']>> {
  requireGrant(input)
  await requireCalmAddress(call, input.client_id ?? '')
  const found = await findClient(call, input)
  if (!found) throw await countFailure(call, input.client_id ?? '')
  await noteBeside(() => noteUse(call, found.secret.id))
  if (found.isOld) await noteBeside(() => rehash(call, found))
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

/** A parameter without a value counts as left out (RFC 6749 §3.2). Errors: TokenError 400. */
function requireGrant({ grant_type }: TokenInput): void {
  if (grant_type === 'client_credentials') return
  const description = 'only client_credentials is supported'
  if (grant_type) throw new TokenError(400, 'unsupported_grant_type', { description })
  throw new TokenError(400, 'invalid_request', { description: `grant_type is missing: ${description}` })
}

/** What is noted beside and no token rests on: a store that cannot write now keeps nobody out. */
async function noteBeside(note: () => Promise<void>): Promise<void> {
  try {
    await note()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}

interface Client {
  readonly account: ServiceAccountRecord
  readonly secret: StoredSecret
  /** The hash of the secret under the current key. */
  readonly hash: string
  /** Whether it is stored under an earlier key. */
  readonly isOld: boolean
}

async function findClient(
  call: Call,
  { client_id = '', client_secret = '' }: TokenInput,
): Promise<Client | null> {
  const account = await call.store.records.get('serviceAccount', client_id)
  const found = (await matching(call, account, client_secret)) ?? (await asSent(call, account, client_secret))
  if (!account?.enabled || !found || (account.expiresAt ?? Infinity) <= call.now) return null
  return { account, ...found, isOld: found.secret.hash !== found.hash }
}

async function matching(
  call: Call,
  account: ServiceAccountRecord | null,
  text: string,
): Promise<Pick<Client, 'secret' | 'hash'> | null> {
  const hashes = await call.environment.secrets.hmacs(text)
  const [hash = ''] = hashes
  const secret = (account?.secrets ?? [absentSecret, absentSecret]).find((stored) =>
    hashes.some((one) => isEqualInTime(stored.hash, one)),
  )
  return secret ? { secret, hash } : null
}

/** curl and others do not form-encode a secret (RFC 6749 §2.3.1): its plus signs arrive as blanks. */
async function asSent(call: Call, account: ServiceAccountRecord | null, text: string) {
  return text.includes(' ') ? matching(call, account, text.replaceAll(' ', '+')) : null
}

/** Stores a secret under the current key: with its use one secret less needs the earlier key. */
async function rehash(call: Call, { account, secret, hash }: Client): Promise<void> {
  await call.write(async (call) => {
    const stored = await call.store.records.get('serviceAccount', account.id)
    if (!stored) return
    const { revision, ...record } = stored
    const secrets = record.secrets.map((one) => (one.id === secret.id ? { ...one, hash } : one))
    await call.store.records.put('serviceAccount', { ...record, secrets }, revision)
  })
}

const absentSecret: StoredSecret = { id: '', hash: '-'.repeat(43), createdDate: 0 }

/** Failures a minute, by address and by client id (TRUST 4.2). */
const failuresAllowed = 10
/** Of one address in all: others behind it go on beside somebody who fails, and nobody tries many ids from there. */
const addressFailuresAllowed = 100
const windowMs = 60_000

/**
 * Refuses an address that failed too often. The count of a client id only turns the answer to a wrong secret into 429:
 * others cannot lock an account out. Errors: TokenError 429.
 */
async function requireCalmAddress(call: Call, clientId: string): Promise<void> {
  const { address } = call.origin
  if (address === undefined) return
  for (const [key, allowed] of [
    [await clientKey(address, clientId), failuresAllowed],
    [addressKey(address), addressFailuresAllowed],
  ] as const) {
    const count = Number((await call.store.ephemera.get(key, call.now)) ?? 0)
    if (count >= allowed) throw tooMany()
  }
}

/** Counts a failure and gives the error to answer: 401 `invalid_client`, or 429. */
async function countFailure(call: Call, clientId: string): Promise<TokenError> {
  const { address } = call.origin
  // Who mistakes one for the other sends a secret as an id: what is kept is its hash.
  const bounds: (readonly [key: string, allowed: number])[] = [
    [`token-failures:id:${await digest(clientId)}`, failuresAllowed],
  ]
  if (address !== undefined)
    bounds.push(
      [await clientKey(address, clientId), failuresAllowed],
      [addressKey(address), addressFailuresAllowed],
    )
  return call.write(async (call) => {
    let isOver = false
    for (const [key, allowed] of bounds)
      if ((await call.store.ephemera.increment(key, call.now, call.now + windowMs)) > allowed) isOver = true
    return isOver ? tooMany() : new TokenError(401, 'invalid_client')
  })
}

async function clientKey(address: string, clientId: string): Promise<string> {
  return `token-failures:address:${address}:${await digest(clientId)}`
}

function addressKey(address: string): string {
  return `token-failures:address:${address}`
}

function tooMany(): TokenError {
  return new TokenError(429, 'too_many_requests', { retryAfter: windowMs / 1000 })
}
