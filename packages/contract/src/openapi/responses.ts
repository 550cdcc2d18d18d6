import { homeOf } from '../codec/location.ts'
import { contract } from '../contract.ts'
import { errorTable } from '../error-table.ts'
import type { ErrorCode } from '../errors.ts'
import { isWorkflowEvent } from '../codec/encode-answer.ts'
import { ErrorShape, exampleError, TokenErrorShape, WorkflowErrorShape } from './error-shapes.ts'
import { byStatus, errorsOf } from './errors-of.ts'
import type { JsonObject } from './json.ts'
import { usesQuery, type RoutedEndpoint } from './operation-input.ts'
import { answersTag } from './parameters.ts'
import { binarySchema, type Schemas } from './schemas.ts'

const doneWords = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: the work continues in the background',
  204: 'Done',
} as const

/** Every response of an operation, by status. */
export function responsesOf(located: RoutedEndpoint, schemas: Schemas): JsonObject {
  return {
    ...successes(located, schemas),
    ...(isTokenEndpoint(located) ? tokenErrors(schemas) : failures(located)),
    ...(isWorkflowEvent(located) && { 400: workflowFailure(located, schemas) }),
  }
}

function successes(located: RoutedEndpoint, schemas: Schemas): JsonObject {
  const { endpoint } = located
  if (endpoint.answer === 'bytes') return bytesSuccesses(located)
  if (endpoint.answer === 'events') return { 200: eventsSuccess(located, schemas) }
  if (endpoint.answer === 'proxied') return { 200: proxiedSuccess, default: proxiedSuccess }
  if (endpoint.body === 'tus')
    return {
      [endpoint.success]: {
        description: 'Done: the result is in the headers',
        headers: uploadAnswer(located),
      },
    }
  const shape = endpoint.output
  const hasBody = shape._zod.def.type !== 'undefined'
  const body = hasBody && {
    content: {
      'application/json': {
        schema: schemas.of(shape, 'output'),
        ...(endpoint.example.output !== undefined && { example: endpoint.example.output }),
      },
    },
  }
  const headers = headersOf(located)
  if (endpoint.success !== 204) {
    return {
      ...(endpoint.answer === 'redirect' && {
        303: { description: 'For a browser: redirect to `Location`, with a cookie', headers },
      }),
      [endpoint.success]: { description: doneWords[endpoint.success], headers, ...body },
      ...(headers['ETag'] !== undefined &&
        endpoint.method === 'GET' && { 304: { description: 'Not modified', headers } }),
    }
  }
  return {
    204: { description: 'Done, no content', headers },
    ...(hasBody && { 200: { description: 'With `dryRun`: what would happen', headers, ...body } }),
  }
}

function bytesSuccesses(located: RoutedEndpoint): JsonObject {
  const headers = headersOf(located)
  const isArchive = located.endpoint.method === 'POST'
  const content = { [isArchive ? 'application/zip' : '*/*']: { schema: binarySchema } }
  if (isArchive) return { 200: { description: 'The archive', headers, content } }
  return {
    200: { description: 'The bytes', headers, content },
    206: { description: 'The range that `Range` asks for', headers, content },
    ...(isOfFile(located) && {
      302: { description: elsewhere, headers: headersNamed(['X-Request-Id', 'Location']) },
    }),
    304: { description: 'Not modified', headers },
  }
}

const elsewhere =
  'For an original, if the service is configured for it: the object storage has the bytes at `Location`, for five minutes and without a token'

/** Whether the operation can return original files. */
function isOfFile({ endpoint }: RoutedEndpoint): boolean {
  return 'rendition' in endpoint.input.shape
}

/** The response of the upstream, with its own status. */
const proxiedSuccess: JsonObject = {
  description: 'The response of the upstream, marked by `Quire-Upstream-Status`',
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'Quire-Upstream-Status': { $ref: '#/components/headers/Quire-Upstream-Status' },
  },
  content: { '*/*': { schema: binarySchema } },
}

/** OpenAPI 3.1 has no schema for a stream, so this describes the `data` of one event. */
function eventsSuccess(located: RoutedEndpoint, schemas: Schemas): JsonObject {
  const { output, example } = located.endpoint
  const schema = schemas.of(output, 'output')
  return {
    description:
      'Events as they happen (Server-Sent Events). The schema describes the `data` of each event, which is JSON',
    headers: headersOf(located),
    content: { 'text/event-stream': { schema, example: example.output } },
  }
}

function uploadAnswer({ endpoint: { method } }: RoutedEndpoint): JsonObject {
  const texts: Readonly<Record<string, string>> =
    method === 'OPTIONS'
      ? {
          'Tus-Version': 'Supported versions of the protocol',
          'Tus-Extension': 'Supported extensions of the protocol',
          'Tus-Max-Size': 'Maximum size of an upload in bytes',
          'Tus-Checksum-Algorithm': 'Supported checksum algorithms',
        }
      : {
          'Upload-Offset': 'Number of bytes that are safely stored',
          'Upload-Length': 'Total size in bytes',
          'Upload-Expires': 'When the upload expires if no more bytes arrive',
          'Quire-Upload-Id': 'The id of the upload',
          'Quire-Item-Id': 'Id of the asset that it became, once it is complete',
          ...(method === 'POST' && { Location: 'URL of the upload' }),
        }
  const own = method === 'DELETE' ? {} : texts
  const described = Object.entries(own).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' }, ...Object.fromEntries(described) }
}

function headersOf(located: RoutedEndpoint): JsonObject {
  const { endpoint, group } = located
  const siblings: Readonly<Record<string, object>> = contract
  const names = [
    'X-Request-Id',
    ...(answersTag(located) ? ['ETag'] : []),
    ...(endpoint.success === 201 && 'get' in (siblings[homeOf(group)] ?? {}) ? ['Location'] : []),
    ...(endpoint.errors.includes('idempotency_mismatch') ? ['Idempotency-Replayed'] : []),
  ]
  return headersNamed(names)
}

function headersNamed(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The headers that responses refer to. */
export const sharedHeaders = {
  'X-Request-Id': {
    description: 'Id of the request: yours, if it was safe, or a new one',
    schema: { type: 'string' },
  },
  ETag: { description: 'The revision of the returned entity', schema: { type: 'string' } },
  Location: {
    description: 'URL of the created or requested resource',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this response was stored by an earlier request',
    schema: { type: 'string' },
  },
  'Quire-Upstream-Status': {
    description: 'The status of the upstream, if the response is its own',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } },
}

function failures({ endpoint }: RoutedEndpoint): JsonObject {
  const entries = byStatus(errorsOf(endpoint)).map(([status, codes]) => [status, failure(codes)])
  return Object.fromEntries(entries)
}

function failure(codes: readonly ErrorCode[]): JsonObject {
  const [code] = codes
  return codes.length === 1 && code ? { $ref: `#/components/responses/${code}` } : errorResponse(codes)
}

function workflowFailure({ endpoint }: RoutedEndpoint, schemas: Schemas): JsonObject {
  const codes = errorsOf(endpoint).filter((code) => errorTable[code].status === 400)
  const schema = schemas.of(WorkflowErrorShape, 'output')
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleWorkflowError(code) }]))
  return {
    description: meaningOf(codes),
    headers: errorHeaders(400),
    content: { 'application/json': { schema, examples } },
  }
}

function exampleWorkflowError(code: ErrorCode): JsonObject {
  const body = exampleError(code)
  return { ...body, success: false, error: body.message, workflowInfo: null }
}

function errorResponse(codes: readonly ErrorCode[]): JsonObject {
  const [first] = codes
  const status = first && errorTable[first].status
  return {
    description: meaningOf(codes),
    headers: errorHeaders(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleError(code) }])),
      },
    },
  }
}

function meaningOf(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n')
}

function errorHeaders(status: number | undefined): JsonObject {
  const names = [
    'X-Request-Id',
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/**
 * The responses that operations refer to: one for each error that is the only one with its status
 * in some operation.
 */
export function sharedResponses(located: readonly RoutedEndpoint[], schemas: Schemas): JsonObject {
  schemas.of(ErrorShape, 'output')
  const groups = located
    .filter((one) => !isTokenEndpoint(one))
    .flatMap(({ endpoint }) => byStatus(errorsOf(endpoint)))
  const alone = groups.flatMap(([, codes]) => (codes.length === 1 ? codes : []))
  return Object.fromEntries([...new Set(alone)].toSorted().map((code) => [code, errorResponse([code])]))
}

function isTokenEndpoint({ endpoint }: RoutedEndpoint): boolean {
  return endpoint.body === 'form' && !usesQuery(endpoint)
}

const tokenErrorTable: readonly (readonly [status: number, error: string, description: string])[] = [
  [
    400,
    'unsupported_grant_type: only client_credentials is supported',
    'The form is not a client credentials request',
  ],
  [401, 'invalid_client', 'The id is unknown or the secret is wrong'],
  [413, 'invalid_request', 'The form is too large'],
  [415, 'invalid_request', 'The body is not a form'],
  [429, 'too_many_requests', 'Too many failures within a minute'],
]

function tokenErrors(schemas: Schemas): JsonObject {
  const schema = schemas.of(TokenErrorShape, 'output')
  const own = tokenErrorTable.map(([status, error, description]) => [
    status,
    {
      description,
      headers: errorHeaders(status),
      content: { 'application/json': { schema, example: { error } } },
    },
  ])
  return {
    ...Object.fromEntries(own),
    500: failure(['internal']),
    503: failure(['unavailable']),
    507: failure(['no_room']),
  }
}
