import { z } from 'zod'
import { FileIn } from '../../binary.ts'
import { Id, listInput, listOf } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { proxiedMethods, proxiedRequestHeaders } from '../../proxied-headers.ts'
import { ProxiedOutput } from '../../proxied.ts'
import { Integration } from './shapes.ts'

const exampleId = 'ACCS_01JB2QJ5H7K9M1N3P5R7T9V1X5'

/** What leads out of a prefix, here or where it is decoded once more, is no path (TRUST S28). */
const Path = z
  .string()
  .max(limits.proxiedPath)
  .refine(isPassable, 'holds an empty part, `.`, `..`, a backslash, a control character or an encoded one')
  .describe('The path below the upstream’s address, without a slash at its front')

const Headers = z
  .partialRecord(
    z.enum(proxiedRequestHeaders),
    z
      .string()
      .max(8192)
      .regex(/^[\t -~]*$/, 'must be visible ASCII'),
  )
  .describe(`Headers that are passed on: ${proxiedRequestHeaders.join(', ')}`)

/** Services of others, with their credentials stored here. */
export const integrations = {
  list: endpoint({
    binding: 'GET /api/integration',
    summary: 'List integrations',
    description:
      'The access configurations that let requests through: those with an address, methods and paths.',
    permission: 'integrations.use',
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
    summary: 'Pass a request on to an integration',
    description:
      'Any method that the access configuration allows, on any path that it allows. The query string and the body go along as they are, and so do ' +
      'the headers that stand in `headers`; what the configuration authenticates with is put to them. What the upstream answers comes back with its ' +
      'status, of which `Quire-Upstream-Status` says that it is the upstream’s. Redirects are not followed. An answer that takes too long breaks off.',
    permission: 'integrations.use',
    body: 'message',
    answer: 'passed',
    input: z.strictObject({
      accessId: Id.describe('The access configuration'),
      path: Path,
      method: z.enum(proxiedMethods).describe('The method of the request'),
      query: z
        .string()
        .max(limits.proxiedQuery)
        .regex(/^[!"$-~]+$/, 'must be percent-encoded, without a question mark at its front or a #')
        .optional()
        .describe('The query string as it is to go out, without its question mark'),
      headers: Headers.default({}),
      body: FileIn.optional().describe('The body; its type is what `content-type` does not say'),
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
