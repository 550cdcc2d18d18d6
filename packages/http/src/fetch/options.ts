import type { Principal } from '@quire/core'
import type { Log } from '@quire/core/ports'
import type { CacheTagHeader } from '../responses/edge-headers.ts'

/** What a host knows about a request. */
export interface RequestContext {
  /**
   * The caller, if the host has identified it: no credential is read then. Pass only what the host
   * has verified, such as the result of `quire.authenticate`. A host that identifies callers by a
   * cookie of its own must refuse writes that another site sends.
   */
  readonly identity?: Principal
}

/** What a host gives to `handle` beside a request. */
export interface Given {
  readonly context?: RequestContext
  /** The URL that the caller requested, for a host that passes on a shorter one. */
  readonly url?: string
}

/** Options of every handler. */
export interface HandlerOptions {
  /**
   * The path below which the host mounts the handler, with or without a slash at its end.
   *
   * @default the path of the engine's `baseUrl`
   * @example '/cms'
   */
  readonly basePath?: string
  /**
   * Origins whose pages may call every operation with a bearer token, as `--cors-origin` of the
   * service.
   *
   * @default [] // only pages of the service's own origin
   * @example ['https://www.example.org', 'https://*.preview.example.org']
   */
  readonly trustedOrigins?: readonly string[]
  /**
   * Whether pages of every origin may read published content.
   *
   * @default true
   */
  readonly published?: boolean
  /**
   * The network address of the caller, by which requests without a token are counted. Read it from
   * the connection, or from a header that your own proxy sets. Without it, all callers without a
   * token share one rate.
   */
  readonly address?: (request: Request) => string | undefined
  /** What the host knows about a request. `handle` can be given it directly. */
  readonly context?: (request: Request) => RequestContext | Promise<RequestContext>
  /**
   * Takes work that continues after a response, so that a serverless host stays alive for it: the
   * jobs of a write.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void
  /**
   * Sends the cache tags of public responses in this header, and lets a cache in front of the service
   * store them for a day. That cache has to be purged by the event `CACHE_TAGS_PURGED`.
   *
   * @default undefined // no tags
   */
  readonly cacheTags?: CacheTagHeader
  /** Milliseconds that an operation may take; files have no limit. Default: 30 000. */
  readonly answerMs?: number
  /** Milliseconds within which a body that is not a file must arrive. Default: 30 000. */
  readonly receiveMs?: number
  /** Milliseconds without an event after which a stream of events sends a heartbeat. Default: 15 000. */
  readonly heartbeatMs?: number
  /** Receives failures. Default: none. */
  readonly log?: Log
}

/** The outcome of `handle`. */
export type Handled =
  | { readonly matched: true; readonly response: Response }
  | { readonly matched: false; readonly response: undefined }

/** Answers requests with an engine. */
export interface FetchHandler {
  /** The response; 404 for a request outside `basePath`. Never rejects. */
  (request: Request): Promise<Response>
  /**
   * The same for hosts with routes of their own: a request outside `basePath` is not matched, and its
   * body is unread. Without a base path, a request to an unknown address is not matched either.
   */
  readonly handle: (request: Request, given?: Given) => Promise<Handled>
  /** Ends open streams and timers, and refuses further requests. */
  readonly close: () => void
}
