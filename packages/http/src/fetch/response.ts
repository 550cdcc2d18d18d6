import { QuireError, type TokenError } from '@quire/contract'
import {
  encodeAnswer,
  encodeBinary,
  encodeError,
  encodeEvents,
  encodeGraphql,
  encodeTokenError,
  encodeWorkflowError,
  isWorkflowEvent,
  leadElsewhere,
  proxiedReplyHeaders,
  tusErrorHeaders,
  type Reply,
} from '@quire/contract/codec'
import { Serialized, ServedBytes, ServedEvents, ServedGraphql, ServedProxied, type Answer } from '@quire/core'
import { credentialOf } from '../callers/authentication.ts'
import { edgeHeaders, type EdgeTags } from '../responses/edge-headers.ts'
import { headersBeside, withInvalidToken } from '../responses/headers.ts'
import { isSitePage, sitePageOf } from '../responses/site-error-page.ts'
import type { Route } from '../routing/find-route.ts'
import type { ByteLength, IncomingRequest, OutgoingResponse } from './transport.ts'

/** A request as far as its response depends on it. */
export interface Answering {
  readonly incoming: IncomingRequest
  readonly requestId: string
  /** Undefined for an address of no route. */
  readonly route: Route | undefined
  readonly search: string
  readonly isAnonymous: boolean
  /** Milliseconds without an event after which a stream sends a heartbeat. */
  readonly heartbeatMs: number | undefined
  /** Whether everybody who may read the response gets the same. */
  readonly isSame: boolean
  /** Headers of every response to this request. */
  readonly added: Readonly<Record<string, string>>
  /** The cache tags of the response; undefined: it has none. */
  readonly edge: EdgeTags | undefined
  readonly byteLength: ByteLength
  /** The same pieces, which end when the handler closes. */
  readonly stream: <T>(pieces: AsyncIterable<T>) => AsyncIterable<T>
}

/** The response for the answer of an operation. Errors: those of opening bytes. */
export async function responseFor(answering: Answering, answer: Answer<unknown>): Promise<OutgoingResponse> {
  const { incoming, requestId, search, isAnonymous } = answering
  const { method, header } = incoming
  if (answer instanceof ServedBytes) {
    const wanted = { method, header, requestId, search }
    const encoded = encodeBinary(answer.source, wanted)
    if (!('open' in encoded)) return replyWith(answering, encoded)
    const reply = await leadElsewhere(answer.source, wanted, encoded)
    const bytes = reply.open && (await reply.open())
    if (!bytes) return respond(answering, withoutBody(answering, reply), null)
    return respond(answering, reply, answering.stream(bytes))
  }
  if (answer instanceof ServedProxied) {
    const sent = { status: answer.status, headers: proxiedReplyHeaders(answer, requestId) }
    return respond(answering, sent, answer.body ? answering.stream(answer.body) : null)
  }
  if (answer instanceof ServedEvents) return eventsOf(answering, answer)
  const named = namedOf(answering)
  const context = {
    requestId,
    ifNoneMatch: header('if-none-match'),
    accept: header('accept'),
    isAnonymous,
  }
  if (answer instanceof ServedGraphql) return replyWith(answering, encodeGraphql(named, answer, context))
  const outcome = answer instanceof Serialized ? answer : { value: answer }
  return replyWith(answering, encodeAnswer(named, outcome, context))
}

/** The response for an error, in the shape of its route. */
export function errorResponseFor(answering: Answering, error: QuireError | TokenError): OutgoingResponse {
  const { incoming, requestId, route } = answering
  const endpoint = route?.named.endpoint
  const accept = incoming.header('accept')
  if (isSitePage({ endpoint, accept }, error)) {
    const { status, headers, body } = sitePageOf(error, { endpoint, requestId })
    return replyWith(answering, { status, headers: reasoned(answering, status, headers), body })
  }
  const { status, headers, body } = encoderOf(route)(error, requestId)
  const own = { ...(endpoint?.body === 'tus' && tusErrorHeaders(status)), ...headers }
  return replyWith(answering, {
    status,
    headers: reasoned(answering, status, own),
    ...(body !== undefined && { body }),
  })
}

/** The response for a reply of the codec. */
export function replyWith(answering: Answering, reply: Reply): OutgoingResponse {
  const { body } = reply
  if (body === undefined) return respond(answering, withoutBody(answering, reply), null)
  const headers = { ...reply.headers, 'content-length': String(answering.byteLength(body)) }
  const isHead = answering.incoming.method === 'HEAD'
  return respond(answering, { status: reply.status, headers }, isHead ? null : body)
}

/** An empty body has a length, except where no body is possible. */
function withoutBody({ incoming }: Answering, { status, headers }: Sent): Sent {
  const isBodiless = incoming.method === 'HEAD' || status === 204 || status === 304
  if (isBodiless || 'content-length' in headers) return { status, headers }
  return { status, headers: { ...headers, 'content-length': '0' } }
}

function encoderOf(route: Route | undefined): (error: QuireError | TokenError, requestId: string) => Reply {
  const encode = ownShapeOf(route)
  return (error, requestId) =>
    encode && error instanceof QuireError ? encode(error, requestId) : encodeError(error, requestId)
}

/** The shape of errors of a route with its own: the token endpoint (specification 7.2) and workflow events (7.4). */
function ownShapeOf(route: Route | undefined): ((error: QuireError, requestId: string) => Reply) | undefined {
  if (route?.named.endpoint.body === 'form') return encodeTokenError
  return route && isWorkflowEvent(route.named) ? encodeWorkflowError : undefined
}

/** A caller without a token only learns how to send one. A public route does not look at tokens. */
function reasoned(
  { incoming, route }: Answering,
  status: number,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (route?.named.endpoint.permission === 'public') return headers
  const credential = credentialOf(incoming.header)
  return credential?.token ? withInvalidToken(status, headers) : headers
}

function eventsOf(answering: Answering, answer: ServedEvents<unknown>): OutgoingResponse {
  const { incoming, requestId, heartbeatMs } = answering
  const reply = encodeEvents(answer, { method: incoming.method, requestId, heartbeatMs })
  const texts = reply.open?.()
  if (!texts) return respond(answering, reply, null)
  // A copy of the response would keep an abandoned stream open, so aborting the request ends it too.
  incoming.signal().addEventListener('abort', () => void texts.return())
  return respond(answering, reply, answering.stream(texts))
}

function namedOf({ route }: Answering) {
  if (!route) throw new Error('Only the address of a route has an answer.')
  return route.named
}

interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

function respond(
  { added, isSame, edge }: Answering,
  { status, headers: own }: Sent,
  body: OutgoingResponse['body'],
): OutgoingResponse {
  const beside = headersBeside(own, isSame)
  const vary = [own['vary'] ?? beside.vary, added['vary']]
  const names = vary.filter((name) => name !== undefined).join(', ')
  const headers = { ...beside, ...own, ...edgeHeaders(edge, own), ...added }
  return { status, headers: names === '' ? headers : { ...headers, vary: names }, body }
}
