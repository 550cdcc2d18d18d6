import type { Blobs, Clock, Ids, Log, Media, Secrets, Store } from '../ports/index.ts'

/** What the engine is made of: every port, filled. */
export interface Environment {
  readonly store: Store
  readonly blobs: Blobs
  readonly media: Media
  readonly secrets: Secrets
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** The public address of the service, without a trailing slash: issuer of tokens, base of every URL in answers. */
  readonly baseUrl: string
}

/** Where a call came from, for throttling and the journal. */
export interface Origin {
  /** Network address of the caller. */
  readonly address?: string
}
