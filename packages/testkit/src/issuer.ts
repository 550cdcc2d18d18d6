import type { TrustedIssuer } from '@quire/core/ports'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An issuer of tokens for users, to be trusted by an engine under test. */
export interface TestIssuer extends TrustedIssuer {
  /** A token for the user with this address, good for an hour from `now` (Unix ms) on. */
  tokenFor(email: string, now: number): Promise<string>
}

/** A new issuer with keys of its own. */
export async function testIssuer(): Promise<TestIssuer> {
  const issuer = 'https://login.quire.test'
  const audience = 'http://quire.test'
  const { privateKey, publicKey } = await generateKeyPair('EdDSA')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA' }] })
  return {
    issuer,
    audience,
    keys,
    tokenFor: (email, now) =>
      new SignJWT({ email, email_verified: true })
        .setProtectedHeader({ alg: 'EdDSA', kid: 'test' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(email)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor(now / 1000) + 3600)
        .sign(privateKey),
  }
}
