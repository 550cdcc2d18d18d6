import { endpoints, groupTags, type NamedEndpoint } from '../contract.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Method } from '../forms.ts'
import { proxiedMethods } from '../proxied-headers.ts'
import type { JsonObject } from './json.ts'
import { operationInput, type RoutedEndpoint } from './operation-input.ts'
import { parametersOf, sharedParameters } from './parameters.ts'
import { permissionNote } from './permission-note.ts'
import { requestBodyOf } from './request-body.ts'
import { responsesOf, sharedHeaders, sharedResponses } from './responses.ts'
import { createSchemas, type Schemas } from './schemas.ts'
import { tagDescriptions } from './tags.ts'

/** What the document says about the service that serves it. */
export interface OpenApiOptions {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** The version of the service. */
  readonly version: string
}

/** An OpenAPI 3.1 description, ready for JSON.stringify. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: '3.1.0'
  readonly info: JsonObject
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: Readonly<Record<string, JsonObject>>
}

/**
 * The whole contract as one OpenAPI 3.1 document. An endpoint with a package path appears twice: as
 * `items.get` and as `items.getInPackage`.
 */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const steps = openApiSteps(options)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * The same document, made in steps of about a millisecond, so that a server can handle requests in
 * between. All steps take about 150 ms.
 */
export function* openApiSteps({ baseUrl, version }: OpenApiOptions): Generator<undefined, OpenApiDocument> {
  const schemas = createSchemas()
  const located = endpoints.flatMap(locations)
  const paths = yield* pathsOf(located, schemas)
  const responses = sharedResponses(located, schemas)
  const tags = [...new Set(located.map(tagOf))]
  return {
    openapi: '3.1.0',
    info: { title: 'Quire', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] })),
    security: [{ bearer: [] }, { oauth2: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses,
      schemas: schemas.components(),
    },
  }
}

const description = [
  'A content engine. Get a token at `POST /oauth2/token` and send it as `Authorization: Bearer <token>`.',
  'Request bodies are JSON, except at the token endpoint. Lists return `{ count, items, nextCursor }`; times of items are Unix milliseconds.',
  'Errors are `{ error: true, message, code, requestId }`. Every response has `X-Request-Id`: yours, if you sent a safe one.',
].join('\n\n')

function locations({ group, operation, endpoint }: NamedEndpoint): RoutedEndpoint[] {
  const main = { group, operation, endpoint, path: endpoint.path }
  return endpoint.packagePath === undefined ? [main] : [main, { ...main, path: endpoint.packagePath }]
}

function* pathsOf(
  located: readonly RoutedEndpoint[],
  schemas: Schemas,
): Generator<undefined, Record<string, JsonObject>> {
  const paths: Record<string, JsonObject> = {}
  for (const one of located) {
    // The rest of a path becomes an ordinary parameter: OpenAPI has nothing else for it.
    const path = one.path.replace('*}', '}')
    for (const method of methodsOf(one)) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(one, { method, schemas }) }
      yield
    }
  }
  return paths
}

/** The methods of an endpoint: one, or all of them for proxied requests. */
function methodsOf({ endpoint }: RoutedEndpoint): readonly Method[] {
  return endpoint.body === 'message' ? proxiedMethods : [endpoint.method]
}

interface Writing {
  readonly method: Method
  readonly schemas: Schemas
}

function operationOf(located: RoutedEndpoint, { method, schemas }: Writing): JsonObject {
  const { endpoint } = located
  const input = operationInput(located, schemas)
  const parameters = parametersOf(located, input)
  const requestBody = hasBody(located, method) ? requestBodyOf(located, input, schemas) : undefined
  return {
    operationId: operationId(located, method),
    tags: [tagOf(located)],
    summary: isInPackage(located) ? `${endpoint.summary} (in a package)` : endpoint.summary,
    description: [endpoint.description, permissionNote(endpoint)].filter(Boolean).join('\n\n'),
    ...securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(located, schemas),
  }
}

function operationId(located: RoutedEndpoint, method: Method): string {
  const id = `${located.group}.${located.operation}`
  if (isInPackage(located)) return `${id}InPackage`
  return located.endpoint.body === 'message' ? `${id}${method}` : id
}

function hasBody({ endpoint }: RoutedEndpoint, method: Method): boolean {
  return endpoint.body !== 'message' || !['GET', 'HEAD'].includes(method)
}

function isInPackage({ endpoint, path }: RoutedEndpoint): boolean {
  return path === endpoint.packagePath
}

function tagOf({ group }: RoutedEndpoint): string {
  const tags: Readonly<Record<string, string>> = groupTags
  return tags[group] ?? group
}

function securityOf({ permission, body }: Endpoint): JsonObject {
  if (permission === 'published') return { security: [{}, { bearer: [] }, { oauth2: [] }, { session: [] }] }
  if (permission !== 'public') return {}
  return { security: body === 'form' ? [{}, { client: [] }] : [] }
}

function securitySchemes(baseUrl: string): JsonObject {
  return {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token' },
    oauth2: {
      type: 'oauth2',
      description: 'The id and secret of a service account',
      flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth2/token`, scopes: {} } },
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and secret of a service account, instead of the form',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'token',
      description: 'A browser session. Writes must come from a page of this service',
    },
  }
}
