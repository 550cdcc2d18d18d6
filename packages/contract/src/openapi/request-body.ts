import type { JsonObject } from './json.ts'
import { exampleRest, usesQuery, type OperationInput, type PlacedEndpoint } from './operation-input.ts'
import type { Schemas } from './schemas.ts'

/** The body of an operation; undefined when it takes none. Both paths of an endpoint share one named schema. */
export function requestBodyOf(
  placed: PlacedEndpoint,
  input: OperationInput,
  schemas: Schemas,
): JsonObject | undefined {
  const { endpoint } = placed
  if (usesQuery(endpoint) || Object.keys(input.rest).length === 0) return undefined
  const required = input.required.length > 0
  const schema = schemas.keep(bodyName(placed), {
    type: 'object',
    properties: input.rest,
    ...(required && { required: input.required }),
    additionalProperties: false,
  })
  const body = { schema, example: exampleRest(placed) }
  if (endpoint.body === 'form') return { required, content: { 'application/x-www-form-urlencoded': body } }
  const withParts = endpoint.body === 'jsonOrMultipart' && { 'multipart/form-data': partsWith(schema) }
  return { required, content: { 'application/json': body, ...withParts } }
}

/** The same JSON as one part of a form (specification 4.3). */
function partsWith(schema: JsonObject): JsonObject {
  return {
    schema: { type: 'object', properties: { data: schema }, required: ['data'] },
    encoding: { data: { contentType: 'application/json' } },
  }
}

function bodyName({ group, operation }: PlacedEndpoint): string {
  return `${capitalised(group)}${capitalised(operation)}Body`
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
