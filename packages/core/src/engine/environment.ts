import type {
  Blobs,
  Clock,
  Extraction,
  Ids,
  Log,
  Media,
  Outbound,
  PageDiffs,
  Peers,
  Secrets,
  SignIn,
  Store,
  TrustedIssuer,
  Vitals,
} from '../ports/index.ts'
import type { TraceHeaders } from './trace.ts'
import type { Hooks } from './hooks/hooks.ts'

/** All ports of the engine, and its settings. */
export interface Environment {
  readonly store: Store
  readonly blobs: Blobs
  readonly media: Media
  readonly extraction: Extraction
  readonly outbound: Outbound
  readonly pageDiffs: PageDiffs
  readonly secrets: Secrets
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /**
   * The public URL of the service, without a trailing slash: the issuer of tokens and the base of
   * all URLs in answers.
   */
  readonly baseUrl: string
  /** Where users sign in; null: only by one-time links. */
  readonly signIn: SignIn | null
  /** External issuers whose tokens are accepted for our users. */
  readonly trustedIssuers: readonly TrustedIssuer[]
  /**
   * Whether HTTP downloads of original files are redirected to the storage, if `blobs` has URLs.
   * The bytes then bypass the engine and are not verified. Default: false.
   */
  readonly redirectDownloads?: boolean
  /**
   * Disk bytes that renditions may use. The least recently used ones are deleted first, and made
   * again on request. 0: renditions are not stored. Default: 4 GiB.
   */
  readonly renditionCacheBytes?: number
  /**
   * Notifies the other processes on the store at once; without it they notice changes within a
   * second by polling.
   */
  readonly peers?: Peers
  /** Health data of the process. Absent: none. */
  readonly vitals?: Vitals
  /** The functions of the app that take part in saves, by kind. Absent: none. */
  readonly hooks?: Hooks
}

/** Where a call came from, for rate limits and the journal. */
export interface Origin {
  /** Network address of the caller. */
  readonly address?: string
  /** The browser's `login` cookie, which identifies the browser that began a sign-in. */
  readonly browser?: string
  /** The original text of the body, for signed calls. Absent: the JSON of its members. */
  readonly body?: string
  /**
   * The original `Upload-Metadata` header: a request about an upload is answered with what its
   * client sent (TUS 1.0).
   */
  readonly uploadMetadata?: string
  /** The headers of the trace that the request belongs to. Ignored if the host has an active span. */
  readonly trace?: TraceHeaders
  /**
   * Whether a program that a language model drives makes the call, as a transport for such programs
   * knows. Its calls are recorded, whatever its account is.
   */
  readonly isAgent?: boolean
  /** Notified when work for the call begins and ends on this thread. */
  readonly meter?: Meter
}

/**
 * Measures the thread time of a call: the time between both, except what other calls began
 * meanwhile.
 */
export interface Meter {
  begin(): void
  end(): void
}
