// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { EffectivePermissions, PermissionKey } from './auth.ts'
import type { ListOf } from './lists.ts'
import type { Quota, QuotaInput, QuotaPatch } from './repositories.ts'
import type { LegacyRepo } from './roles.ts'
import type { Preferences } from './user.ts'

/** The operations of `users`. Users, groups, roles, bundles and service accounts. */
export interface UsersApi {
  /**
   * List users.
   *
   * `GET /api/security/users`.
   * Permission: `security.users.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: UsersListInput, options?: CallOptions) => Promise<ListOf<User>>

  /**
   * Read a user.
   *
   * `GET /api/security/users/{id}`.
   * Permission: `security.users.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: UsersGetInput, options?: CallOptions) => Promise<User>

  /**
   * Create a user.
   *
   * Anyone who signs in with this e-mail address is this user. You can only grant permissions that you
   * have: a role that grants more is 403.
   *
   * `POST /api/security/users`.
   * Permission: `security.users.update`.
   *
   * @param input.id - The e-mail address, which is the id; stored in lower case.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.repos - Legacy coarse permissions.
   * @param input.roles - Role ids.
   * @param input.groups - Group ids.
   * @param input.type - Always `user`, unless you set another value.
   * @param input.description - Free text.
   * @param input.enabled - false: the sessions and tokens of the user are rejected at once.
   * @param input.branchOnly - true: the user reads, and changes content in packages alone. Changes of
   *   main, merges, publishing of sites, rights and settings are refused, whatever grants them.
   * @param input.settings - Settings of the user; absent until they are set.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: UsersCreateInput, options?: CallOptions) => Promise<User>

  /**
   * Change, disable or enable a user.
   *
   * `PATCH /api/security/users/{id}`.
   * Permission: `security.users.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.repos
   * @param input.roles
   * @param input.groups
   * @param input.type
   * @param input.description
   * @param input.enabled
   * @param input.branchOnly
   * @param input.settings
   * @throws `not_found` - Not found.
   * @throws `last_administrator` - No account would have every permission any more: give them all to
   *   another account first.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: UsersUpdateInput, options?: CallOptions) => Promise<User>

  /**
   * Delete a user; sessions and tokens become invalid at once.
   *
   * The user is removed from roles and groups: a user who is created later with the same address
   * inherits nothing.
   *
   * `DELETE /api/security/users/{id}`.
   * Permission: `security.users.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `last_administrator` - No account would have every permission any more: give them all to
   *   another account first.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: UsersDeleteInput, options?: CallOptions) => Promise<undefined>

  /**
   * Read a user's effective permissions, and explain one of them.
   *
   * `GET /api/security/users/{id}/permissions`.
   * Permission: `security.users.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.explain - A key to explain.
   * @param input.repo - Explain it on this repository (id or name), followed by `:<type>` for one
   *   content type and by `@<locale>` for one locale.
   * @param input.site - Explain it on this site.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly permissions: (input: UsersPermissionsInput, options?: CallOptions) => Promise<EffectivePermissions>

  /**
   * Read how much a user has stored and used today, with quota and budget.
   *
   * For yourself, or for any user with `security.users.view`.
   *
   * `GET /api/security/users/{id}/usage`.
   * Permission: any valid token.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly usage: (input: UsersUsageInput, options?: CallOptions) => Promise<AccountUsage>

  /**
   * Read a user's preferences.
   *
   * For yourself, or for any user with `security.users.view`. Returns the defaults until preferences
   * are set.
   *
   * `GET /api/security/users/{id}/preferences`.
   * Permission: any valid token.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly getPreferences: (input: UsersGetPreferencesInput, options?: CallOptions) => Promise<Preferences>

  /**
   * Replace a user's preferences.
   *
   * For yourself, or for any user with `security.users.update` (specification 4.5).
   *
   * `PUT /api/security/users/{id}/preferences`.
   * Permission: any valid token.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.view - How lists are shown.
   * @param input.tableColumns - Columns that tables show.
   * @param input.recentRepositories - Most recently visited repositories, newest first, at most 3.
   * @param input.recentSites - Most recently visited sites, newest first, at most 3.
   * @param input.detailPaneColumns - Columns of the detail pane, 1 to 5.
   * @param input.theme - Color theme.
   * @param input.uiVersion - Version of the user interface.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `too_large`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly replacePreferences: (input: UsersReplacePreferencesInput, options?: CallOptions) => Promise<Preferences>

  /**
   * Create a link that signs a user in once, within 15 minutes.
   *
   * For signing in without an identity provider. Whoever opens the link becomes that user, so you must
   * have all permissions that the user has.
   *
   * `POST /api/security/users/{id}/sign-in-link`.
   * Permission: `security.users.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly createSignInLink: (input: UsersCreateSignInLinkInput, options?: CallOptions) => Promise<UsersCreateSignInLinkOutput>
}

/** A user (specification 2.7) */
export interface User {
  /** The e-mail address */
  id: string
  /** The id in lower case, with `_` for everything except letters and digits */
  searchId: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Legacy coarse permissions */
  repos: LegacyRepo[]
  /** Role ids */
  roles: string[]
  /** Group ids */
  groups: string[]
  /** Always `user`, unless you set another value */
  type: string
  /** Free text */
  description: string
  /** false: the sessions and tokens of the user are rejected at once */
  enabled: boolean
  /**
   * true: the user reads, and changes content in packages alone. Changes of main, merges, publishing
   * of sites, rights and settings are refused, whatever grants them
   */
  branchOnly: boolean
  /** Settings of the user; absent until they are set */
  settings?: AccountSettings | undefined
  /** Preferences; absent until they are set */
  preferences?: Preferences | undefined
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

export interface AccountSettings {
  /** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
  quota: Quota
  /**
   * Limits on what the account may use in a day (UTC). Calls are 429 `budget_exceeded` when one is
   * used up
   */
  budget: Budget
}

/**
 * Limits on what the account may use in a day (UTC). Calls are 429 `budget_exceeded` when one is used
 * up
 */
export interface Budget {
  /** Maximum number of calls; null: no limit */
  calls: number | null
  /** Maximum number of bytes, sent and received; null: no limit */
  bytes: number | null
}

export interface AccountSettingsInput {
  /** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
  quota?: QuotaInput | undefined
  /**
   * Limits on what the account may use in a day (UTC). Calls are 429 `budget_exceeded` when one is
   * used up
   */
  budget?: BudgetInput | undefined
}

/**
 * Limits on what the account may use in a day (UTC). Calls are 429 `budget_exceeded` when one is used
 * up
 */
export interface BudgetInput {
  /**
   * Maximum number of calls; null: no limit
   * @default null
   */
  calls?: number | null | undefined
  /**
   * Maximum number of bytes, sent and received; null: no limit
   * @default null
   */
  bytes?: number | null | undefined
}

export interface AccountSettingsPatch {
  quota?: QuotaPatch | undefined
  budget?: {
    /** Maximum number of calls; null: no limit */
    calls?: number | null | undefined
    /** Maximum number of bytes, sent and received; null: no limit */
    bytes?: number | null | undefined
  } | undefined
}

/** What an account has stored, and what it has used today */
export interface AccountUsage {
  /** Bytes of texts and files, in all versions */
  bytes: number
  /** Items and assets, including deleted ones that are not purged yet */
  items: number
  /** Versions */
  versions: number
  /** Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded` */
  quota: Quota
  /** What was used of the budget; absent: the account has none */
  budget?: {
    /** Maximum number of calls; null: no limit */
    calls: number | null
    /** Maximum number of bytes, sent and received; null: no limit */
    bytes: number | null
    /** Calls of today, without those under way */
    usedCalls: number
    /** Bytes of today, without those under way */
    usedBytes: number
    /** When the next day begins (UTC) */
    resetsAt: number
  } | undefined
}

/** The input of `users.list` */
export interface UsersListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `users.get` */
export interface UsersGetInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `users.create` */
export interface UsersCreateInput {
  /** The e-mail address, which is the id; stored in lower case */
  id: string
  /** A name for people, 1 to 200 characters */
  name: string
  /**
   * Legacy coarse permissions
   * @default []
   */
  repos?: LegacyRepo[] | undefined
  /**
   * Role ids
   * @default []
   */
  roles?: string[] | undefined
  /**
   * Group ids
   * @default []
   */
  groups?: string[] | undefined
  /**
   * Always `user`, unless you set another value
   * @default 'user'
   */
  type?: string | undefined
  /**
   * Free text
   * @default ''
   */
  description?: string | undefined
  /**
   * false: the sessions and tokens of the user are rejected at once
   * @default true
   */
  enabled?: boolean | undefined
  /**
   * true: the user reads, and changes content in packages alone. Changes of main, merges, publishing
   * of sites, rights and settings are refused, whatever grants them
   * @default false
   */
  branchOnly?: boolean | undefined
  /** Settings of the user; absent until they are set */
  settings?: AccountSettingsInput | undefined
}

/** The input of `users.update` */
export interface UsersUpdateInput {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  repos?: LegacyRepo[] | undefined
  roles?: string[] | undefined
  groups?: string[] | undefined
  type?: string | undefined
  description?: string | undefined
  enabled?: boolean | undefined
  branchOnly?: boolean | undefined
  settings?: AccountSettingsPatch | undefined
}

/** The input of `users.delete` */
export interface UsersDeleteInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `users.permissions` */
export interface UsersPermissionsInput {
  /** An id, as answered by the operation that created it */
  id: string
  /** A key to explain */
  explain?: PermissionKey | undefined
  /**
   * Explain it on this repository (id or name), followed by `:<type>` for one content type and by
   * `@<locale>` for one locale
   */
  repo?: string | undefined
  /** Explain it on this site */
  site?: string | undefined
}

/** The input of `users.usage` */
export interface UsersUsageInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `users.getPreferences` */
export interface UsersGetPreferencesInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `users.replacePreferences` */
export interface UsersReplacePreferencesInput {
  /** An id, as answered by the operation that created it */
  id: string
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
  /**
   * Columns of the detail pane, 1 to 5
   * @default 2
   */
  detailPaneColumns?: number | undefined
  /**
   * Color theme
   * @default 'dark'
   */
  theme?: 'dark' | 'light' | undefined
  /**
   * Version of the user interface
   * @default 'content2'
   */
  uiVersion?: 'content' | 'content2' | undefined
}

/** The input of `users.createSignInLink` */
export interface UsersCreateSignInLinkInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The result of `users.createSignInLink` */
export interface UsersCreateSignInLinkOutput {
  /** The link, shown only in this response */
  url: string
  /** Unix milliseconds */
  expiresAt: number
}
