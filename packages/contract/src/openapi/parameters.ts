import { z } from 'zod'
import { isJsonObject, type JsonObject } from './json.ts'
import { usesQuery, type OperationInput, type RoutedEndpoint } from './operation-input.ts'

/**
 * The parameters of an operation: in its path, in its query string, and the headers that it uses.
 */
export function parametersOf(located: RoutedEndpoint, input: OperationInput): JsonObject[] {
  const examples: JsonObject = { ...located.endpoint.example.input }
  const parameter = (name: string, schema: unknown, location: JsonObject): JsonObject => {
    const { description, ...rest } = isJsonObject(schema) ? schema : {}
    const isRequired = location['required'] === true
    // Most examples do not use the path of a package.
    const example = examples[name] ?? (isRequired && name === 'packageName' ? 'summer-issue' : undefined)
    // Tools that try requests out send every example. What is optional has its example in words.
    const isSent = isRequired && example !== undefined
    return {
      name,
      ...location,
      description:
        isSent || example === undefined
          ? description
          : `${String(description)}. Example: ${inWords(example)}`,
      ...contentOf(rest, isSent && { example }),
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

/**
 * Lists are comma-separated. Objects are one JSON text: OpenAPI has no style for objects in objects,
 * such as `filter[price][gte]=10`, which the service accepts too. Some generated clients cannot
 * write the `content` of a parameter, but all can write a text.
 */
function contentOf(schema: JsonObject, example: { example: unknown } | false): JsonObject {
  if (schema['type'] === 'object') {
    const text = { type: 'string', contentMediaType: 'application/json', contentSchema: schema }
    return { schema: text, ...(example && { example: JSON.stringify(example.example) }) }
  }
  const style = schema['type'] === 'array' && { style: 'form', explode: false }
  return { ...style, schema, ...example }
}

function inWords(example: unknown): string {
  if (typeof example !== 'object' || example === null) return `\`${String(example)}\``
  return `\`${Array.isArray(example) ? example.join(',') : JSON.stringify(example)}\``
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

/** The input members that TUS sends as headers. */
const uploadHeaders: Readonly<Record<string, readonly [name: string, description: string, example: string]>> =
  {
    length: ['Upload-Length', 'Total size in bytes', '431274'],
    offset: ['Upload-Offset', 'Position of the first of these bytes', '0'],
    metadata: [
      'Upload-Metadata',
      'Comma-separated pairs of a key and its value as base64: repositoryId, filename, name, type, folderId, packageName, itemId, fields (JSON)',
      'repositoryId bWFnYXppbmU=,filename T2FrIGdhbGxzLmpwZw==',
    ],
    checksum: [
      'Upload-Checksum',
      'Algorithm (sha1, sha256), a space, and the digest as base64',
      'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
    ],
  }

function uploadParameters({ endpoint }: RoutedEndpoint, { rest, required }: OperationInput): JsonObject[] {
  if (endpoint.body !== 'tus') return []
  return Object.keys(rest).flatMap((member) => {
    const [name, description, example] = uploadHeaders[member] ?? []
    const isRequired = required.includes(member)
    return name
      ? [
          {
            name,
            in: 'header',
            description,
            schema: { type: 'string' },
            ...(isRequired && { required: true, example }),
          },
        ]
      : []
  })
}

/**
 * Whether responses have an ETag: those that are a single entity with an id do, because it has
 * versions or revisions.
 */
export function answersTag({ endpoint }: Pick<RoutedEndpoint, 'endpoint'>): boolean {
  if (endpoint.answer === 'bytes') return endpoint.method === 'GET'
  if (endpoint.answer === 'events' || endpoint.answer === 'proxied') return false
  return endpoint.body !== 'tus' && endpoint.output instanceof z.ZodObject && 'id' in endpoint.output.shape
}

/** The header parameters that operations refer to. */
export const sharedParameters = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'ETag of the revision that the write expects; any other revision is 412 (RFC 9110 §13.1.1)',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'ETag of the revision that you have: if it is still current, the response is 304 without a body (RFC 9110 §13.1.2)',
    schema: { type: 'string' },
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One or more ranges of bytes: the response is 206, or 416 beyond the end (RFC 9110 §14)',
    schema: { type: 'string' },
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    description:
      'ETag of the bytes that you have in part: if they have changed, all bytes are sent (RFC 9110 §13.1.5)',
    schema: { type: 'string' },
  },
  Accept: {
    name: 'Accept',
    in: 'header',
    description: 'The picture formats that you accept, if `format` names none',
    schema: { type: 'string' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Same as `lastEventId`, and takes precedence over it. Browsers send it when they reconnect',
    schema: { type: 'string' },
  },
  ApiKey: {
    name: 'X-API-Key',
    in: 'header',
    description:
      'The API key for callbacks, from the connection that the workflow runs on (specification 5.3)',
    schema: { type: 'string' },
  },
  MessageId: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Id of the message: a repeated message with the same id within ten minutes has no effect',
    schema: { type: 'string' },
  },
  WebhookSignature: {
    name: 'X-Webhook-Signature',
    in: 'header',
    description:
      'Instead of the key: `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">` with the signing secret of that connection',
    schema: { type: 'string' },
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
      'A request with the same key and body within 24 hours returns the response of the first one; a different body is 409',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}
