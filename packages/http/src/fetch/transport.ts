import type { HeaderOf } from '../callers/authentication.ts'

/**
 * A request, whatever it came through. Hosts of Node skip the classes of the fetch API, which cost
 * more than most operations.
 */
export interface IncomingRequest {
  readonly method: string
  /** The URL that the caller requested: absolute, or its path with the query string. */
  readonly url: string
  readonly header: HeaderOf
  /** The bytes of the body as they arrive; null if there is none. Read at most once. */
  readonly body: () => AsyncIterable<Uint8Array> | null
  /** Aborts when the caller leaves. */
  readonly signal: () => AbortSignal
  /** The address of the caller, if the connection tells it. */
  readonly address: string | undefined
  /** The request for callbacks of the host. */
  readonly request: () => Request
}

/** The number of bytes of a text in UTF-8. */
export type ByteLength = (text: string) => number

/** A response, whatever it goes through. */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text, or pieces that are sent as they come. Null: no body. */
  readonly body: string | AsyncIterable<Uint8Array | string> | null
}
