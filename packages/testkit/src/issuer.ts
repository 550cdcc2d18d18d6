import type { TrustedIssuer } from '@quire/core/ports'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** A token issuer for an engine under test to trust. */
export interface TestIssuer extends TrustedIssuer {
  /** A token for the user with this address, valid for an hour from `now` (Unix ms). */
  tokenFor(email: string, now: number): Promise<string>
}

/** Creates an issuer with its own keys. */
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
