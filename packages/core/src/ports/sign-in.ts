import type { JWTVerifyGetKey } from 'jose'

/** A person who signed in at an identity provider. */
export interface SignedIn {
  /** An email address that the provider has verified. */
  readonly email: string
  readonly name: string
}

/** The data with which a provider redirects the browser back. */
export interface SignInAnswer {
  /** The complete URL, including the parameters that the provider added. */
  readonly url: string
  readonly state: string
  /** The `stored` value that `begin` returned. */
  readonly stored: string
}

/** An identity provider; the protocol is OpenID Connect. */
export interface SignIn {
  /** The roles of a user who signs in for the first time; null: only existing users can sign in. */
  readonly newUserRoles: readonly string[] | null
  /**
   * The URL to redirect the browser to, and a value to store until it returns. Errors: throws when
   * the provider cannot be reached.
   */
  begin(flow: { readonly redirectUri: string; readonly state: string }): Promise<{
    readonly location: string
    readonly stored: string
  }>
  /**
   * The person who signed in. Errors: throws when the provider refused, or its answer cannot be
   * trusted.
   */
  finish(answer: SignInAnswer): Promise<SignedIn>
}

/** An external issuer whose tokens are accepted for our users, matched by email address. */
export interface TrustedIssuer {
  readonly issuer: string
  /** The audience that its tokens must name. */
  readonly audience: string
  /** Resolves its public keys. */
  readonly keys: JWTVerifyGetKey
}
