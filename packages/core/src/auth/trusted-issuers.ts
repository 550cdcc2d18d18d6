import { QuireError } from '@quire/contract'
import { jwtVerify } from 'jose'
import type { AccountWho } from '../access/identity.ts'
import type { TrustedIssuer } from '../ports/index.ts'

// Those of public keys: what is signed with a shared secret could be signed by whoever checks it.
const algorithms = ['EdDSA', 'ES256', 'ES384', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']

// Longer than a day nobody's token lives, whatever it says.
const longestSeconds = 24 * 60 * 60

/** What a token of somebody else's says. */
interface ForeignToken {
  readonly who: AccountWho
  /** Unix ms. */
  readonly expires: number
  /** The last Unix ms at which it can have been issued. */
  readonly issued: number
}

/** The user that a token of a trusted issuer stands for, by its proved address. Errors: `unauthorized`. */
export async function verifyForeign(
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
    return { who: { kind: 'user', id: email.toLowerCase(), expires }, expires, issued: (iat + 1) * 1000 }
  } catch (error) {
    throw new QuireError('unauthorized', undefined, { cause: error })
  }
}
