import { z } from 'zod'
import { FileIn } from '../../binary.ts'
import { Id, listInput, listOf } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { proxiedMethods, proxiedRequestHeaders } from '../../proxied-headers.ts'
import { ProxiedOutput } from '../../proxied.ts'
import { Integration } from './shapes.ts'

const exampleId = 'ACCS_01JB2QJ5H7K9M1N3P5R7T9V1X5'

/**
 * A path that could leave a prefix, here or when it is decoded once more, is rejected (TRUST S28).
 */
const Path = z
  .string()
  .max(limits.proxiedPath)
  .refine(
    isPassable,
    'must not contain an empty segment, `.`, `..`, a backslash, a control character, or any of these encoded',
  )
  .describe('Path below the address of the upstream, without a leading slash')

const Headers = z
  .partialRecord(
    z.enum(proxiedRequestHeaders),
    z
      .string()
      .max(8192)
      .regex(/^[\t -~]*$/, 'must be visible ASCII'),
  )
  .describe(`Headers to send to the upstream. Allowed: ${proxiedRequestHeaders.join(', ')}`)

/** Operations that proxy requests to other services, with credentials that Quire stores. */
export const integrations = {
  list: endpoint({
    binding: 'GET /api/integration',
    summary: 'List integrations',
    description:
      'The access configurations that allow requests: those with a `baseUrl`, `allowedMethods` and `allowedPaths`.',
    permission: { key: 'integrations.use', on: 'global' },
    input: z.strictObject({ limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(Integration),
    errors: [],
    example: {
      input: {},
      output: {
        count: 1,
        items: [
          {
            id: exampleId,
            name: 'Image library',
            type: 'http',
            allowedMethods: ['GET'],
            allowedPaths: ['/v2/images/**'],
          },
        ],
      },
    },
  }),
  pass: endpoint({
    binding: 'POST /api/integration/{accessId}/{path*}',
    summary: 'Send a request to an integration',
    description:
      'Accepts any method and path that the access configuration allows. The query string and the body are sent unchanged, and so are ' +
      'the allowed headers; the credentials of the configuration are added. The response of the upstream is returned with its ' +
      'status; the header `Quire-Upstream-Status` marks it as such. Redirects are not followed. A response that takes too long is cut off.',
    permission: { key: 'integrations.use', on: 'global' },
    body: 'message',
    answer: 'proxied',
    input: z.strictObject({
      accessId: Id.describe('The access configuration'),
      path: Path,
      method: z.enum(proxiedMethods).describe('The method of the request'),
      query: z
        .string()
        .max(limits.proxiedQuery)
        .regex(/^[!"$-~]+$/, 'must be percent-encoded, without a leading question mark and without a #')
        .optional()
        .describe('The query string as it is sent, without the question mark'),
      headers: Headers.default({}),
      body: FileIn.optional().describe('The body. Its type is used if `headers` has no `content-type`'),
    }),
    output: ProxiedOutput,
    errors: ['not_found', 'too_large', 'too_many_requests', 'upstream_failed', 'upstream_timeout'],
    example: { input: { accessId: exampleId, path: 'v2/images/search', method: 'GET', query: 'q=oak' } },
  }),
}

function isPassable(path: string): boolean {
  const parts = path.split('/')
  const inner = parts.at(-1) === '' ? parts.slice(0, -1) : parts
  return !/[\\\p{Cc}]|%(?:2e|2f|5c|00)/iu.test(path) && inner.every((part) => !['', '.', '..'].includes(part))
}
