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
export function decodeInput(
  endpoint: Endpoint,
  { params, query, body }: RequestParts,
): Record<string, unknown> {
  const input = bareObject()
  const named = new Set([...pathNames(endpoint.path), ...pathNames(endpoint.packagePath ?? '')])
  const inPath = Object.fromEntries(Object.entries(params).filter(([name]) => named.has(name)))
  addMembers(input, coerceMembers(endpoint, inPath))
  addMembers(input, coerceMembers(endpoint, query))
  if (body === undefined) return input
  if (!isMembers(body)) throw invalidMember('', 'The body must be an object.')
  addMembers(input, endpoint.body === 'form' ? coerceMembers(endpoint, body) : body)
  return input
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
