import type * as openidClient from 'openid-client'
import type { ClientAuth, Configuration } from 'openid-client'
import { isSafe } from './issuer.ts'

/** Whom an issuer knows. */
export interface Client {
  readonly issuer: URL
  readonly clientId: string
  /** Undefined: a public client, which PKCE protects. */
  readonly clientSecret?: string | undefined
}

// Seconds for each answer of an issuer: somebody waits for it before a browser.
const timeout = 10

/**
 * What an issuer says of itself in its discovery document. Loads the library: a start without OpenID Connect pays nothing for it.
 * Errors: throws when the issuer cannot be reached or is another than was asked for.
 */
export async function discover({ issuer, clientId, clientSecret }: Client): Promise<Configuration> {
  const library = await import('openid-client')
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = library
  const authentication =
    clientSecret === undefined ? library.None() : secretAuthentication(library, clientSecret)
  const isLocal = issuer.protocol === 'http:'
  const configuration = await discovery(issuer, clientId, undefined, authentication, {
    timeout,
    // An id token that came over TLS from the issuer needs no signature (OpenID Connect Core 1.0 §3.1.3.7); it is checked all the same.
    execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
  })
  const given = configuration.serverMetadata().issuer
  // The library lets some issuers stand for many, each of which says itself whose addresses it proves.
  if (new URL(given).href !== issuer.href)
    throw new Error(`The discovery document of ${issuer.href} is of ${given}.`)
  return configuration
}

/** Where an issuer keeps its public keys. Errors: throws when it names no such place, or one that cannot be trusted. */
export function keysAddress(configuration: Configuration): URL {
  const { issuer, jwks_uri: address = '' } = configuration.serverMetadata()
  const url = URL.canParse(address) ? new URL(address) : null
  if (url && isSafe(url)) return url
  throw new Error(`The discovery document of ${issuer} names no keys: jwks_uri "${address}".`)
}

// `client_secret_basic` is what an issuer takes that does not say (RFC 8414 §2).
function secretAuthentication(library: typeof openidClient, secret: string): ClientAuth {
  const basic = library.ClientSecretBasic(secret)
  const post = library.ClientSecretPost(secret)
  return (issuer, ...request) => {
    const methods = issuer.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? basic : post
    authenticate(issuer, ...request)
  }
}
