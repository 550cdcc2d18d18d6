import { collect, inPieces } from '../engine/paging.ts'
import {
  type Outbound,
  type OutboundAnswer,
  OutboundFailure,
  type OutboundRequest,
  type OutboundStream,
  type OutboundStreamRequest,
} from '../ports/index.ts'
import { notPublic, outboundRequestProblem, outboundUrlProblem } from '../adapters/outbound-checks.ts'

/** A fake outbound port that records its requests. */
export interface FakeOutbound extends Outbound {
  /** The requests that a real adapter would have sent, in order. */
  readonly sent: readonly OutboundRequest[]
}

/** Answers a request of the fake. To simulate a missing response it throws an OutboundFailure. */
export type FakeAnswer = (request: OutboundRequest) => OutboundAnswer | Promise<OutboundAnswer>

const noContent: OutboundAnswer = { status: 204, headers: [], body: new Uint8Array(), isCut: false }

/**
 * A fake for tests and browsers: it sends nothing, records the requests, and answers with `answer`
 * (default: 204). It refuses malformed requests and hosts that are written as private addresses;
 * names are not resolved. A response is cut to `maxAnswerBytes`. The signal ends the wait for a
 * response, but timeouts are ignored. A streamed body is read completely before it is answered.
 */
export function fakeOutbound(answer: FakeAnswer = () => noContent): FakeOutbound {
  const sent: OutboundRequest[] = []
  let isClosed = false
  const exchange = (request: OutboundRequest): Promise<OutboundAnswer> => {
    if (isClosed) throw new OutboundFailure('aborted', 'Outbound requests are closed.')
    if (request.signal?.aborted) throw aborted(request.signal)
    sent.push(request)
    return unlessAborted(answer, request)
  }
  return {
    sent,
    async send(request) {
      requireSendable(request)
      return cut(await exchange(request), request.maxAnswerBytes)
    },
    async open(request) {
      requireSendable(request)
      return streamOf(await exchange({ ...request, body: await wholeOf(request) }), request)
    },
    problemOf,
    close: async () => {
      isClosed = true
    },
  }
}

/** Refuses every request. This is the default of an engine without an outbound port. */
export function closedOutbound(): Outbound {
  return {
    send: async () => {
      throw noOutbound()
    },
    open: async () => {
      throw noOutbound()
    },
    problemOf,
    close: async () => undefined,
  }
}

function noOutbound(): OutboundFailure {
  return new OutboundFailure('refused', 'This engine has no outbound port: configure one.')
}

function requireSendable(request: OutboundRequest | OutboundStreamRequest): void {
  const problem = outboundRequestProblem(request) ?? problemOf(request.url)
  if (problem !== null) throw new OutboundFailure('refused', problem)
}

async function wholeOf({ body }: OutboundStreamRequest): Promise<OutboundRequest['body']> {
  return body === null || typeof body === 'string' || body instanceof Uint8Array ? body : collect(body)
}

function streamOf({ status, headers, body }: OutboundAnswer, request: OutboundStreamRequest): OutboundStream {
  return { status, headers, body: answerPieces(body, request), close: () => undefined }
}

async function* answerPieces(
  body: Uint8Array,
  { maxAnswerBytes, signal }: OutboundStreamRequest,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const piece of inPieces(body)) {
    if (signal?.aborted) throw aborted(signal)
    length += piece.length
    if (length > maxAnswerBytes)
      throw new OutboundFailure('broken', `The answer has more than ${maxAnswerBytes} bytes.`)
    yield piece
  }
}

/**
 * Hosts in the form that the URL parser returns: every spelling of an IPv4 address has become four
 * decimal numbers.
 */
const inward =
  /^(?:(?:.*\.)?localhost\.?|(?:0|10|127)\.[\d.]+|169\.254\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|192\.168\.[\d.]+|\[(?![23]).*)$/

function problemOf(url: string): string | null {
  const problem = outboundUrlProblem(url)
  if (problem !== null) return problem
  const { hostname } = new URL(url)
  return inward.test(hostname) ? notPublic(hostname) : null
}

function cut(answer: OutboundAnswer, most: number): OutboundAnswer {
  if (answer.body.length <= most) return answer
  return { ...answer, body: answer.body.slice(0, most), isCut: true }
}

async function unlessAborted(answer: FakeAnswer, request: OutboundRequest): Promise<OutboundAnswer> {
  const { signal } = request
  if (!signal) return answer(request)
  const end = Promise.withResolvers<never>()
  const stop = () => end.reject(aborted(signal))
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([answer(request), end.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function aborted(signal: AbortSignal): OutboundFailure {
  return new OutboundFailure('aborted', 'The request was canceled.', { cause: signal.reason })
}
