import { limits, TokenError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { isEqualInTime, digest } from '../../engine/digest.ts'
import type { ServiceAccountRecord, StoredSecret } from '../../engine/access/records.ts'
import { noteUse } from './sessions.ts'
import { StoreUnavailable } from '../../ports/index.ts'
import { signToken } from './issue.ts'

type TokenInput = ParsedOf<Contract['auth']['token']>

/**
 * Issues an access token for a service account (specification 4.1, 5.1, 7.2). An unknown id and a
 * wrong secret take the same time and get the same answer. Errors: TokenError 400 for another grant
 * type, 401 `invalid_client`, 429 after ten failures in a minute.
 */
export async function issueToken(
  call: Call,
  input: TokenInput,
): Promise<OutputOf<Contract['auth']['token']>> {
  requireGrant(input)
  const clientId = idIn(input)
  await requireNotBlocked(call, clientId)
  const found = await findClient(call, { ...input, client_id: clientId })
  if (!found) throw await countFailure(call, clientId)
  await tryWrite(() => noteUse(call, found.secret.id))
  if (found.isOld) await tryWrite(() => rehash(call, found))
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

/** The id that was sent; of one that is too long to be known, as much as is counted. */
function idIn({ client_id = '' }: TokenInput): string {
  return client_id.slice(0, limits.id)
}

/** Errors: TokenError 400, whose `error` says in words what is supported (specification 7.2). */
function requireGrant({ grant_type }: TokenInput): void {
  if (grant_type === 'client_credentials') return
  throw new TokenError(400, 'unsupported_grant_type: only client_credentials is supported')
}

/**
 * Ignores an unavailable store: these writes are not needed for the token, so that nobody is locked
 * out by them.
 */
async function tryWrite(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}

interface Client {
  readonly account: ServiceAccountRecord
  readonly secret: StoredSecret
  /** The hash of the secret with the current key. */
  readonly hash: string
  /** Whether the stored hash was made with an earlier key. */
  readonly isOld: boolean
}

async function findClient(
  call: Call,
  { client_id = '', client_secret = '' }: TokenInput,
): Promise<Client | null> {
  const account = await call.store.records.get('serviceAccount', client_id)
  const found =
    (await findSecret(call, account, client_secret)) ?? (await findUnencoded(call, account, client_secret))
  if (!account?.enabled || !found || (account.expiresAt ?? Infinity) <= call.now) return null
  return { account, ...found, isOld: found.secret.hash !== found.hash }
}

async function findSecret(
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

/**
 * curl and others do not form-encode a secret (RFC 6749 §2.3.1), so that its plus signs arrive as
 * spaces.
 */
async function findUnencoded(call: Call, account: ServiceAccountRecord | null, text: string) {
  return text.includes(' ') ? findSecret(call, account, text.replaceAll(' ', '+')) : null
}

/** Stores the hash with the current key, so that this secret no longer needs the earlier key. */
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

/** Failures per minute, by address and client id (TRUST 4.2). */
const failuresAllowed = 10
/**
 * Failures per minute of one address for all client ids. Others behind the same address can
 * continue while one fails, but nobody can try many ids from it.
 */
const addressFailuresAllowed = 100
const windowMs = 60_000

/**
 * Rejects an address that failed too often. The count of a client id alone only turns the answer to
 * a wrong secret into 429, so that others cannot lock out an account. Errors: TokenError 429.
 */
async function requireNotBlocked(call: Call, clientId: string): Promise<void> {
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

/** Counts a failure and returns the error to answer with: 401 `invalid_client`, or 429. */
async function countFailure(call: Call, clientId: string): Promise<TokenError> {
  const { address } = call.origin
  // Somebody may send a secret as an id by mistake, so only its hash is stored.
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
