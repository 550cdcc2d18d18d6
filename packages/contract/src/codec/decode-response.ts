import { errorOfBody, errorStatus, QuireError, TokenError, type ErrorCode } from '../errors.ts'
import { invalidMember } from './invalid.ts'
import type { ReceivedResponse } from './received-response.ts'
import type { Route } from './route.ts'
import type { SpecialForm } from './special-form.ts'

export type { ReceivedResponse } from './received-response.ts'

/**
 * The value of a response; undefined if it has no body. Errors: the QuireError that the service
 * sent. A response that is not from the service (a proxy's
 * page, a wrong `baseUrl`) becomes a QuireError that depends on the status, which is in
 * `details.status`.
 */
export function decodePlainResponse(route: Route, response: ReceivedResponse): unknown {
  const isDone = isSuccess(response)
  if (isDone && response.text === '') return undefined
  const body = parseOrUndefined(response.text)
  if (isDone && body !== undefined) return body
  throw errorOf(route, response, body)
}

function isSuccess({ status }: ReceivedResponse): boolean {
  // Below 200 there are no final responses.
  return status < 300
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorOf(route: Route, response: ReceivedResponse, body: unknown): QuireError {
  return errorOfBody(body) ?? foreignError(route, response)
}

/**
 * The value of a response to a call of a special form. Errors: as `decodePlainResponse`, or
 * TokenError from the token endpoint.
 */
export function decodeSpecialResponse(
  { decode, refusal }: SpecialForm,
  route: Route,
  response: ReceivedResponse,
): unknown {
  const refused = refusal?.(response)
  if (refused) throw new TokenError(refused.status, refused.error, refused)
  return decode && isSuccess(response)
    ? decode(route.method, response.header, invalidMember)
    : decodePlainResponse(route, response)
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

/** The general code of a status: the first one that has it, except for those of a proxy. */
function codeOfStatus(status: number): ErrorCode {
  if ([502, 504].includes(status)) return 'unavailable'
  const codes = Object.keys(errorStatus) as ErrorCode[]
  const code = codes.find((code) => errorStatus[code] === status)
  return code ?? (status >= 400 && status < 500 ? 'invalid' : 'internal')
}
