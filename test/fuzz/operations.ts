import { endpoints, type Endpoint } from '@quire/contract'
import { openApiDocument } from '@quire/contract/openapi'

/** A JSON Schema as it stands in the document. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
}

/** A parameter of an operation. */
export interface FuzzParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly style?: string
  readonly schema: JsonSchema
}

/** One operation of the document, with the endpoint whose schema its answers must fit. */
export interface FuzzOperation {
  /** `items.get`, `items.getInPackage`. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly FuzzParameter[]
  readonly body?: { readonly mediaType: string; readonly schema: JsonSchema }
  readonly endpoint: Endpoint
}

interface DocumentOperation {
  readonly operationId: string
  readonly parameters?: readonly (FuzzParameter & { readonly $ref?: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

const document = openApiDocument({ baseUrl: 'http://127.0.0.1', version: '0' })
const endpointsById = new Map(
  endpoints.map(({ group, operation, endpoint }) => [`${group}.${operation}`, endpoint]),
)

/** Every operation of the OpenAPI document, which is all that the fuzz knows of the service. */
export const operations: readonly FuzzOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    // The document was written by us a moment ago: its operations have this shape.
    Object.entries(methods as Record<string, DocumentOperation>).map(([method, operation]) =>
      operationOf(operation, { method: method.toUpperCase(), path }),
    ),
)

function operationOf(
  { operationId, parameters = [], requestBody }: DocumentOperation,
  { method, path }: { method: string; path: string },
): FuzzOperation {
  // What is passed on stands there once for each method.
  const endpoint = endpointsById.get(operationId.replace(/(?:InPackage|(?<=\.pass)[A-Z]+)$/, ''))
  if (!endpoint) throw new Error(`${operationId} is no operation of the contract`)
  const [content] = Object.entries(requestBody?.content ?? {})
  return {
    id: operationId,
    method,
    path,
    parameters: parameters.map((parameter) => resolve<FuzzParameter>(parameter)),
    ...(content && { body: { mediaType: content[0], schema: content[1].schema } }),
    endpoint,
  }
}

/** What a `$ref` names; anything else as it is. */
export function resolve<T extends object>(value: T & { readonly $ref?: string }): T {
  if (value.$ref === undefined) return value
  const names = value.$ref.slice('#/'.length).split('/')
  let found: unknown = document
  for (const name of names) found = (found as Readonly<Record<string, unknown>>)[name]
  return found as T
}
