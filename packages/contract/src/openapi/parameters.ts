import { z } from 'zod'
import { isJsonObject, type JsonObject } from './json.ts'
import { usesQuery, type OperationInput, type RoutedEndpoint } from './operation-input.ts'
import { parameterExamples } from './parameter-examples.ts'

/** The parameters of an operation: those of its path and query string, and the headers that mean something to it. */
export function parametersOf(located: RoutedEndpoint, input: OperationInput): JsonObject[] {
  const examples: JsonObject = { ...parameterExamples, ...located.endpoint.example.input }
  const parameter = (name: string, schema: unknown, location: JsonObject): JsonObject => {
    const { description, ...rest } = isJsonObject(schema) ? schema : {}
    return {
      name,
      ...location,
      ...styleOf(rest),
      description,
      schema: rest,
      example: examples[name] ?? exampleOf(rest),
    }
  }
  const inPath = Object.entries(input.inPath).map(([name, schema]) =>
    parameter(name, schema, { in: 'path', required: true }),
  )
  const { file: _file, ...queried } = usesQuery(located.endpoint) ? input.rest : {}
  const hasNone = located.endpoint.body === 'tus' || located.endpoint.body === 'message'
  const inQuery = Object.entries(hasNone ? {} : queried).map(([name, schema]) =>
    parameter(name, schema, { in: 'query', ...(input.required.includes(name) && { required: true }) }),
  )
  return [...inPath, ...inQuery, ...headerParameters(located), ...uploadParameters(located, input)]
}

/** Lists are written with commas, objects with brackets: `filter[status]=published`. */
function styleOf(schema: JsonObject): JsonObject {
  if (schema['type'] === 'array') return { style: 'form', explode: false }
  if (schema['type'] === 'object') return { style: 'deepObject', explode: true }
  return {}
}

function exampleOf(schema: JsonObject): unknown {
  if (schema['type'] === 'boolean') return true
  return Array.isArray(schema['enum']) ? schema['enum'][0] : undefined
}

function headerParameters({ endpoint }: RoutedEndpoint): JsonObject[] {
  const { errors } = endpoint
  return [
    ...(errors.includes('precondition_failed') ? ['IfMatch'] : []),
    ...(errors.includes('idempotency_mismatch') ? ['IdempotencyKey'] : []),
    ...(answersTag({ endpoint }) && endpoint.method === 'GET' ? ['IfNoneMatch'] : []),
    ...(endpoint.answer === 'bytes' && endpoint.method === 'GET' ? ['Range', 'IfRange', 'Accept'] : []),
    ...('lastEventId' in endpoint.input.shape ? ['LastEventId'] : []),
    ...(endpoint.body === 'signed' ? ['ApiKey', 'WebhookSignature', 'MessageId'] : []),
    ...(endpoint.body === 'tus' && endpoint.method !== 'OPTIONS' ? ['TusResumable'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

/** What TUS has in headers. */
const uploadHeaders: Readonly<Record<string, readonly [name: string, description: string, example: string]>> =
  {
    length: ['Upload-Length', 'Bytes in all', '431274'],
    offset: ['Upload-Offset', 'Where these bytes begin', '0'],
    metadata: [
      'Upload-Metadata',
      'Pairs of a key and its value as base64, with commas: repositoryId, filename, name, type, folderId, packageName, itemId, fields (JSON)',
      'repositoryId bWFnYXppbmU=,filename T2FrIGdhbGxzLmpwZw==',
    ],
    checksum: [
      'Upload-Checksum',
      'An algorithm (sha1, sha256), a space and the digest as base64',
      'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
    ],
  }

function uploadParameters({ endpoint }: RoutedEndpoint, { rest, required }: OperationInput): JsonObject[] {
  if (endpoint.body !== 'tus') return []
  return Object.keys(rest).flatMap((member) => {
    const [name, description, example] = uploadHeaders[member] ?? []
    const isRequired = required.includes(member) && { required: true }
    return name
      ? [{ name, in: 'header', description, schema: { type: 'string' }, example, ...isRequired }]
      : []
  })
}

/** Whether answers carry an ETag: those that are one thing with an id, as every versioned or revised thing is. */
export function answersTag({ endpoint }: Pick<RoutedEndpoint, 'endpoint'>): boolean {
  if (endpoint.answer === 'bytes') return endpoint.method === 'GET'
  if (endpoint.answer === 'events' || endpoint.answer === 'passed') return false
  return endpoint.body !== 'tus' && endpoint.output instanceof z.ZodObject && 'id' in endpoint.output.shape
}

/** The header parameters that operations refer to. */
export const sharedParameters = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the revision that the write expects; another is 412 (RFC 9110 §13.1.1)',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An ETag that you hold: while it is current the answer is 304 without a body (RFC 9110 §13.1.2)',
    schema: { type: 'string' },
    example: '"3"',
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One or several parts of the bytes: 206, or 416 beyond their end (RFC 9110 §14)',
    schema: { type: 'string' },
    example: 'bytes=0-1023',
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    description: 'The ETag of the bytes that you have a part of: others are sent whole (RFC 9110 §13.1.5)',
    schema: { type: 'string' },
    example: '"9f86d081884c7d65"',
  },
  Accept: {
    name: 'Accept',
    in: 'header',
    description: 'The picture formats that you take, where `format` names none',
    schema: { type: 'string' },
    example: 'image/avif,image/webp,*/*',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The same as `lastEventId`, and before it: what a browser sends that was following before',
    schema: { type: 'string' },
    example: 'WyJqb3VybmFsIiw0MjE3XQ',
  },
  ApiKey: {
    name: 'X-API-Key',
    in: 'header',
    description: 'The API key for callbacks, of the connection that the workflow runs on (specification 5.3)',
    schema: { type: 'string' },
    example: 'p3GkX7wZc9Bf1Dn6Vj2R',
  },
  MessageId: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'An id of the message: what comes again with it within ten minutes has no effect',
    schema: { type: 'string' },
    example: 'two-step-review-41-3',
  },
  WebhookSignature: {
    name: 'X-Webhook-Signature',
    in: 'header',
    description:
      'In place of the key: `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">` under the signing secret of that connection',
    schema: { type: 'string' },
    example: 't=1790001000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
  TusResumable: {
    name: 'Tus-Resumable',
    in: 'header',
    required: true,
    description: 'The version of the TUS protocol',
    schema: { type: 'string' },
    example: '1.0.0',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key and body within 24 hours answer what the first call answered; another body is 409',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7f0c3a4e-create-ink',
  },
}
