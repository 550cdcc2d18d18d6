import { limits, QuireError } from '@quire/contract'
import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { AccountPrincipal, Principal } from '../../engine/access/identity.ts'
import type { Environment } from '../../engine/environment.ts'
import type { Memo } from '../../engine/shared.ts'
import { readerPurpose, type Reader } from './issue.ts'
import { algorithm, verifyingKeys } from './keys.ts'
import { isSessionOpen } from './sessions.ts'
import type { TrustedIssuer } from '../../ports/index.ts'

interface VerifiedToken {
  readonly principal: AccountPrincipal
  /** Unix ms until which the token need not be verified again. */
  readonly until: number
  /** The key that the token was verified with; null for a token of another issuer. */
  readonly keyId: string | null
  /** For a token of another issuer: when it was issued (Unix ms). */
  readonly issued?: number
}

// A token of another issuer is verified again after ten minutes, so that a key which the issuer
// withdrew is not trusted for longer.
const foreignMs = 10 * 60_000

// Longer tokens are rejected without parsing (TRUST S07). Tokens of this service have about 400
// characters.
const longestToken = 4096
// Tokens that are cached: each is needed for every request of its holder.
const cachedTokens = 10_000

/**
 * Returns a function that authenticates a bearer token. A token is verified once and cached until
 * it expires, because verification costs as much as the rest of a read. Anything that can change in
 * between (the account, its roles, the signing keys) is checked with every call. Errors:
 * `unauthorized` for anything but a valid token of this service or a trusted issuer (RFC 8725;
 * specification 5.2.1).
 */
export function createAuthenticator(running: {
  environment: Environment
  memo: Memo
}): (token: string) => Promise<Principal> {
  const cache = new LRUCache<string, VerifiedToken>({ max: cachedTokens })
  return async (token) => {
    const now = running.environment.clock.now()
    const cached = cache.get(token)
    const verified = cached && cached.until > now ? cached : await verify(running, token)
    if (verified !== cached) cache.set(token, verified)
    await requireStillValid(running, verified, now)
    return verified.principal
  }
}

/**
 * Checks the key, the session and the user of a verified token, which may have changed since.
 * Errors: `unauthorized`.
 */
async function requireStillValid(
  running: { environment: Environment; memo: Memo },
  { principal, keyId, issued }: VerifiedToken,
  now: number,
): Promise<void> {
  const { store } = running.environment
  if (keyId !== null && !(await verifyingKeys(running)).has(keyId)) throw new QuireError('unauthorized')
  if (principal.session !== undefined && !(await isSessionOpen(store, principal.session, now)))
    throw new QuireError('unauthorized')
  if (issued === undefined) return
  const user = await store.records.get('user', principal.id)
  if (!user || user.epoch > issued) throw new QuireError('unauthorized')
}

async function verify(
  running: { environment: Environment; memo: Memo },
  token: string,
): Promise<VerifiedToken> {
  if (token.length > longestToken) throw new QuireError('unauthorized')
  const { trustedIssuers, clock } = running.environment
  const foreign = trustedIssuers.find(({ issuer }) => issuer === issuerOf(token))
  if (!foreign) return verifyOwn(running, token)
  const now = clock.now()
  const { principal, expires, issued } = await verifyForeign(foreign, token, now)
  return { principal, until: Math.min(expires, now + foreignMs), keyId: null, issued }
}

/** The issuer that a token claims, before it is verified. */
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
): Promise<VerifiedToken> {
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
    return { ...(await ownToken(running.environment, payload)), keyId }
  } catch (error) {
    throw new QuireError('unauthorized', undefined, { cause: error })
  }
}

/**
 * Reads the claims of a token of this service. Without a session, and for reading, it may be valid for
 * at most an hour. Errors: `unauthorized`, and any other for a reader that was not sealed here.
 */
async function ownToken(
  { secrets }: Environment,
  payload: JWTPayload,
): Promise<Pick<VerifiedToken, 'principal' | 'until'>> {
  const { sub = '', typ, epoch, sid, on, exp = 0, iat = 0 } = payload
  if (typeof epoch !== 'number') throw new QuireError('unauthorized')
  const expires = exp * 1000
  const requireLifetime = (most: number) => {
    if (exp - iat > most) throw new QuireError('unauthorized')
  }
  // A type of its own, so that a server which does not know reading tokens refuses them.
  if (typ === 'reads' && typeof on === 'string') {
    requireLifetime(limits.tokenLifetime)
    const reader: Reader = JSON.parse(await secrets.open(sub, readerPurpose))
    return { principal: { ...reader, epoch, expires, readsIn: on }, until: expires }
  }
  if (typ !== 'service' && typ !== 'user') throw new QuireError('unauthorized')
  const isSession = typeof sid === 'string'
  requireLifetime(isSession ? limits.sessionLifetime : limits.tokenLifetime)
  return {
    principal: { kind: typ, id: sub, epoch, expires, ...(isSession && { session: sid }) },
    until: expires,
  }
}

// Only asymmetric algorithms: with a shared secret, anyone who can verify a token can also sign
// one.
const algorithms = ['EdDSA', 'ES256', 'ES384', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']

// The maximum age of a token of another issuer: a day, whatever its expiry.
const longestSeconds = 24 * 60 * 60

/** The claims of a token of another issuer. */
interface ForeignToken {
  readonly principal: AccountPrincipal
  /** Unix ms. */
  readonly expires: number
  /** The latest Unix ms at which it can have been issued. */
  readonly issued: number
}

/**
 * Verifies a token of a trusted issuer. Its verified email address identifies the user. Errors:
 * `unauthorized`.
 */
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
    // The lower case of the Kelvin sign is a plain k, so that two addresses could become the same
    // one.
    if (email.normalize('NFKC') !== email) throw new QuireError('unauthorized')
    const expires = exp * 1000
    // It was issued at some time within that second.
    return {
      principal: { kind: 'user', id: email.toLowerCase(), expires },
      expires,
      issued: (iat + 1) * 1000,
    }
  } catch (error) {
    throw new QuireError('unauthorized', undefined, { cause: error })
  }
}
