import { QuireError } from '@quire/contract'
import {
  OutboundFailure,
  type OutboundAnswer,
  type OutboundRequest,
  type OutboundStream,
  type OutboundStreamRequest,
} from '../ports/index.ts'
import type { Call } from './call.ts'
import type { Environment } from './environment.ts'
import {
  describeSpan,
  failSpan,
  headersOfTrace,
  inPartSpan,
  SpanKind,
  uninstrumented,
  type Trace,
} from './trace.ts'

/** The part of a call that requests to other servers need. */
export interface SendingCall extends Pick<Call, 'trace'> {
  readonly environment: Pick<Environment, 'outbound'>
}

/** Sends a request of a call, as part of its trace: see `Outbound.send`. Errors: OutboundFailure. */
export function sendRequest(call: SendingCall, request: OutboundRequest): Promise<OutboundAnswer> {
  return inRequestSpan(call, request, (traced) => call.environment.outbound.send(traced))
}

/**
 * Opens a request of a call, as part of its trace: see `Outbound.open`. The span ends with the
 * headers of the response. Errors: OutboundFailure.
 */
export function openRequest(call: SendingCall, request: OutboundStreamRequest): Promise<OutboundStream> {
  return inRequestSpan(call, request, (traced) => call.environment.outbound.open(traced))
}

/**
 * The error that a caller sees when a request has no response: `upstream_timeout` or
 * `upstream_failed`, with the message of `messageOf` (undefined: the default one). If the caller went
 * away, it is the reason of its signal; any other error stays as it is.
 */
export function errorOfRequest(
  { signal }: Pick<Call, 'signal'>,
  error: unknown,
  messageOf: (failure: OutboundFailure) => string | undefined,
): unknown {
  if (signal?.aborted) return signal.reason
  if (!(error instanceof OutboundFailure)) return error
  const code = error.problem === 'timeout' ? 'upstream_timeout' : 'upstream_failed'
  return new QuireError(code, messageOf(error), { cause: error })
}

type Sendable = Pick<OutboundRequest, 'url' | 'method' | 'headers'>

/**
 * The path and the query of the URL are not recorded: those of a webhook are often a secret. The
 * host's instrumentation of HTTP is switched off for the request, because it would record them, and
 * send the headers a second time.
 */
function inRequestSpan<R extends Sendable, A extends { readonly status: number }>(
  { trace }: SendingCall,
  request: R,
  send: (request: R) => Promise<A>,
): Promise<A> {
  const { method } = request
  const attributes = { 'http.request.method': method, ...serverOf(request.url) }
  return inPartSpan(trace, { name: method, kind: SpanKind.CLIENT, attributes }, async (trace) => {
    const answer = await uninstrumented(trace, () => send(withTraceHeaders(request, trace)))
    describeSpan(trace, { 'http.response.status_code': answer.status })
    if (answer.status >= 400) failSpan(trace, String(answer.status))
    return answer
  })
}

function serverOf(url: string) {
  const { hostname, port, protocol } = URL.parse(url) ?? { hostname: '', port: '', protocol: '' }
  const known = protocol === 'https:' ? 443 : 80
  return { 'server.address': hostname, 'server.port': port === '' ? known : Number(port) }
}

/** Adds the headers of a trace, except to a request that was given a `traceparent` of its own. */
function withTraceHeaders<R extends Sendable>(request: R, trace: Trace): R {
  const given = new Set(request.headers.map(([name]) => name.toLowerCase()))
  const added = Object.entries(headersOfTrace(trace) ?? {}).filter(([name]) => !given.has(name))
  if (added.length === 0 || given.has('traceparent')) return request
  return { ...request, headers: [...request.headers, ...added] }
}
