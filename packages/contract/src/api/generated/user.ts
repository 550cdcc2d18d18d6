// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'

/** The operations of `user`. The current caller, and recently visited repositories and sites. */
export interface UserApi {
  /**
   * Read who you are, with your preferences.
   *
   * `GET /api/user/me`.
   * Permission: any valid token.
   *
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly me: (input?: Record<string, never>, options?: CallOptions) => Promise<Me>

  /**
   * Record a visit to a repository or site; your preferences keep the 3 most recent ones.
   *
   * `POST /api/user/recent`.
   * Permission: any valid token.
   *
   * @param input.kind
   * @param input.id - Id of the site, or id or name of the repository.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `too_large`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly visit: (input: UserVisitInput, options?: CallOptions) => Promise<Preferences>
}

/** The current caller */
export interface Me {
  kind: 'user' | 'service' | 'system' | 'anonymous'
  id: string
  name: string
  /** E-mail address; empty for service accounts */
  email: string
  /** Preferences of a user, or the defaults until they are set; null for other callers */
  preferences: Preferences | null
}

/** User preferences (specification 2.9) */
export interface Preferences {
  /** How lists are shown */
  view: {
    defaultView: 'grid' | 'list'
  }
  /** Columns that tables show */
  tableColumns?: string[] | undefined
  /** Most recently visited repositories, newest first, at most 3 */
  recentRepositories?: {
    CACHE_ROOT: string
    /** Name at the time of the visit */
    name?: string | undefined
    /** Unix milliseconds */
    lastVisited: number
  }[] | undefined
  /** Most recently visited sites, newest first, at most 3 */
  recentSites?: {
    /** An id, as answered by the operation that created it */
    id: string
    /** Name at the time of the visit */
    name?: string | undefined
    /** Unix milliseconds */
    lastVisited: number
  }[] | undefined
  /** Columns of the detail pane, 1 to 5 */
  detailPaneColumns: number
  /** Color theme */
  theme: 'dark' | 'light'
  /** Version of the user interface */
  uiVersion: 'content' | 'content2'
}

/** The input of `user.visit` */
export interface UserVisitInput {
  kind: 'repository' | 'site'
  /** Id of the site, or id or name of the repository */
  id: string
}
