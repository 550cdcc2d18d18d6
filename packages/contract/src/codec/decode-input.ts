import { pathNames, type Endpoint } from '../endpoint.ts'
import { coerce } from './coerce.ts'
import { bareObject, invalidMember, isMembers } from './invalid.ts'
import type { Query } from './parse-query.ts'

/** A request, taken apart. */
export interface RequestParts {
  /** The names of the path, percent-decoded. */
  readonly params: Readonly<Record<string, unknown>>
  /** What `parseQuery` made of the query string. */
  readonly query: Query
  /** The body, parsed: JSON, or what `parseQuery` made of a form. Undefined when there is none. */
  readonly body?: unknown
}

/**
 * The flat input of a request, ready for the endpoint's schema: texts are numbers, booleans and lists where the schema wants them,
 * unknown names are kept so that the schema names them. A member may stand in the query string or the body, whatever the method,
 * but in one place only. The answer has no prototype.
 * Errors: QuireError `invalid` for a body that is not an object (path empty) and for a member that is given twice.
 */
export function decodeInput(endpoint: Endpoint, parts: RequestParts): Record<string, unknown> {
  return createInputDecoder(endpoint)(parts)
}

/** `decodeInput` for one endpoint, for whoever decodes many requests: what is the same for all is looked up once. */
export function createInputDecoder(endpoint: Endpoint): (parts: RequestParts) => Record<string, unknown> {
  const named = new Set([...pathNames(endpoint.path), ...pathNames(endpoint.packagePath ?? '')])
  return ({ params, query, body }) => {
    const input = bareObject()
    for (const [name, value] of Object.entries(params))
      if (named.has(name)) input[name] = coerceMember(endpoint, name, value)
    addMembers(input, coerceMembers(endpoint, query))
    if (body === undefined) return input
    if (!isMembers(body)) throw invalidMember('', 'The body must be an object.')
    addMembers(input, endpoint.body === 'form' ? coerceMembers(endpoint, body) : body)
    return input
  }
}

function coerceMember({ input }: Endpoint, name: string, value: unknown): unknown {
  const schema = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined
  return schema ? coerce(schema, value) : value
}

function coerceMembers(
  endpoint: Endpoint,
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const coerced = coerce(endpoint.input, members)
  return isMembers(coerced) ? coerced : members
}

function addMembers(input: Record<string, unknown>, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members)) {
    if (Object.hasOwn(input, name))
      throw invalidMember(name, 'is given twice: in the path, the query string or the body')
    input[name] = value
  }
}
