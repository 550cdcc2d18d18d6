import type { ByteSpan } from './bytes.ts'

/** What a response says in addition to its value. */
export interface AnswerInfo {
  /** The strong entity tag of the revision, without quotes; null if the response has none. */
  readonly etag: string | null
  /** Whether this response was stored by an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean
  /**
   * In process: the cache tags of a public response, of which `CACHE_TAGS_PURGED` names those that
   * changed. Absent: it must not be cached for longer than its `Cache-Control` says.
   */
  readonly cacheTags?: readonly string[]
}

/**
 * Options of a single call. They are the same for the client, the engine in your process and the
 * mock.
 */
export interface CallOptions {
  /** Aborts the call. In process, the signal is checked before the work begins. */
  signal?: AbortSignal
  /**
   * The ETag of the revision that the write expects. Any other revision is 412
   * `precondition_failed`.
   */
  ifMatch?: string
  /**
   * POST only. A call with the same key and input within 24 hours returns the response of the first
   * call. At most 255 characters.
   */
  idempotencyKey?: string
  /**
   * For an operation that returns bytes: only this range. A range beyond the end is 416
   * `range_not_satisfiable`.
   */
  range?: ByteSpan
  /**
   * For an operation that returns bytes: the media types you accept, as in the header `Accept`.
   * Default: all.
   */
  accept?: string
  /** Called with what the value does not contain, such as the entity tag for a later `ifMatch`. */
  onAnswer?: (about: AnswerInfo) => void
  /**
   * Your id for the request. It appears in the log, in errors and in the journal. Default: a new
   * one.
   */
  requestId?: string
  /**
   * The program that makes the call, for the activity: `name/version`, at most 200 printable ASCII
   * characters. The service ignores any other text, and a client refuses what a header cannot hold.
   * To name it in every call of a client, put `Quire-Program` into its option `headers`.
   */
  program?: string
}

/**
 * A stream of events. Read it once with `for await`. Leaving the loop ends the stream. Aborting the
 * signal of the call also ends it and throws the signal's reason. The stream ends by itself when
 * the caller's token expires and when the service stops. If you do not read a stream, abort the
 * signal.
 */
export type Streamed<T> = AsyncIterable<T>
