import type { Contract, OutputOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { algorithm } from './keys.ts'

/** The public keys as a JSON Web Key Set (RFC 7517). */
export async function keys(call: Call): Promise<OutputOf<Contract['auth']['keys']>> {
  const records = await call.store.records.list('signingKey')
  return { keys: records.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, use: 'sig', alg: algorithm })) }
}

/** Authorization server metadata (RFC 8414), with addresses from the configuration, never from the request. */
export async function metadata(call: Call): Promise<OutputOf<Contract['auth']['metadata']>> {
  const { baseUrl } = call.environment
  return {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/oauth2/token`,
    jwks_uri: `${baseUrl}/oauth2/jwks`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    response_types_supported: [],
  }
}
