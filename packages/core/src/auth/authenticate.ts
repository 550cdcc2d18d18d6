import { limits, QuireError } from '@quire/contract'
import { decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Who } from '../access/identity.ts'
import type { Environment } from '../call/environment.ts'
import type { Memo } from '../call/memo.ts'
import { algorithm, verifyingKeys } from './keys.ts'

/** A verified token: who, until when (Unix ms), by which key. */
interface Verified {
  readonly who: Who
  readonly expires: number
  readonly keyId: string
}

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
}): (token: string) => Promise<Who> {
  const remembered = new LRUCache<string, Verified>({ max: rememberedTokens })
  return async (token) => {
    const now = running.environment.clock.now()
    const known = remembered.get(token)
    const verified = known && known.expires > now ? known : await verify(running, token)
    if (verified !== known) remembered.set(token, verified)
    const keys = await verifyingKeys(running)
    if (!keys.has(verified.keyId)) throw new QuireError('unauthorized')
    return verified.who
  }
}

async function verify(running: { environment: Environment; memo: Memo }, token: string): Promise<Verified> {
  if (token.length > longestToken) throw new QuireError('unauthorized')
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
      maxTokenAge: limits.tokenLifetime,
      clockTolerance: 5,
      currentDate: new Date(clock.now()),
    })
    return { who: whoOf(payload), expires: (payload.exp ?? 0) * 1000, keyId }
  } catch (error) {
    throw new QuireError('unauthorized', undefined, { cause: error })
  }
}

function whoOf({ sub = '', typ, epoch }: JWTPayload): Who {
  if ((typ !== 'service' && typ !== 'user') || typeof epoch !== 'number') throw new QuireError('unauthorized')
  return { kind: typ, id: sub, epoch }
}
