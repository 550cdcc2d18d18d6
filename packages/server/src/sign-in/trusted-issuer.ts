import type { TrustedIssuer } from '@quire/core/ports'
import { createRemoteJWKSet } from 'jose'
import { discover, keysAddress } from './discover.ts'
import { requireIssuer } from './issuer.ts'
import { once } from '../once.ts'

/** An issuer whose tokens are accepted, and the audience that they must name. */
export interface TrustedIssuerOptions {
  /** Exactly as in `iss` of its tokens, including a trailing slash. */
  readonly issuer: string
  readonly audience: string
}

/**
 * An issuer whose keys are found through its discovery document, which is read on its first token
 * and again after a failure. The keys are cached for ten minutes, and read again for a token whose
 * key is not among them. While the keys are unavailable, tokens of the issuer are rejected.
 * Errors: OperatorError for an issuer that is not an https address.
 * Source: OpenID Connect Discovery 1.0 §4, RFC 7517.
 */
export function trustedIssuer({ issuer, audience }: TrustedIssuerOptions): TrustedIssuer {
  const url = requireIssuer(issuer)
  const keySet = once(async () =>
    createRemoteJWKSet(keysAddress(await discover({ issuer: url, clientId: audience }))),
  )
  return { issuer, audience, keys: async (header, token) => (await keySet())(header, token) }
}
