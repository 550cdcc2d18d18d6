/**
 * A range of bytes, counted from 0. `end` is inclusive; without it the range goes to the last byte.
 */
export interface ByteSpan {
  readonly start: number
  readonly end?: number
}

/**
 * Bytes to send: a `File` or a `Blob` (in Node, `openAsBlob` of node:fs returns one without reading
 * the file, up to 4 GiB), or any other object with `stream()`, which may be a `createReadStream`.
 * `name` is the file name. `type` is the media type that the sender assumes; the service detects the
 * real one from the bytes.
 */
export interface BytesIn {
  readonly name?: string | undefined
  readonly type?: string | undefined
  /** Size in bytes, if it is known in advance. */
  readonly size?: number | undefined
  stream(): AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>
}

/** Bytes that an operation returns. They can be read once, with `stream` or with `bytes`. */
export interface Binary {
  readonly mimeType: string
  /** The name to save it under. */
  readonly fileName: string
  /** Number of bytes that follow; null if it is known only at the end. */
  readonly size: number | null
  /** The strong entity tag, without quotes. It changes when the bytes change. */
  readonly etag: string | null
  /** Which part of how many bytes this is; null: all of them. */
  readonly range: { readonly start: number; readonly end: number; readonly total: number } | null
  /**
   * The bytes as they arrive. If the connection breaks, the stream fails; it never just ends early.
   */
  stream(): ReadableStream<Uint8Array>
  /** All bytes at once. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}
