import { errorOfBody, errorStatus, QuireError, TokenError, type ErrorCode } from '../errors.ts'
import { isMembers } from './invalid.ts'
import type { Route } from './route.ts'

/** A response from the network. */
export interface ReceivedResponse {
  readonly status: number
  /** The value of a header by its name in lower case. */
  readonly header: (name: string) => string | null
  readonly text: string
}

/**
 * The value of a response; undefined if it has no body. Errors: the QuireError that the service
 * sent, or TokenError from the token endpoint. A response that is not from the service (a proxy's
 * page, a wrong `baseUrl`) becomes a QuireError that depends on the status, which is in
 * `details.status`.
 */
export function decodePlainResponse(route: Route, response: ReceivedResponse): unknown {
  const { status, text } = response
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && text === '') return undefined
  const body = parseOrUndefined(text)
  if (isSuccess && body !== undefined) return body
  throw errorOf(route, response, body)
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorOf(route: Route, response: ReceivedResponse, body: unknown): QuireError | TokenError {
  const error = (route.path === '/oauth2/token' && tokenErrorOf(response, body)) || errorOfBody(body)
  return error || foreignError(route, response)
}

function tokenErrorOf({ status, header }: ReceivedResponse, body: unknown): TokenError | null {
  if (!isMembers(body) || typeof body['error'] !== 'string') return null
  if (status !== 400 && status !== 401 && status !== 429) return null
  const retryAfter = Number(header('retry-after')) || undefined
  return new TokenError(status, body['error'], { retryAfter })
}

/** The error for a response that is not from the service. */
export function foreignError(
  { method, path }: Route,
  { status, header }: Pick<ReceivedResponse, 'status' | 'header'>,
): QuireError {
  const requestId = header('x-request-id')
  // A response to HEAD has no body (RFC 9110 §9.3.2), so its origin is not known.
  const isForeign = method !== 'HEAD'
  const by = isForeign ? ' by something that is not Quire: check baseUrl' : ''
  return new QuireError(codeOfStatus(status), `${method} ${path} was answered with ${status}${by}.`, {
    ...(isForeign && { details: { status, contentType: header('content-type') } }),
    ...(requestId !== null && { requestId }),
  })
}

/** The general code for a status that several codes share. */
const general: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  409: 'invalid_state',
  502: 'unavailable',
  504: 'unavailable',
}

function codeOfStatus(status: number): ErrorCode {
  const codes = Object.keys(errorStatus) as ErrorCode[]
  const code = general[status] ?? codes.find((code) => errorStatus[code] === status)
  return code ?? (status >= 400 && status < 500 ? 'invalid' : 'internal')
}
