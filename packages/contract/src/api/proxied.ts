/**
 * The response of an upstream, streamed as it arrives. Whatever its status, it is a result and not
 * an error. Its body can be read once. If you do not read it, abort the call, so that the service
 * closes its connection to the upstream.
 */
export interface Proxied {
  readonly status: number
  /** The headers of `proxiedAnswerHeaders` that the upstream sent. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The bytes as they arrive. If the connection breaks, the stream fails; it never just ends early.
   */
  stream(): ReadableStream<Uint8Array>
  /** All bytes at once. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  /** The whole body as UTF-8 text. */
  text(): Promise<string>
  /** The whole body as JSON. Errors: SyntaxError if it is not JSON. */
  json(): Promise<unknown>
}
