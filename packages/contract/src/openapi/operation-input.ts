import { pathNames, type Endpoint } from '../endpoint.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { credentialMembers } from '../codec/signed.ts'
import type { Schemas } from './schemas.ts'

/** One operation of the document: an endpoint at one of its paths. */
export interface RoutedEndpoint {
  readonly group: string
  readonly operation: string
  readonly endpoint: Endpoint
  /** The path or the package path. */
  readonly path: string
}

/** Whether members are in the query string rather than in the body. */
export function usesQuery({ method, body }: Endpoint): boolean {
  return hasNoBody({ method }) || body === 'file'
}

/** Whether requests with this method have no body. */
export function hasNoBody({ method }: Pick<Endpoint, 'method'>): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)
}

/** The schemas of the input's members, by where they are sent. */
export interface OperationInput {
  readonly inPath: JsonObject
  /** In the query string or the body. */
  readonly rest: JsonObject
  readonly required: readonly string[]
  /** The schema of members with other names; false: they are not allowed. */
  readonly others: unknown
}

/**
 * Splits the flat input of an endpoint by where members are sent. `packageName` is only in the
 * package path.
 */
export function operationInput(located: RoutedEndpoint, schemas: Schemas): OperationInput {
  const {
    properties,
    required = [],
    additionalProperties: others = false,
  } = schemas.of(located.endpoint.input, 'input')
  const members = isJsonObject(properties) ? properties : {}
  const named = [...pathNames(located.path), ...headerNames(located)]
  const onBranch = located.endpoint.packagePath !== undefined
  const rest = Object.entries(members).filter(
    ([name]) => !named.includes(name) && !(onBranch && name === 'packageName'),
  )
  return {
    inPath: Object.fromEntries(pathNames(located.path).map((name) => [name, members[name]])),
    rest: Object.fromEntries(rest),
    required: (required as string[]).filter((name) => !named.includes(name)),
    others,
  }
}

/** The members that are sent only as headers. */
function headerNames({ endpoint }: RoutedEndpoint): readonly string[] {
  return endpoint.body === 'signed' ? credentialMembers : []
}

/** The members of the example that are in neither the path nor a header, without bytes. */
export function exampleRest(located: RoutedEndpoint): JsonObject {
  const { endpoint, path } = located
  const named = new Set([...pathNames(path), ...headerNames(located)])
  return Object.fromEntries(
    Object.entries(endpoint.example.input).filter(([name]) => name !== 'file' && !named.has(name)),
  )
}
