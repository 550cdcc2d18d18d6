import { z } from 'zod'
import { UnixMs } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'

/** An open session, as its owner sees it. */
const Session = z.object({
  expiresAt: UnixMs.describe('When it ends'),
  identity: z.object({ kind: z.enum(['user', 'service']), id: z.string(), name: z.string() }),
})

const Destination = z.object({
  location: z.string().describe('URL to go to; a browser that navigates is redirected there (303)'),
})

const ofProvider = (what: string) => z.string().max(4096).optional().describe(what)

/** Sessions of browsers: the cookie `token` (specification 5.2.1). */
export const sessions = {
  openSession: endpoint({
    binding: 'POST /api/user/session',
    summary: 'Open a browser session with a bearer token',
    description:
      'Sets the cookie `token` (HttpOnly, SameSite=Lax, Secure on https). The session ends when the token that opened it expires, at the latest after 12 hours.',
    permission: 'authenticated',
    bodyBytes: limits.sessionBodyBytes,
    input: z.strictObject({}),
    output: Session,
    errors: ['invalid_state'],
    example: {
      input: {},
      output: {
        expiresAt: 1_790_003_600_000,
        identity: { kind: 'user', id: 'ada@example.org', name: 'Ada Lovelace' },
      },
    },
  }),
  closeSession: endpoint({
    binding: 'DELETE /api/user/session',
    summary: 'Close the current browser session and invalidate its cookie',
    permission: 'authenticated',
    bodyBytes: limits.sessionBodyBytes,
    input: z.strictObject({}),
    output: z.undefined(),
    success: 204,
    errors: [],
    example: { input: {} },
  }),
  login: endpoint({
    binding: 'GET /api/user/login',
    summary: 'Sign in',
    description:
      'Uses the identity provider (OpenID Connect, code flow with PKCE) if one is configured, or the ticket of a one-time link. ' +
      'A program (`Accept` without `text/html`) gets the URL to go to as JSON.',
    permission: 'public',
    input: z.strictObject({
      returnTo: z
        .string()
        .max(2048)
        .optional()
        .describe('Path of this service to go to afterwards; other URLs are rejected'),
      ticket: z.string().max(limits.id).optional().describe('Ticket of a one-time link'),
    }),
    output: Destination,
    answer: 'redirect',
    errors: ['not_found', 'unauthorized'],
    example: {
      input: { returnTo: '/api-docs' },
      output: { location: 'https://login.example.org/authorize?client_id=quire&…' },
    },
  }),
  callback: endpoint({
    binding: 'GET /api/user/login/callback',
    summary: 'Complete a sign-in: the identity provider redirects the browser here',
    permission: 'public',
    // Providers add parameters of their own, which may be needed to verify their response.
    input: z.looseObject({
      code: ofProvider('The authorization code of the provider'),
      state: ofProvider('The sign-in that this belongs to'),
      iss: ofProvider('The issuer (RFC 9207)'),
      error: ofProvider('The error code of the provider'),
      error_description: ofProvider('The error of the provider in words'),
    }),
    output: Destination,
    answer: 'redirect',
    errors: ['not_found', 'unauthorized'],
    example: { input: { code: '…', state: '…' }, output: { location: '/api-docs' } },
  }),
}
