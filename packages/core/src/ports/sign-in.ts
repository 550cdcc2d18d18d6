import type { JWTVerifyGetKey } from 'jose'

/** Who signed in at an identity provider. */
export interface SignedIn {
  /** The address that the provider has proved to be theirs. */
  readonly email: string
  readonly name: string
}

/** What a provider sends a browser back with. */
export interface SignInAnswer {
  /** The whole address, with what the provider added to it. */
  readonly url: string
  readonly state: string
  /** What `begin` gave to keep. */
  readonly stored: string
}

/** An identity provider: OpenID Connect, by whoever speaks it. */
export interface SignIn {
  /** The roles that somebody gets who signs in for the first time; null: only users who were created before get in. */
  readonly newUserRoles: readonly string[] | null
  /** The address to send a browser to, and what to keep until it comes back. Errors: throws when the provider cannot be reached. */
  begin(flow: { readonly redirectUri: string; readonly state: string }): Promise<{
    readonly location: string
    readonly stored: string
  }>
  /** Who came back. Errors: throws when the provider says no, or its answer cannot be trusted. */
  finish(answer: SignInAnswer): Promise<SignedIn>
}

/** Somebody else whose tokens are taken for those of our users, by their address. */
export interface TrustedIssuer {
  readonly issuer: string
  /** What its tokens must be made for. */
  readonly audience: string
  /** Finds its public keys. */
  readonly keys: JWTVerifyGetKey
}
