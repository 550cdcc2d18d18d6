import type { SignIn, SignInAnswer } from '@quire/core/ports'
import type { Configuration } from 'openid-client'
import { discover } from './discover.ts'
import { requireIssuer } from './issuer.ts'
import { once } from '../once.ts'
import { provedPerson, type Claims } from './proved-person.ts'

/** An OpenID Connect provider, and this service as its client. */
export interface OidcOptions {
  /**
   * The issuer exactly as the provider writes it, without `/.well-known/…`; https, or http on this
   * machine.
   */
  readonly issuer: string
  readonly clientId: string
  /** Default: none, for a public client. */
  readonly clientSecret?: string | undefined
  /**
   * The roles, by id or name, of users who are created on their first sign-in. Default: only
   * existing users can sign in.
   */
  readonly newUserRoles?: readonly string[] | undefined
  /**
   * Accepts email addresses that the provider does not report as verified or unverified. Only for a
   * provider that assigns the addresses itself: with any other provider, anybody could sign in as
   * anybody else. Default: false.
   */
  readonly trustEmail?: boolean
}

/** Stored until the browser returns from the provider. */
interface StoredSignIn {
  readonly nonce: string
  readonly verifier: string
}

/**
 * Signs users in at an OpenID Connect provider: code flow with PKCE (S256), state and nonce. The
 * provider is discovered on the first sign-in, and again after a failure.
 * Errors: OperatorError for an issuer that is not an https address.
 * Source: OpenID Connect Core 1.0 §3.1, RFC 7636, RFC 9207, RFC 9700.
 */
export function oidcSignIn(options: OidcOptions): SignIn {
  const { clientId, clientSecret, newUserRoles = null, trustEmail = false } = options
  const issuer = requireIssuer(options.issuer)
  const configured = once(() => discover({ issuer, clientId, clientSecret }))
  return {
    newUserRoles,
    begin: async (flow) => begin(await configured(), flow),
    finish: async (answer) => {
      const claims = await claimsOf(await configured(), answer)
      return provedPerson(claims, { trustEmail })
    },
  }
}

async function begin(
  configuration: Configuration,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string },
): Promise<{ location: string; stored: string }> {
  const library = await import('openid-client')
  const stored: StoredSignIn = { nonce: library.randomNonce(), verifier: library.randomPKCECodeVerifier() }
  const location = library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: await library.calculatePKCECodeChallenge(stored.verifier),
    code_challenge_method: 'S256',
    state,
    nonce: stored.nonce,
  })
  return { location: location.href, stored: JSON.stringify(stored) }
}

/**
 * The claims about the user who came back. They are in the id token, or in the answer of the
 * userinfo endpoint when the token does not say whether the address is verified.
 */
async function claimsOf(configuration: Configuration, { url, state, stored }: SignInAnswer): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const { nonce, verifier }: StoredSignIn = JSON.parse(stored)
  const tokens = await authorizationCodeGrant(configuration, new URL(url), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('The provider returned no id token.')
  const isGiven = claims['email_verified'] !== undefined
  if (isGiven || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const reported = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
  return reported.email === undefined ? claims : reported
}
