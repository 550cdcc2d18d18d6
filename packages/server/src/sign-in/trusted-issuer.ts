import type { TrustedIssuer } from '@quire/core/ports'
import { createRemoteJWKSet } from 'jose'
import { discover, keysAddress } from './discover.ts'
import { requireIssuer } from './issuer.ts'
import { once } from '../once.ts'

/** Whose tokens are taken, and what they must be made for. */
export interface TrustedIssuerOptions {
  /** As it stands in `iss` of its tokens, to the last slash. */
  readonly issuer: string
  readonly audience: string
}

/**
 * An issuer whose keys are where its discovery document says: looked up with its first token, and again after a failure; the keys are kept
 * for ten minutes and read anew for one that is not among them. While they cannot be had its tokens are refused. Errors: OperatorError for
 * an issuer that is no https address. Source: OpenID Connect Discovery 1.0 §4, RFC 7517.
 */
export function trustedIssuer({ issuer, audience }: TrustedIssuerOptions): TrustedIssuer {
  const url = requireIssuer(issuer)
  const keySet = once(async () =>
    createRemoteJWKSet(keysAddress(await discover({ issuer: url, clientId: audience }))),
  )
  return { issuer, audience, keys: async (header, token) => (await keySet())(header, token) }
}
