import type { NamedEndpoint } from '../contract.ts'
import { errorBody } from '../error-table.ts'
import { QuireError, TokenError } from '../errors.ts'
import { formatCookie, type Cookie } from './cookie.ts'
import { locationOf } from './location.ts'
import { tusAnswerHeaders, tusErrorHeaders } from './tus.ts'

/** A response to send. Header names are in lower case. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The result of an operation: its value, or its JSON text ready to send. */
export type Outcome =
  | {
      readonly text: string
      readonly etag: string | null
      readonly replayed: boolean
      readonly cookie?: Cookie
    }
  | { readonly value: unknown }

/** The parts of the request that affect the reply. */
export interface ReplyContext {
  readonly requestId: string
  /** The request's `If-None-Match`: a read with a matching entity tag is 304 (RFC 9110 §13.1.2). */
  readonly ifNoneMatch?: string | null | undefined
  /**
   * The request's `Accept`: a caller that accepts HTML is redirected, others get the URL as JSON.
   */
  readonly accept?: string | null | undefined
  /** Whether the request has no credentials: its response may be cached for others. */
  readonly isAnonymous?: boolean
}

/**
 * Encodes the result or error of an operation as a response, for the server and for the mock. 204
 * becomes 200 if there is output (`dryRun`); 201 has a `Location`.
 */
export function encodeAnswer(
  named: NamedEndpoint,
  outcome: Outcome | QuireError | TokenError,
  context: ReplyContext,
): Reply {
  if (outcome instanceof QuireError && isTokenEndpoint(named))
    return encodeTokenError(outcome, context.requestId)
  if (outcome instanceof QuireError && isWorkflowEvent(named))
    return encodeWorkflowError(outcome, context.requestId)
  if (named.endpoint.body === 'tus') return encodeTus(named, outcome, context)
  if (outcome instanceof QuireError || outcome instanceof TokenError)
    return encodeError(outcome, context.requestId)
  return encodeValue(named, outcome, context)
}

function encodeValue(named: NamedEndpoint, outcome: Outcome, context: ReplyContext): Reply {
  const answered =
    'text' in outcome ? outcome : { text: JSON.stringify(outcome.value), etag: null, replayed: false }
  const headers = answerHeaders(named, answered, context)
  if ('cookie' in outcome && outcome.cookie) headers['set-cookie'] = formatCookie(outcome.cookie)
  if (isSentOn(named, context))
    return { status: 303, headers: { ...headers, location: destinationOf(answered.text) } }
  const isRead = named.endpoint.method === 'GET'
  if (isRead && answered.etag !== null && namesTag(context.ifNoneMatch, answered.etag))
    return { status: 304, headers }
  // A response without output that was stored for its Idempotency-Key is the text null.
  if (answered.text === undefined || answered.text === 'null') return { status: 204, headers }
  headers['content-type'] = json
  return {
    status: named.endpoint.success === 204 ? 200 : named.endpoint.success,
    headers,
    body: answered.text,
  }
}

/** Whether the result is a URL to go to and the caller is a browser that navigates. */
function isSentOn({ endpoint }: NamedEndpoint, { accept }: ReplyContext): boolean {
  return endpoint.answer === 'redirect' && accept?.includes('text/html') === true
}

/** The URL that a response redirects to. */
function destinationOf(text: string | undefined): string {
  const { location } = JSON.parse(text ?? '{}') as { location?: string }
  return location ?? '/'
}

/** The response of an upload operation, which is all in headers (TUS 1.0). */
function encodeTus(
  { endpoint }: NamedEndpoint,
  outcome: Outcome | QuireError | TokenError,
  { requestId }: ReplyContext,
): Reply {
  if (outcome instanceof QuireError || outcome instanceof TokenError) {
    const reply = encodeError(outcome, requestId)
    return { ...reply, headers: { ...reply.headers, ...tusErrorHeaders(reply.status) } }
  }
  const value: unknown = 'text' in outcome ? JSON.parse(outcome.text) : outcome.value
  const own = { 'x-request-id': requestId, 'cache-control': 'no-store' }
  return { status: endpoint.success, headers: { ...own, ...tusAnswerHeaders(endpoint, value) } }
}

const json = 'application/json; charset=utf-8'

interface Answered {
  readonly text: string | undefined
  readonly etag: string | null
  readonly replayed: boolean
}

function answerHeaders(
  named: NamedEndpoint,
  answered: Answered,
  { requestId, isAnonymous = false }: ReplyContext,
): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'cache-control': cacheControl(named, isAnonymous),
  }
  if (answered.etag !== null) headers['etag'] = `"${answered.etag}"`
  if (answered.replayed) headers['idempotency-replayed'] = 'true'
  if (named.endpoint.success !== 201 || answered.text === undefined) return headers
  const location = locationOf(named.group, JSON.parse(answered.text))
  if (location !== undefined) headers['location'] = location
  return headers
}

/**
 * Seconds for which public metadata may be cached. A new signing key waits longer than that before
 * it signs.
 */
const metadataMaxAge = 300

/**
 * Seconds for which others may cache published content. A change, or closing a repository, can take
 * effect this much later.
 */
export const publishedMaxAge = 60

// A response that needed a token is only for its caller and is revalidated each time (304 makes
// that cheap). Responses to writes and sign-ins may contain secrets and tokens (RFC 6749 §5.1).
function cacheControl({ endpoint }: NamedEndpoint, isAnonymous: boolean): string {
  if (endpoint.method !== 'GET' || endpoint.answer === 'redirect') return 'no-store'
  if (endpoint.permission === 'public') return `public, max-age=${metadataMaxAge}`
  return endpoint.permission === 'published' && isAnonymous
    ? `public, max-age=${publishedMaxAge}`
    : 'private, no-cache'
}

/** Whether `If-None-Match` contains an entity tag (weak comparison, RFC 9110 §13.1.2). */
export function namesTag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`)
}

/** The response for an error, also of requests that match no endpoint. */
export function encodeError(error: QuireError | TokenError, requestId: string): Reply {
  const isToken = error instanceof TokenError
  const retryAfter = isToken ? error.retryAfter : retryAfterOf(error)
  // 405 must list the allowed methods (RFC 9110 §15.5.6).
  const allow = isToken || error.status !== 405 ? undefined : error.details?.['allow']
  return {
    status: error.status,
    headers: {
      'content-type': json,
      'x-request-id': requestId,
      'cache-control': 'no-store',
      ...(retryAfter !== undefined && { 'retry-after': String(Math.ceil(retryAfter)) }),
      ...(typeof allow === 'string' && { allow }),
      ...(error.status === 401 && { 'www-authenticate': `${isToken ? 'Basic' : 'Bearer'} realm="quire"` }),
    },
    body: JSON.stringify(
      isToken ? tokenErrorBody(error.message, error.description) : errorBody(error, requestId),
    ),
  }
}

function isTokenEndpoint({ endpoint }: NamedEndpoint): boolean {
  return endpoint.path === '/oauth2/token'
}

/**
 * The response of the token endpoint to an unreadable request: `{ error }` with an OAuth2 code
 * (specification 7.2, RFC 6749 §5.2). An error of the service itself has the common body.
 */
export function encodeTokenError(error: QuireError, requestId: string): Reply {
  const reply = encodeError(error, requestId)
  if (error.status >= 500) return reply
  const [issue] = error.issues ?? []
  const words =
    issue && tokenMembers.has(issue.path)
      ? `${issue.path} must be sent once, as a short text.`
      : error.message
  return { ...reply, body: JSON.stringify(tokenErrorBody('invalid_request', words)) }
}

const tokenMembers: ReadonlySet<string> = new Set(['grant_type', 'client_id', 'client_secret'])

function tokenErrorBody(error: string, description: string | undefined): object {
  return { error, ...(description !== undefined && { error_description: description }) }
}

/**
 * Whether errors of an endpoint have the same members as its normal response (specification 4.8,
 * 7.4).
 */
export function isWorkflowEvent({ endpoint }: Pick<NamedEndpoint, 'endpoint'>): boolean {
  return endpoint.path === '/api/workflow/events'
}

/**
 * The response to a failed workflow event. What fails by the state of the workflow has the members of
 * the normal response, with a readable `error` (specification 7.4).
 */
export function encodeWorkflowError(error: QuireError, requestId: string): Reply {
  const reply = encodeError(error, requestId)
  if (error.status !== 400 && error.code !== 'package_merged') return reply
  const body = errorBody(error, requestId)
  const workflowInfo = body.details?.['workflowInfo'] ?? null
  return { ...reply, body: JSON.stringify({ ...body, success: false, error: body.message, workflowInfo }) }
}

/**
 * Seconds to wait: `details.retryAfter`, or one second if that is not set. Without a time, clients
 * would retry at once.
 */
function retryAfterOf({ status, details }: QuireError): number | undefined {
  const seconds = details?.['retryAfter']
  if (typeof seconds === 'number' && seconds >= 0) return seconds
  return status === 429 || status === 503 ? 1 : undefined
}
