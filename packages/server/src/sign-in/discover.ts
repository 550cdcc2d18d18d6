import type * as openidClient from 'openid-client'
import type { ClientAuth, Configuration } from 'openid-client'
import { isSafe } from './issuer.ts'

/** This service as a client of an issuer. */
export interface Client {
  readonly issuer: URL
  readonly clientId: string
  /** Undefined for a public client, which is protected by PKCE. */
  readonly clientSecret?: string | undefined
}

// Seconds for each response of an issuer: a person waits for it in a browser.
const timeout = 10

/**
 * Reads the discovery document of an issuer. Loads the library on first use: a server without
 * OpenID Connect never loads it.
 * Errors: throws when the issuer cannot be reached, or the document names another issuer.
 */
export async function discover({ issuer, clientId, clientSecret }: Client): Promise<Configuration> {
  const library = await import('openid-client')
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = library
  const authentication =
    clientSecret === undefined ? library.None() : secretAuthentication(library, clientSecret)
  const isLocal = issuer.protocol === 'http:'
  const configuration = await discovery(issuer, clientId, undefined, authentication, {
    timeout,
    // An id token received over TLS from the issuer needs no signature check (OpenID Connect Core
    // 1.0 §3.1.3.7). It is checked all the same.
    execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
  })
  const given = configuration.serverMetadata().issuer
  // The library accepts some multi-tenant issuers, whose tenants each decide which addresses they
  // confirm.
  if (new URL(given).href !== issuer.href)
    throw new Error(`The discovery document of ${issuer.href} names another issuer: ${given}.`)
  return configuration
}

/**
 * The address of an issuer's public keys. Errors: throws when it names none, or one that is not
 * safe.
 */
export function keysAddress(configuration: Configuration): URL {
  const { issuer, jwks_uri: address = '' } = configuration.serverMetadata()
  const url = URL.canParse(address) ? new URL(address) : null
  if (url && isSafe(url)) return url
  throw new Error(`The discovery document of ${issuer} has no usable address of keys: jwks_uri "${address}".`)
}

// `client_secret_basic` is the default of an issuer that names no method (RFC 8414 §2).
function secretAuthentication(library: typeof openidClient, secret: string): ClientAuth {
  const basic = library.ClientSecretBasic(secret)
  const post = library.ClientSecretPost(secret)
  return (issuer, ...request) => {
    const methods = issuer.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? basic : post
    authenticate(issuer, ...request)
  }
}
