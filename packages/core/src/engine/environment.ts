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

/** What the engine is made of: every port, filled. */
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
  /** The public address of the service, without a trailing slash: issuer of tokens, base of every URL in answers. */
  readonly baseUrl: string
  /** Where users sign in; null: nowhere but by one-time links. */
  readonly signIn: SignIn | null
  /** Others whose tokens are taken for those of our users. */
  readonly trustedIssuers: readonly TrustedIssuer[]
  /**
   * Whether who downloads an original by HTTP is sent to the storage for it, where `blobs` has addresses: its bytes then do not pass the
   * engine and are not checked. Default: false.
   */
  readonly redirectDownloads?: boolean
  /** Bytes of a disk that derived pictures may take: those that nobody used for longest go first, and are made again when they are asked for. 0: none is kept. Default: 4 GiB. */
  readonly renditionCacheBytes?: number
  /** The other processes on the store, which are told at once what they would find within a second. Absent: there are none, or they look. */
  readonly peers?: Peers
  /** What the process tells of its health. Absent: nothing. */
  readonly vitals?: Vitals
}

/** Where a call came from, for throttling and the journal. */
export interface Origin {
  /** Network address of the caller. */
  readonly address?: string
  /** The cookie `login` of a browser: which one began a sign-in. */
  readonly browser?: string
  /** The text of the body as it came, of a call that is signed. Absent: the JSON of its members. */
  readonly body?: string
  /** The header `Upload-Metadata` as it came: who asks for an upload is answered what its client sent (TUS 1.0). */
  readonly uploadMetadata?: string
  /** Told when work for the call begins and ends on this thread. Absent: nobody asks. */
  readonly meter?: Meter
}

/** Told what a call takes of the thread's time. What is between both, less what others began meanwhile, was the call's. */
export interface Meter {
  begin(): void
  end(): void
}
