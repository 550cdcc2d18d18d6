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

/** RFC 9110 §5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** RFC 9110 §5.5 without obs-text: servers disagree about letters beyond ASCII. */
const fieldValue = /^[\t\x20-\x7e]*$/

/** What the connection says of itself (RFC 9110 §7.6.1, §10.1.1), where the message ends, and whom it is for. */
const ofTheConnection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|proxy-.*)$/i

/** What stands against the text of an address: its form, scheme or credentials. Null: nothing. Where it leads is not looked at. */
export function outboundUrlProblem(url: string): string | null {
  // The parser drops tabs, line ends and blanks around: another one would read another address.
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url))
    return 'An address begins with http:// or https://, names a host and holds no blanks.'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:')
    return `An address begins with http:// or https://, not with ${protocol}`
  return username === '' && password === '' ? null : 'An address holds no user name and no password.'
}

/** What stands against the form of a request: its address, method or headers (TRUST S12). Null: nothing. */
export function outboundRequestProblem({
  url,
  method,
  headers,
}: Pick<OutboundRequest, 'url' | 'method' | 'headers'>): string | null {
  const wrong = headers.find(([name, value]) => headerProblem(name, value) !== null)
  return outboundUrlProblem(url) ?? methodProblem(method) ?? (wrong ? headerProblem(...wrong) : null)
}

/** What is said of a host whose address is not public. */
export function notPublic(host: string): string {
  return `"${host}" is not at a public address. Whoever runs the service can allow it.`
}

// CONNECT would make a tunnel of the connection.
function methodProblem(method: string): string | null {
  if (token.test(method) && method.toUpperCase() !== 'CONNECT') return null
  return `${JSON.stringify(method)} is no method that can be sent.`
}

function headerProblem(name: string, value: string): string | null {
  if (!token.test(name)) return `${JSON.stringify(name)} is no name of a header.`
  if (ofTheConnection.test(name)) return `The header "${name}" is the connection's own: leave it out.`
  if (fieldValue.test(value)) return null
  return `The value of the header "${name}" holds something else than visible ASCII, blanks and tabs.`
}
