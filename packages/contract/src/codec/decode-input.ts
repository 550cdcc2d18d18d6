import { pathNames, type Endpoint } from '../endpoint.ts'
import { coerce } from './coerce.ts'
import { bareObject, invalidMember, isMembers } from './invalid.ts'
import type { Query } from './parse-query.ts'
import { credentialHeaders, credentialMembers } from './signed.ts'

/** The parts of a request. */
export interface RequestParts {
  /** The names of the path, percent-decoded. */
  readonly params: Readonly<Record<string, unknown>>
  /** The query string, parsed by `parseQuery`. */
  readonly query: Query
  /**
   * The parsed body: JSON, a form parsed by `parseQuery`, or `{ file }` for bytes. Undefined if
   * there is no body.
   */
  readonly body?: unknown
  /** The header `Last-Event-ID`, which a browser sends when it reconnects. It overrides the URL. */
  readonly lastEventId?: string | null | undefined
  /** The value of a header by its name, for members that are sent in headers. */
  readonly header?: (name: string) => string | null | undefined
}

/**
 * The flat input of a request, ready for the endpoint's schema. Texts are converted to numbers,
 * booleans and lists as the schema expects. Unknown names are kept, so that the schema can name
 * them. A member can be in the query string or in the body, whatever the method, but only in one of
 * them; in a signed request it must be in the body. The returned object inherits nothing.
 * Errors: QuireError `invalid` for a body that is not an object (path empty) and for a member that
 * is given twice.
 */
export function decodeInput(endpoint: Endpoint, parts: RequestParts): Record<string, unknown> {
  return createInputDecoder(endpoint)(parts)
}

/** `decodeInput` for one endpoint. It does the work that is the same for all requests only once. */
export function createInputDecoder(endpoint: Endpoint): (parts: RequestParts) => Record<string, unknown> {
  const { shape } = endpoint.input
  const named = new Set([...pathNames(endpoint.path), ...pathNames(endpoint.packagePath ?? '')])
  const coerced: Conversion = (name, value) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
    return schema ? coerce(schema, value) : value
  }
  const ofBody = endpoint.body === 'form' ? coerced : asGiven
  const isResumable = endpoint.answer === 'events' && Object.hasOwn(shape, 'lastEventId')
  const isSigned = endpoint.body === 'signed'
  return ({ params, query, body, lastEventId, header }) => {
    if (isSigned) requireAllSigned(query, body)
    const input = isSigned ? credentials(header) : bareObject()
    for (const name of Object.keys(params)) if (named.has(name)) input[name] = coerced(name, params[name])
    addMembers(input, query, coerced)
    if (isResumable && lastEventId) input['lastEventId'] = lastEventId
    if (body === undefined) return input
    if (endpoint.body === 'ids') return addMembers(input, { ids: body }, asGiven)
    if (!isMembers(body)) throw invalidMember('', 'The body must be an object.')
    return addMembers(input, body, ofBody)
  }
}

/**
 * The signature covers only the body, so all members must be there, except credentials. Those are
 * in headers, because proxies log URLs. Errors: `invalid`.
 */
function requireAllSigned(query: Query, body: unknown): void {
  const [stray] = Object.keys(query)
  if (stray !== undefined)
    throw invalidMember(stray, 'cannot be in the query string: only the body is signed')
  for (const name of credentialMembers)
    if (isMembers(body) && Object.hasOwn(body, name))
      throw invalidMember(name, `cannot be in the body: send it as the header ${credentialHeaders[name]}`)
}

/** The members of a signed call that are sent in headers. */
function credentials(header: RequestParts['header']): Record<string, unknown> {
  const input = bareObject()
  for (const name of credentialMembers) {
    const value = header?.(credentialHeaders[name])
    if (value !== undefined && value !== null) input[name] = value
  }
  return input
}

/** Converts the value of a member. */
type Conversion = (name: string, value: unknown) => unknown

const asGiven: Conversion = (_name, value) => value

function addMembers(
  input: Record<string, unknown>,
  members: Readonly<Record<string, unknown>>,
  convert: Conversion,
): Record<string, unknown> {
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(input, name))
      throw invalidMember(name, 'is given more than once: in the path, the query string or the body')
    input[name] = convert(name, members[name])
  }
  return input
}
