import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { errorTable } from '@quire/contract'
import type { HttpAnswer } from '../server/connection.ts'
import { faultOfBytes } from './judge-bytes.ts'
import { faultOfEvents } from './judge-events.ts'
import { faultOfUpload } from './judge-upload.ts'
import type { FuzzOperation } from './operations.ts'

/** A request and its answer. */
export interface Answered {
  /** Undefined for malformed HTTP. */
  readonly operation: FuzzOperation | undefined
  readonly method: string
  readonly answer: HttpAnswer
}

/** The fault in an answer; undefined if the answer is correct, however bad the request was. */
export function fault(answered: Answered): string | undefined {
  const { operation, method, answer } = answered
  const { status } = answer
  if ('x-injected' in answer.headers) return 'a text of a request became a header of an answer'
  if (status >= 500 && !isRefusal(status) && !isOfUpstream(answered)) return `status ${status}`
  if (status < 300 && operation) return faultOfSuccess(operation, answered)
  if (status < 400 || method === 'HEAD') return undefined
  return faultOfFailure(operation, answer)
}

/** Some operations have their own error format. */
function faultOfFailure(operation: FuzzOperation | undefined, answer: HttpAnswer): string | undefined {
  const { status } = answer
  if (status < 500 && isTokenPath(operation)) return faultOfTokenError(answer)
  if ((status === 400 || status === 409) && operation?.id === 'workflow.event')
    return faultOfWorkflowError(answer)
  if (isPageOfError(operation, answer)) return undefined
  return faultOfRangeError(answer) ?? faultOfError(answer)
}

/** For a missing page of a site, the service answers browsers with an error page. */
const pageStatuses: ReadonlySet<number> = new Set([400, 401, 404, 429, 503])

/** People who work on a page get any error as a page, in a browser. */
const previews: ReadonlySet<string | undefined> = new Set([
  'sites.preview',
  'sites.previewInPackage',
  'packages.shared',
  'packages.showPageDiff',
])

function isPageOfError(operation: FuzzOperation | undefined, { status, headers }: HttpAnswer): boolean {
  const isPage = headers['content-type']?.startsWith('text/html') === true
  const isOfSite = operation?.id === 'sites.serve' && pageStatuses.has(status)
  return isPage && (isOfSite || previews.has(operation?.id))
}

/** 503: overloaded; 507: not enough space for the announced number of bytes. */
function isRefusal(status: number): boolean {
  return status === 503 || status === 507
}

/** 502 and 504 from operations that call other services. */
function isOfUpstream({ operation, answer: { status } }: Answered): boolean {
  const { errors = [] } = operation?.endpoint ?? {}
  return (status === 502 || status === 504) && errors.includes('upstream_failed')
}

function faultOfRangeError({ status, headers }: HttpAnswer): string | undefined {
  if (status !== 416 || headers['content-range'] !== undefined) return undefined
  return 'status 416 without the total number of bytes'
}

function isTokenPath(operation: FuzzOperation | undefined): boolean {
  return operation?.id === 'auth.token'
}

function faultOfError(answer: HttpAnswer): string | undefined {
  const body = parsed(answer)
  if (body === undefined) return `status ${answer.status} with a body that is not JSON`
  const { error, message, code, requestId } = body
  const isRight = error === true && isText(message) && isText(code) && isText(requestId)
  return isRight ? undefined : `status ${answer.status} without { error: true, message, code, requestId }`
}

function faultOfTokenError(answer: HttpAnswer): string | undefined {
  const body = parsed(answer)
  if (isText(body?.['error'])) return undefined
  return faultOfError(answer) && `status ${answer.status} without { error }`
}

/**
 * Specification 4.8: the format of the answer. Malformed HTTP, or a request with another method,
 * does not reach the operation.
 */
function faultOfWorkflowError(answer: HttpAnswer): string | undefined {
  const { success, message, error, code, requestId } = parsed(answer) ?? {}
  const isRight =
    success === false && error === message && isText(message) && isText(code) && isText(requestId)
  return isRight
    ? undefined
    : faultOfError(answer) && `status ${answer.status} without { success: false, message, error }`
}

function faultOfSuccess(
  { endpoint, method: own }: FuzzOperation,
  { method, answer }: Answered,
): string | undefined {
  const isHead = method === 'HEAD'
  if (endpoint.answer === 'bytes' && (method === own || isHead)) return faultOfBytes(answer, method)
  if (method !== own || endpoint.answer === 'proxied') return undefined
  if (endpoint.answer === 'events') return faultOfEvents(endpoint, answer)
  if (endpoint.body === 'tus') return faultOfUpload(endpoint, answer)
  if (endpoint.answer === 'graphql') return faultOfGraph(endpoint, answer)
  return isHead || answer.status === 204 ? undefined : faultOfValue(endpoint, answer)
}

function faultOfValue({ output }: FuzzOperation['endpoint'], answer: HttpAnswer): string | undefined {
  const body = parsed(answer)
  if (body === undefined) return `status ${answer.status} with a body that is not JSON`
  const { error } = output.safeParse(body)
  const [issue] = error?.issues ?? []
  return issue && `the answer does not fit its schema: ${issue.path.join('.')}: ${issue.message}`
}

/** GraphQL reports both execution failures and invalid requests in successful answers. */
function faultOfGraph(endpoint: FuzzOperation['endpoint'], answer: HttpAnswer): string | undefined {
  const { errors = [] } = parsed(answer) ?? {}
  // Failures of the service, and values that do not fit their type in the schema.
  const failed = (errors as GraphError[]).find(
    ({ message, path, extensions }) =>
      serverFault.has(String(extensions?.['code'])) || (path !== undefined && unfitValue.test(message)),
  )
  return failed ? `a graph failed: ${failed.message.slice(0, 100)}` : faultOfValue(endpoint, answer)
}

interface GraphError {
  readonly message: string
  readonly path?: readonly unknown[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

const serverFault: ReadonlySet<string> = new Set(
  Object.entries(errorTable).flatMap(([code, { status }]) => (status === 500 ? code : [])),
)
const unfitValue = /cannot represent|Cannot return null|Expected Iterable|must resolve|must be a whole number/

/** The body as an object; undefined if it is not one. */
export function parsed(answer: HttpAnswer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(decoded(answer).toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The body before the compression that the client requested. */
function decoded({ headers, body }: HttpAnswer): Buffer {
  const coding = headers['content-encoding']
  if (coding === 'gzip') return gunzipSync(body)
  return coding === 'br' ? brotliDecompressSync(body) : body
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
