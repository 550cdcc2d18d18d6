import { z } from 'zod'
import { isJsonObject, type JsonObject } from './json.ts'
import { usesQuery, type OperationInput, type PlacedEndpoint } from './operation-input.ts'
import { parameterExamples } from './parameter-examples.ts'

/** The parameters of an operation: those of its path and query string, and the headers that mean something to it. */
export function parametersOf(placed: PlacedEndpoint, input: OperationInput): JsonObject[] {
  const examples: JsonObject = { ...parameterExamples, ...placed.endpoint.example.input }
  const parameter = (name: string, schema: unknown, place: JsonObject): JsonObject => {
    const { description, ...rest } = isJsonObject(schema) ? schema : {}
    return {
      name,
      ...place,
      ...styleOf(rest),
      description,
      schema: rest,
      example: examples[name] ?? exampleOf(rest),
    }
  }
  const inPath = Object.entries(input.inPath).map(([name, schema]) =>
    parameter(name, schema, { in: 'path', required: true }),
  )
  const inQuery = Object.entries(usesQuery(placed.endpoint) ? input.rest : {}).map(([name, schema]) =>
    parameter(name, schema, { in: 'query', ...(input.required.includes(name) && { required: true }) }),
  )
  return [...inPath, ...inQuery, ...headerParameters(placed)]
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

function headerParameters({ endpoint }: PlacedEndpoint): JsonObject[] {
  const { errors } = endpoint
  return [
    ...(errors.includes('precondition_failed') ? ['IfMatch'] : []),
    ...(errors.includes('idempotency_mismatch') ? ['IdempotencyKey'] : []),
    ...(answersTag({ endpoint }) && endpoint.method === 'GET' ? ['IfNoneMatch'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

/** Whether answers carry an ETag: those that are one thing with an id, as every versioned or revised thing is. */
export function answersTag({ endpoint }: Pick<PlacedEndpoint, 'endpoint'>): boolean {
  return endpoint.output instanceof z.ZodObject && 'id' in endpoint.output.shape
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
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key and body within 24 hours answer what the first call answered; another body is 409',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7f0c3a4e-create-ink',
  },
}
