import { pathNames, type Endpoint } from '../endpoint.ts'
import { coerce } from './coerce.ts'
import { bareObject, invalidMember, isMembers } from './invalid.ts'
import type { Query } from './parse-query.ts'
import { credentialHeaders, credentialMembers } from './signed.ts'

/** A request, taken apart. */
export interface RequestParts {
  /** The names of the path, percent-decoded. */
  readonly params: Readonly<Record<string, unknown>>
  /** What `parseQuery` made of the query string. */
  readonly query: Query
  /** The body, parsed: JSON, what `parseQuery` made of a form, or `{ file }` of bytes. Undefined when there is none. */
  readonly body?: unknown
  /** The header `Last-Event-ID`: what a browser sends that was following before, whatever its address says. */
  readonly lastEventId?: string | null | undefined
  /** A header by its name, for what travels there. */
  readonly header?: (name: string) => string | null | undefined
}

/**
 * The flat input of a request, ready for the endpoint's schema: texts are numbers, booleans and lists where the schema wants them,
 * unknown names are kept so that the schema names them. A member may stand in the query string or the body, whatever the method,
 * but in one place only; of a signed call they stand in the body. The answer inherits nothing.
 * Errors: QuireError `invalid` for a body that is not an object (path empty) and for a member that is given twice.
 */
export function decodeInput(endpoint: Endpoint, parts: RequestParts): Record<string, unknown> {
  return createInputDecoder(endpoint)(parts)
}

/** `decodeInput` for one endpoint, for whoever decodes many requests: what is the same for all is looked up once. */
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
 * What is signed is the body, so all members stand there; but for credentials, which are headers: addresses are kept in the logs of
 * proxies. Errors: `invalid`.
 */
function requireAllSigned(query: Query, body: unknown): void {
  const [stray] = Object.keys(query)
  if (stray !== undefined)
    throw invalidMember(stray, 'cannot stand in the query string: what is not in the body is not signed')
  for (const name of credentialMembers)
    if (isMembers(body) && Object.hasOwn(body, name))
      throw invalidMember(name, `cannot stand in the body: it is the header ${credentialHeaders[name]}`)
}

/** What a signed call has in headers. */
function credentials(header: RequestParts['header']): Record<string, unknown> {
  const input = bareObject()
  for (const name of credentialMembers) {
    const value = header?.(credentialHeaders[name])
    if (value !== undefined && value !== null) input[name] = value
  }
  return input
}

/** The value of a member as the input has it. */
type Conversion = (name: string, value: unknown) => unknown

const asGiven: Conversion = (_name, value) => value

function addMembers(
  input: Record<string, unknown>,
  members: Readonly<Record<string, unknown>>,
  convert: Conversion,
): Record<string, unknown> {
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(input, name))
      throw invalidMember(name, 'is given twice: in the path, the query string or the body')
    input[name] = convert(name, members[name])
  }
  return input
}
