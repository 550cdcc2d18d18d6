import { limits, QuireError } from '@quire/contract'
import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { AccountPrincipal, Principal } from '../../engine/access/identity.ts'
import type { Environment } from '../../engine/environment.ts'
import type { Memo } from '../../engine/shared.ts'
import { algorithm, verifyingKeys } from './keys.ts'
import { isOpen } from './sessions.ts'
import type { TrustedIssuer } from '../../ports/index.ts'

/** A verified token: who, and until when it need not be looked at again (Unix ms). */
interface Verified {
  readonly principal: AccountPrincipal
  readonly until: number
  /** The key that it was verified by; null: one of somebody else's. */
  readonly keyId: string | null
  /** Of somebody else's: when it was issued (Unix ms). */
  readonly issued?: number
}

// Keys of others are fetched anew after ten minutes: one that they have withdrawn is not believed for longer.
const foreignMs = 10 * 60_000

// Longer texts are refused unread (TRUST S07). Ours have about 400 characters.
const longestToken = 4096
// Remembered tokens: each is asked for again with every request of its holder.
const rememberedTokens = 10_000

/**
 * A function that says who a bearer token stands for. A token is verified once and remembered until it expires: verifying costs
 * as much as the rest of a read. What may change meanwhile (the account, its roles, the signing keys) is looked at with each call.
 * Errors: `unauthorized` for everything that is not a valid token of ours (RFC 8725; specification 5.2.1).
 */
export function createAuthenticator(running: {
  environment: Environment
  memo: Memo
}): (token: string) => Promise<Principal> {
  const remembered = new LRUCache<string, Verified>({ max: rememberedTokens })
  return async (token) => {
    const now = running.environment.clock.now()
    const known = remembered.get(token)
    const verified = known && known.until > now ? known : await verify(running, token)
    if (verified !== known) remembered.set(token, verified)
    await requireStanding(running, verified, now)
    return verified.principal
  }
}

/** What may have changed since a token was verified: its key, its session, its user. Errors: `unauthorized`. */
async function requireStanding(
  running: { environment: Environment; memo: Memo },
  { principal, keyId, issued }: Verified,
  now: number,
): Promise<void> {
  const { store } = running.environment
  if (keyId !== null && !(await verifyingKeys(running)).has(keyId)) throw new QuireError('unauthorized')
  if (principal.session !== undefined && !(await isOpen(store, principal.session, now)))
    throw new QuireError('unauthorized')
  if (issued === undefined) return
  const user = await store.records.get('user', principal.id)
  if (!user || user.epoch > issued) throw new QuireError('unauthorized')
}

async function verify(running: { environment: Environment; memo: Memo }, token: string): Promise<Verified> {
  if (token.length > longestToken) throw new QuireError('unauthorized')
  const { trustedIssuers, clock } = running.environment
  const foreign = trustedIssuers.find(({ issuer }) => issuer === issuerOf(token))
  if (!foreign) return verifyOwn(running, token)
  const now = clock.now()
  const { principal, expires, issued } = await verifyForeign(foreign, token, now)
  return { principal, until: Math.min(expires, now + foreignMs), keyId: null, issued }
}

/** Whose token it claims to be; nothing is believed yet. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

async function verifyOwn(
  running: { environment: Environment; memo: Memo },
  token: string,
): Promise<Verified> {
  const keys = await verifyingKeys(running)
  const { baseUrl, clock } = running.environment
  try {
    const keyId = decodeProtectedHeader(token).kid ?? ''
    const key = keys.get(keyId)
    if (!key) throw new QuireError('unauthorized')
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer: baseUrl,
      audience: baseUrl,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'sub', 'jti'],
      maxTokenAge: limits.sessionLifetime,
      clockTolerance: 5,
      currentDate: new Date(clock.now()),
    })
    return { ...ownToken(payload), keyId }
  } catch (error) {
    throw new QuireError('unauthorized', undefined, { cause: error })
  }
}

/** What a token of ours says. One that is of no session lives an hour at most. */
function ownToken(payload: JWTPayload): Pick<Verified, 'principal' | 'until'> {
  const { sub = '', typ, epoch, sid, exp = 0, iat = 0 } = payload
  if ((typ !== 'service' && typ !== 'user') || typeof epoch !== 'number') throw new QuireError('unauthorized')
  const isSession = typeof sid === 'string'
  if (exp - iat > (isSession ? limits.sessionLifetime : limits.tokenLifetime))
    throw new QuireError('unauthorized')
  const expires = exp * 1000
  return {
    principal: { kind: typ, id: sub, epoch, expires, ...(isSession && { session: sid }) },
    until: expires,
  }
}

// Those of public keys: what is signed with a shared secret could be signed by whoever checks it.
const algorithms = ['EdDSA', 'ES256', 'ES384', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']

// Longer than a day nobody's token lives, whatever it says.
const longestSeconds = 24 * 60 * 60

/** What a token of somebody else's says. */
interface ForeignToken {
  readonly principal: AccountPrincipal
  /** Unix ms. */
  readonly expires: number
  /** The last Unix ms at which it can have been issued. */
  readonly issued: number
}

/** The user that a token of a trusted issuer stands for, by its proved address. Errors: `unauthorized`. */
async function verifyForeign(
  { issuer, audience, keys }: TrustedIssuer,
  token: string,
  now: number,
): Promise<ForeignToken> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub'],
      maxTokenAge: longestSeconds,
      clockTolerance: 5,
      currentDate: new Date(now),
    })
    const { email, email_verified: isVerified, exp = 0, iat = 0 } = payload
    if (typeof email !== 'string' || isVerified !== true) throw new QuireError('unauthorized')
    // In lower case the Kelvin sign is a plain k: such letters would make one address of two.
    if (email.normalize('NFKC') !== email) throw new QuireError('unauthorized')
    const expires = exp * 1000
    // It was issued within that second.
    return {
      principal: { kind: 'user', id: email.toLowerCase(), expires },
      expires,
      issued: (iat + 1) * 1000,
    }
  } catch (error) {
    throw new QuireError('unauthorized', undefined, { cause: error })
  }
}
