/** A request to somebody else's server. */
export interface OutboundRequest {
  /** Absolute, http or https, without credentials. What stands behind `#` is not sent. */
  readonly url: string
  readonly method: string
  /**
   * Names and values as they go out, in this order: names are tokens, values visible ASCII, blanks and tabs. Host, Content-Length,
   * Connection and what else belongs to the connection are refused. Without an Accept-Encoding `identity` is asked for.
   */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** A string goes out as UTF-8. */
  readonly body: Uint8Array | string | null
  /** Ms until the connection stands, looking up the name and TLS included. One that is kept from before stands. */
  readonly connectMs: number
  /** Ms for all of it, waiting for a turn and the answer included. */
  readonly totalMs: number
  /** Bytes of the answer's body that are kept: the connection is broken behind them. */
  readonly maxAnswerBytes: number
  readonly signal?: AbortSignal
}

/** What came back, whatever the status. A redirect is an answer like any other: it is not followed. */
export interface OutboundAnswer {
  readonly status: number
  /** Names in lower case; one that came twice is there twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** As it came: nothing is unpacked. At most `maxAnswerBytes`. */
  readonly body: Uint8Array
  /** Whether there was more. */
  readonly isCut: boolean
}

/** A request whose body and answer go through as they come. */
export interface OutboundStreamRequest extends Omit<OutboundRequest, 'body'> {
  /** What streams is read no faster than it goes out; its length is not said. It is left where it stands when the request ends. */
  readonly body: OutboundRequest['body'] | AsyncIterable<Uint8Array>
  /** Ms without a byte of the answer, once its head came. It does not run while nobody asks for the next piece. */
  readonly idleMs: number
}

/** The head of an answer, and its bytes as they come. */
export interface OutboundStream extends Pick<OutboundAnswer, 'status' | 'headers'> {
  /**
   * The bytes as they came, read once and no faster than they are asked for. Leaving it ends the connection. Errors: OutboundFailure:
   * `broken`, also behind `maxAnswerBytes`; `timeout`; `aborted`.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the connection, unless all of it was read. To be called for a body that nobody reads. */
  close(): void
}

/**
 * Why nothing came back. `refused`: the request was not sent, for its address, its form or a header; no byte went out. `unreachable`: no
 * connection came about, for the name, the address or TLS; no byte of the request went out. `timeout`: it took longer than it may;
 * `broken`: the connection ended early, or the answer is no HTTP; `aborted`: the signal said so, or the way out was closed. After these
 * three the other side may have had the request.
 */
export type OutboundProblem = 'refused' | 'unreachable' | 'timeout' | 'broken' | 'aborted'

/** A request that got no answer. The message is for people who see the log of deliveries: it names no address that was looked up. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly problem: OutboundProblem
  constructor(problem: OutboundProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/**
 * The only door to the network (TRUST S01). It connects to public addresses alone, but for those that the operator allows: looked at
 * after the name is resolved, for the address that is really connected to. It follows no redirects and takes no proxy from the environment.
 */
export interface Outbound {
  /**
   * Sends a request once, over a connection of its own or one that an earlier request left. Concurrent calls: so many at a time to one
   * origin, others wait for their turn. Cost: the part of the answer that is kept, in memory. Errors: OutboundFailure.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /**
   * Sends a request once and resolves with the head of the answer. Its time (`totalMs`) and its place among those at one origin end with
   * the body: it is to be read, or closed. Concurrent calls: as of `send`. Cost: a piece of the body each way. Errors: OutboundFailure.
   */
  open(request: OutboundStreamRequest): Promise<OutboundStream>
  /** Why an address could not be sent to, as far as its text tells (form, scheme, credentials, a literal address that is not public); null: nothing stands against it. */
  problemOf(url: string): string | null
  /** Ends connections that are kept, and what is under way, which fails as `aborted`, as does what comes later. */
  close(): Promise<void>
}
