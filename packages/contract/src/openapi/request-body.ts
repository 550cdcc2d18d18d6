import { capital } from '../typescript/names.ts'
import type { JsonObject } from './json.ts'
import { exampleRest, usesQuery, type OperationInput, type RoutedEndpoint } from './operation-input.ts'
import { binarySchema, type Schemas } from './schemas.ts'

/**
 * The request body of an operation; undefined if it has none. Both paths of an endpoint share one
 * named schema.
 */
export function requestBodyOf(
  located: RoutedEndpoint,
  input: OperationInput,
  schemas: Schemas,
): JsonObject | undefined {
  const { endpoint } = located
  const { file, ...rest } = input.rest
  if (endpoint.body === 'file' || endpoint.body === 'tus') return file ? bytesBody(located, input) : undefined
  if (endpoint.body === 'message') return messageBody
  if (usesQuery(endpoint) || Object.keys(input.rest).length === 0) return undefined
  if (endpoint.body === 'ids') return idsBody(located, rest['ids'])
  const names = input.required.filter((name) => name !== 'file')
  const required = names.length > 0
  const schema = schemas.retain(bodyName(located), {
    type: 'object',
    properties: rest,
    ...(required && { required: names }),
    additionalProperties: input.others,
  })
  if (endpoint.body === 'multipart')
    return { required: true, content: { 'multipart/form-data': partsWith(schema, 'multipart') } }
  const body = { schema, example: exampleRest(located) }
  if (endpoint.body === 'form') return { required, content: { 'application/x-www-form-urlencoded': body } }
  return { required, content: { 'application/json': body, ...otherMediaTypes(located, body) } }
}

/** The media types of a body other than `application/json`. */
function otherMediaTypes({ endpoint }: RoutedEndpoint, body: { schema: JsonObject }): JsonObject {
  return {
    ...(endpoint.method === 'PATCH' && { 'application/merge-patch+json': body }),
    ...(endpoint.body === 'jsonOrMultipart' && {
      'multipart/form-data': partsWith(body.schema, 'jsonOrMultipart'),
    }),
  }
}

/** A form with the JSON in one part and the file in another (specification 4.3). */
function partsWith(schema: JsonObject, form: 'multipart' | 'jsonOrMultipart'): JsonObject {
  const required = form === 'multipart' ? ['file'] : ['data']
  return {
    schema: { type: 'object', properties: { data: schema, file: binarySchema }, required },
    encoding: { data: { contentType: 'application/json' } },
  }
}

function bytesBody({ endpoint }: RoutedEndpoint, { required }: OperationInput): JsonObject {
  const type = endpoint.body === 'tus' ? 'application/offset+octet-stream' : 'application/octet-stream'
  return { required: required.includes('file'), content: { [type]: { schema: binarySchema } } }
}

const messageBody: JsonObject = {
  required: false,
  content: { '*/*': { schema: binarySchema } },
}

function idsBody({ endpoint }: RoutedEndpoint, schema: unknown): JsonObject {
  const { ids }: { ids?: unknown } = endpoint.example.input
  return { required: true, content: { 'application/json': { schema, example: ids } } }
}

// For a form, orval itself generates a type named `<operation>Body`.
function bodyName({ group, operation, endpoint }: RoutedEndpoint): string {
  const part = endpoint.body === 'multipart' ? 'DataBody' : 'Body'
  return `${capital(group)}${capital(operation)}${part}`
}
