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

/** Whether members travel in the query string rather than in the body. */
export function usesQuery({ method, body }: Endpoint): boolean {
  return hasNoBody({ method }) || body === 'file'
}

/** Whether requests of a method carry no body here. */
export function hasNoBody({ method }: Pick<Endpoint, 'method'>): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)
}

/** The input's members by where they travel, each with its schema. */
export interface OperationInput {
  readonly inPath: JsonObject
  /** In the query string or the body. */
  readonly rest: JsonObject
  readonly required: readonly string[]
  /** What members of other names are; false: there are none. */
  readonly others: unknown
}

/** Takes the flat input of an endpoint apart. `packageName` is the path's own: only the package path has it. */
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

/** The members that travel as headers alone. */
function headerNames({ endpoint }: RoutedEndpoint): readonly string[] {
  return endpoint.body === 'signed' ? credentialMembers : []
}

/** The example's members that are in neither path nor header, without bytes. */
export function exampleRest(located: RoutedEndpoint): JsonObject {
  const { endpoint, path } = located
  const named = new Set([...pathNames(path), ...headerNames(located)])
  return Object.fromEntries(
    Object.entries(endpoint.example.input).filter(([name]) => name !== 'file' && !named.has(name)),
  )
}
