import { z } from 'zod'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { proxiedMethods } from '../../proxied-headers.ts'

/**
 * Limits of an access configuration: characters of a secret and of a path, entries of its lists,
 * milliseconds, bytes.
 */
const most = {
  secret: 8192,
  path: 500,
  paths: 100,
  timeoutMs: 10 * 60 * 1000,
  bytes: 100 * 1024 * 1024,
} as const

const secret = z.string().min(1).max(most.secret)
const visible = z.literal('***')
const userName = z.string().min(1).max(most.secret).describe('The user name')
const headerName = z.string().min(1).max(100)

/**
 * How to authenticate to an upstream, also used by workflow connections for their engine
 * (specification 2.15).
 */
export const UpstreamAuth = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('bearer'), token: secret }),
    z.strictObject({ kind: z.literal('basic'), username: userName, password: secret }),
    z.strictObject({
      kind: z.literal('api_key'),
      headerName: headerName.default('X-API-Key').describe('The header that the key is sent in'),
      key: secret,
    }),
  ])
  .describe('How to authenticate to the upstream, instead of `apiKey`. Its secrets are never shown')

/** How to authenticate to an upstream. */
export type UpstreamAuth = z.output<typeof UpstreamAuth>

/** `UpstreamAuth` with its secrets redacted, as returned. */
export const RedactedUpstreamAuth = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('bearer'), token: visible }),
    z.object({ kind: z.literal('basic'), username: userName, password: visible }),
    z.object({ kind: z.literal('api_key'), headerName, key: visible }),
  ])
  .describe('How to authenticate to the upstream; its secrets are `***`')

/**
 * A path, or a glob that matches paths. Paths that could leave a prefix once they are decoded are
 * rejected (TRUST S28).
 */
const PathGlob = z
  .string()
  .max(most.path)
  .regex(/^\/[^\s\\%?#]*$/, 'must begin with / and contain no space, \\, %, ? or #')
  .refine(
    (path) => !path.split('/').some((part) => part === '.' || part === '..'),
    'must not contain . or ..',
  )
  .describe('A path below `baseUrl`: `*` matches anything within a segment, `**` any segments')

/** The optional members of an access configuration that Quire itself uses. */
const known = {
  baseUrl: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Base URL of the upstream: http or https, on a public address, without credentials, query or fragment',
    ),
  allowedMethods: z
    .array(z.enum(proxiedMethods))
    .max(proxiedMethods.length)
    .optional()
    .describe('Methods of requests that may be proxied. Default: none'),
  allowedPaths: z
    .array(PathGlob)
    .max(most.paths)
    .optional()
    .describe('Paths of requests that may be proxied. Default: none'),
  model: z.string().min(1).max(200).optional().describe('The default language model of tasks'),
  timeoutMs: z
    .int()
    .min(100)
    .max(most.timeoutMs)
    .optional()
    .describe('Milliseconds in which the upstream must respond'),
  maxBytes: z
    .int()
    .min(1)
    .max(most.bytes)
    .optional()
    .describe('Maximum size in bytes of a proxied body, in either direction'),
  budget: z
    .strictObject({
      requests: z.int().min(1).optional().describe('Number of requests'),
      tokens: z.int().min(1).optional().describe('Number of tokens of a language model'),
      per: z.enum(['minute', 'hour', 'day', 'month']).describe('Period of the budget'),
    })
    .optional()
    .describe('Budget of each caller'),
}

/** The input of a new access configuration (specification 4.4). */
export const NewAccessConfiguration = z
  .object({
    name: Name,
    type: z.string().trim().min(1).max(100).describe('Type of the upstream: `openai`, `http`, `s3`…'),
    ...known,
    apiKey: secret
      .optional()
      .describe('API key of the upstream, sent as a bearer token. Never shown: responses have `***`'),
    auth: UpstreamAuth.optional(),
  })
  .catchall(z.json())

/**
 * An access configuration (specification 2.17): `id`, `name`, `type`, and the members that its
 * provider needs.
 */
export const AccessConfiguration = z
  .object({
    id: Id,
    name: Name,
    type: z.string().describe('Type of the upstream: `openai`, `http`, `s3`…'),
    ...known,
    apiKey: visible.optional().describe('`***` if there is one'),
    auth: RedactedUpstreamAuth.optional(),
    createdDate: UnixMs,
  })
  .catchall(z.json())
  .meta({
    id: 'AccessConfiguration',
    description:
      'An access configuration (specification 2.17): an upstream and its credentials. It can have additional members that its provider needs; secrets are `***`',
  })

/** An access configuration, as returned. */
export type AccessConfiguration = z.output<typeof AccessConfiguration>
