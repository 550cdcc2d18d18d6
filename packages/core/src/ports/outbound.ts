/** A request to an external server. */
export interface OutboundRequest {
  /** Absolute, http or https, without credentials. The fragment after `#` is not sent. */
  readonly url: string
  readonly method: string
  /**
   * Header names and values, sent in this order. Names are tokens; values are visible ASCII, spaces
   * and tabs. Host, Content-Length, Connection and other headers of the connection are refused.
   * Without an Accept-Encoding, `identity` is requested.
   */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** A string is sent as UTF-8. */
  readonly body: Uint8Array | string | null
  /**
   * Timeout in ms for connecting, including name lookup and TLS. A reused connection is already
   * connected.
   */
  readonly connectMs: number
  /** Timeout in ms for the whole request, including the wait in the queue and the response. */
  readonly totalMs: number
  /** Maximum bytes of the response body to read; the connection is closed after them. */
  readonly maxAnswerBytes: number
  readonly signal?: AbortSignal
}

/** A response with any status. Redirects are returned like any other response, not followed. */
export interface OutboundAnswer {
  readonly status: number
  /** Names are in lower case; a repeated header appears repeatedly. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as received, not decompressed. At most `maxAnswerBytes`. */
  readonly body: Uint8Array
  /** Whether the body was longer than `maxAnswerBytes`. */
  readonly isCut: boolean
}

/** A request with a streamed body and response. */
export interface OutboundStreamRequest extends Omit<OutboundRequest, 'body'> {
  /**
   * A stream is read no faster than it is sent, and without a Content-Length. Reading stops when
   * the request ends.
   */
  readonly body: OutboundRequest['body'] | AsyncIterable<Uint8Array>
  /**
   * Maximum ms without a byte of the response, after its headers. The timer does not run while
   * nobody waits for the next chunk.
   */
  readonly idleMs: number
}

/** The status and headers of a response, and its body as a stream. */
export interface OutboundStream extends Pick<OutboundAnswer, 'status' | 'headers'> {
  /**
   * The bytes as received; can be read once, and are received no faster than they are read.
   * Breaking out of the loop closes the connection. Errors: OutboundFailure: `broken`, also after
   * `maxAnswerBytes`; `timeout`; `aborted`.
   */
  readonly body: AsyncIterable<Uint8Array>
  /**
   * Closes the connection unless the whole body was read. Must be called for a body that nobody
   * reads.
   */
  close(): void
}

/**
 * Why there is no response.
 * - `refused`: the URL, the form of the request or a header is not allowed; nothing was sent.
 * - `unreachable`: no connection was made, because of the name, the address or TLS; nothing was
 *   sent.
 * - `timeout`: the request took too long.
 * - `broken`: the connection ended early, or the response is not HTTP.
 * - `aborted`: the signal was aborted, or the adapter was closed.
 * After the last three, the server may have received the request.
 */
export type OutboundProblem = 'refused' | 'unreachable' | 'timeout' | 'broken' | 'aborted'

/**
 * A request that got no response. The message is for people who read the log of deliveries; it does
 * not contain resolved addresses.
 */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly problem: OutboundProblem
  constructor(problem: OutboundProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/**
 * The only access to the network (TRUST S01). It connects only to public addresses and those that
 * the operator allows. The check is made after name resolution, on the address that is actually
 * connected to. It does not follow redirects and ignores proxies from the environment.
 */
export interface Outbound {
  /**
   * Sends a request once, over a new connection or an idle one from an earlier request. Concurrent
   * calls: a limited number per origin; others wait in a queue. Cost: the returned part of the
   * response, in memory. Errors: OutboundFailure.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /**
   * Sends a request once and resolves with the headers of the response. Its `totalMs` and its slot
   * at the origin end with the body, so the body must be read to the end or closed. Concurrent
   * calls: as for `send`. Cost: one chunk of the body in each direction. Errors: OutboundFailure.
   */
  open(request: OutboundStreamRequest): Promise<OutboundStream>
  /**
   * Why a URL cannot be sent to, as far as its text shows (form, scheme, credentials, a literal
   * address that is not public); null when nothing is wrong.
   */
  problemOf(url: string): string | null
  /** Closes idle connections. Running and later requests fail with `aborted`. */
  close(): Promise<void>
}
