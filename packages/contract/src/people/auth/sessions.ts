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
  location: z.string().describe('Where to go; a browser that navigates is sent there (303)'),
})

const ofProvider = (what: string) => z.string().max(4096).optional().describe(what)

/** Sessions of browsers: the cookie `token` (specification 5.2.1). */
export const sessions = {
  openSession: endpoint({
    binding: 'POST /api/user/session',
    summary: 'Open a browser session with a bearer token',
    description:
      'Sets the cookie `token` (HttpOnly, SameSite=Lax, Secure on https). The session ends with the token that opened it, after 12 hours at most.',
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
    summary: 'Close the browser session that asks: its cookie is worth nothing any more',
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
      'At the identity provider (OpenID Connect, code flow with PKCE), when one is configured; or with the ticket of a one-time link. ' +
      'Called by a program (Accept without text/html) it answers where to go.',
    permission: 'public',
    input: z.strictObject({
      returnTo: z
        .string()
        .max(2048)
        .optional()
        .describe('A path of this service to go to afterwards; other addresses are refused'),
      ticket: z.string().max(limits.id).optional().describe('Of a one-time link'),
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
    summary: 'Where the identity provider sends a browser back to',
    permission: 'public',
    // Providers send members of their own along, which their answer may be checked with.
    input: z.looseObject({
      code: ofProvider('What the provider gives for a token'),
      state: ofProvider('Which sign-in this is'),
      iss: ofProvider('Who the provider is (RFC 9207)'),
      error: ofProvider('Why the provider refused'),
      error_description: ofProvider('The same for people'),
    }),
    output: Destination,
    answer: 'redirect',
    errors: ['not_found', 'unauthorized'],
    example: { input: { code: '…', state: '…' }, output: { location: '/api-docs' } },
  }),
}
