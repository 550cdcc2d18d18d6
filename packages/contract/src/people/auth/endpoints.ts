import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { EffectivePermissions, exampleEffective, explainInput } from './permissions.ts'
import { sessions } from './sessions.ts'

/** The token response (specification 2.2). */
export const TokenResponse = z
  .object({
    access_token: z.string().describe('A JWT'),
    expires_in: z.number().describe('Seconds of validity: 3600'),
    token_type: z.literal('Bearer'),
  })
  .meta({ id: 'TokenResponse', description: 'The token response (specification 2.2)' })

export const auth = {
  token: endpoint({
    binding: 'POST /oauth2/token',
    summary: 'Get an access token (OAuth2 client credentials)',
    description:
      'Send the id and secret of a service account in the form or with HTTP Basic. Errors are `{ error }` (specification 7.2): ' +
      '400 for another grant type, 401 `invalid_client` for an unknown id or a wrong secret. Other parameters are ignored (RFC 6749 §3.2).',
    permission: 'public',
    body: 'form',
    bodyBytes: limits.tokenBodyBytes,
    input: z.looseObject({
      grant_type: z.string().max(100).optional().describe('`client_credentials`'),
      client_id: z.string().max(limits.tokenBodyBytes).optional().describe('The id of the service account'),
      client_secret: z
        .string()
        .max(limits.tokenBodyBytes)
        .optional()
        .describe('The secret of the service account'),
    }),
    output: TokenResponse,
    errors: ['too_many_requests'],
    example: {
      input: {
        grant_type: 'client_credentials',
        client_id: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X',
        client_secret: '…',
      },
      output: { access_token: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln', expires_in: 3600, token_type: 'Bearer' },
    },
  }),
  keys: endpoint({
    binding: 'GET /oauth2/jwks',
    summary: 'Read the public keys that verify access tokens (RFC 7517)',
    permission: 'public',
    input: z.strictObject({}),
    output: z.object({ keys: z.array(z.record(z.string(), z.string())) }),
    errors: [],
    example: {
      input: {},
      output: { keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: 'KEY_01', x: '…' }] },
    },
  }),
  metadata: endpoint({
    binding: 'GET /.well-known/oauth-authorization-server',
    summary: 'Read the OAuth2 authorization server metadata (RFC 8414)',
    permission: 'public',
    input: z.strictObject({}),
    output: z.object({
      issuer: z.string(),
      token_endpoint: z.string(),
      jwks_uri: z.string(),
      grant_types_supported: z.array(z.string()),
      token_endpoint_auth_methods_supported: z.array(z.string()),
      response_types_supported: z.array(z.string()),
    }),
    errors: [],
    example: {
      input: {},
      output: {
        issuer: 'http://127.0.0.1:3000',
        token_endpoint: 'http://127.0.0.1:3000/oauth2/token',
        jwks_uri: 'http://127.0.0.1:3000/oauth2/jwks',
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        response_types_supported: [],
      },
    },
  }),
  myPermissions: endpoint({
    binding: 'GET /api/security/me/permissions',
    summary: 'Read your effective permissions, and explain one of them',
    permission: 'authenticated',
    input: z.strictObject(explainInput),
    output: EffectivePermissions,
    errors: [],
    example: { input: { explain: 'items.read' }, output: exampleEffective },
  }),
  ...sessions,
}
