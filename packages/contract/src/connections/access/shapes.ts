import { z } from 'zod'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { proxiedMethods } from '../../proxied-headers.ts'

/** Bounds of an access configuration: characters of a secret and of a path, entries of its lists, what is waited for and taken. */
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

/** How one authenticates at an upstream, as a workflow connection does at its engine (specification 2.15). */
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
  .describe(
    'How one authenticates at the upstream, in place of `apiKey`. What is secret of it is never shown',
  )

/** How one authenticates at somebody else's service. */
export type UpstreamAuth = z.output<typeof UpstreamAuth>

/** The same as it is shown. */
export const RedactedUpstreamAuth = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('bearer'), token: visible }),
    z.object({ kind: z.literal('basic'), username: userName, password: visible }),
    z.object({ kind: z.literal('api_key'), headerName, key: visible }),
  ])
  .describe('How one authenticates at the upstream; what is secret of it is `***`')

/** A path as it is sent, or a glob of such. What would lead out of a prefix once it is decoded is none (TRUST S28). */
const PathGlob = z
  .string()
  .max(most.path)
  .regex(/^\/[^\s\\%?#]*$/, 'must begin with / and hold no blank, \\, %, ? or #')
  .refine((path) => !path.split('/').some((part) => part === '.' || part === '..'), 'cannot hold . or ..')
  .describe('A path below `baseUrl`: `*` stands for anything within a part of it, `**` for any parts')

/** What we know of an access configuration beside its name and type; each may be left out. */
const known = {
  baseUrl: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Where the upstream is: http or https, on a public address, without credentials, query or fragment',
    ),
  allowedMethods: z
    .array(z.enum(proxiedMethods))
    .max(proxiedMethods.length)
    .optional()
    .describe('Methods of requests that are passed on. Without it: none'),
  allowedPaths: z
    .array(PathGlob)
    .max(most.paths)
    .optional()
    .describe('Paths of requests that are passed on. Without it: none'),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The language model that tasks ask where they name none'),
  timeoutMs: z
    .int()
    .min(100)
    .max(most.timeoutMs)
    .optional()
    .describe('Milliseconds that the upstream has for an answer'),
  maxBytes: z
    .int()
    .min(1)
    .max(most.bytes)
    .optional()
    .describe('Bytes of a body that are passed on, either way'),
  budget: z
    .strictObject({
      requests: z.int().min(1).optional().describe('Requests'),
      tokens: z.int().min(1).optional().describe('Tokens of a language model'),
      per: z.enum(['minute', 'hour', 'day', 'month']).describe('In which time'),
    })
    .optional()
    .describe('What one caller may use'),
}

/** What access configurations are made of (specification 4.4). */
export const NewAccessConfiguration = z
  .object({
    name: Name,
    type: z.string().trim().min(1).max(100).describe('What the upstream is: `openai`, `http`, `s3`…'),
    ...known,
    apiKey: secret
      .optional()
      .describe('The key of the upstream, sent as a bearer token. Never shown: answers have `***`'),
    auth: UpstreamAuth.optional(),
  })
  .catchall(z.json())

/** An access configuration (specification 2.17): `id`, `name`, `type`, and whatever its provider needs. */
export const AccessConfiguration = z
  .object({
    id: Id,
    name: Name,
    type: z.string().describe('What the upstream is: `openai`, `http`, `s3`…'),
    ...known,
    apiKey: visible.optional().describe('`***` where there is one'),
    auth: RedactedUpstreamAuth.optional(),
    createdDate: UnixMs,
  })
  .catchall(z.json())
  .meta({
    id: 'AccessConfiguration',
    description:
      'An access configuration (specification 2.17): an upstream, and what is needed to use it. Members that its provider needs stand beside those below; secrets are `***`',
  })

/** An access configuration as answered. */
export type AccessConfiguration = z.output<typeof AccessConfiguration>
