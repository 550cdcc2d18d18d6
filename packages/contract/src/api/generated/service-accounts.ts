// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { EffectivePermissions, PermissionKey } from './auth.ts'
import type { ListOf } from './lists.ts'
import type { AccountSettings, AccountSettingsInput, AccountSettingsPatch, AccountUsage } from './users.ts'

/** The operations of `serviceAccounts`. Users, groups, roles, bundles and service accounts. */
export interface ServiceAccountsApi {
  /**
   * List service accounts.
   *
   * `GET /api/security/serviceAccounts`.
   * Permission: `security.serviceAccounts.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: ServiceAccountsListInput, options?: CallOptions) => Promise<ListOf<ServiceAccount>>

  /**
   * Read a service account.
   *
   * `GET /api/security/serviceAccounts/{id}`.
   * Permission: `security.serviceAccounts.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: ServiceAccountsGetInput, options?: CallOptions) => Promise<ServiceAccount>

  /**
   * Create a service account.
   *
   * The secret is only in this response: the service stores only a keyed hash of it (specification
   * 5.2.4).
   *
   * `POST /api/security/serviceAccounts`.
   * Permission: `security.serviceAccounts.update`.
   *
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.description - Free text.
   * @param input.roles - Role ids.
   * @param input.groups - Group ids.
   * @param input.expiresAt - When the account expires: no token is issued or accepted after that;
   *   null: never.
   * @param input.branchOnly - true: the account reads, and changes content in packages alone. Changes
   *   of main, merges, publishing of sites, rights and settings are refused, whatever grants them.
   * @param input.settings - Settings of the account; absent until they are set.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: ServiceAccountsCreateInput, options?: CallOptions) => Promise<ServiceAccountWithSecret>

  /**
   * Change, disable or enable a service account.
   *
   * `PATCH /api/security/serviceAccounts/{id}`.
   * Permission: `security.serviceAccounts.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.description
   * @param input.roles
   * @param input.groups
   * @param input.expiresAt - Unix milliseconds.
   * @param input.branchOnly
   * @param input.enabled - false: the tokens of the account are rejected at once.
   * @param input.settings
   * @throws `not_found` - Not found.
   * @throws `last_administrator` - No account would have every permission any more: give them all to
   *   another account first.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: ServiceAccountsUpdateInput, options?: CallOptions) => Promise<ServiceAccount>

  /**
   * Delete a service account; its tokens become invalid at once.
   *
   * `DELETE /api/security/serviceAccounts/{id}`.
   * Permission: `security.serviceAccounts.update`.
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
  readonly delete: (input: ServiceAccountsDeleteInput, options?: CallOptions) => Promise<undefined>

  /**
   * Read a service account's effective permissions, and explain one of them.
   *
   * `GET /api/security/serviceAccounts/{id}/permissions`.
   * Permission: `security.serviceAccounts.view`.
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
  readonly permissions: (input: ServiceAccountsPermissionsInput, options?: CallOptions) => Promise<EffectivePermissions>

  /**
   * Read how much a service account has stored and used today, with quota and budget.
   *
   * For your own service account, or for any with `security.serviceAccounts.view`.
   *
   * `GET /api/security/serviceAccounts/{id}/usage`.
   * Permission: any valid token.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly usage: (input: ServiceAccountsUsageInput, options?: CallOptions) => Promise<AccountUsage>

  /**
   * Add a second secret, for rotation.
   *
   * `POST /api/security/serviceAccounts/{id}/secrets`.
   * Permission: `security.serviceAccounts.update`.
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
  readonly addSecret: (input: ServiceAccountsAddSecretInput, options?: CallOptions) => Promise<ServiceAccountWithSecret>

  /**
   * Remove a secret; the tokens of the account become invalid at once.
   *
   * `DELETE /api/security/serviceAccounts/{id}/secrets/{secretId}`.
   * Permission: `security.serviceAccounts.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.secretId - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly removeSecret: (input: ServiceAccountsRemoveSecretInput, options?: CallOptions) => Promise<ServiceAccount>
}

/** A service account (specification 2.17) */
export interface ServiceAccount {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Free text */
  description: string
  /** Role ids */
  roles: string[]
  /** Group ids */
  groups: string[]
  /** When the account expires: no token is issued or accepted after that; null: never */
  expiresAt: number | null
  /**
   * true: the account reads, and changes content in packages alone. Changes of main, merges,
   * publishing of sites, rights and settings are refused, whatever grants them
   */
  branchOnly: boolean
  /** Settings of the account; absent until they are set */
  settings?: AccountSettings | undefined
  /** Whether tokens are issued and accepted */
  enabled: boolean
  /** At most two, for rotation */
  secrets: SecretInfo[]
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

export interface SecretInfo {
  /** An id, as answered by the operation that created it */
  id: string
  /** Unix milliseconds */
  createdDate: number
  /** When a token was last issued for it; null: never */
  lastUsedDate: number | null
}

/** A service account and its new secret */
export interface ServiceAccountWithSecret {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Free text */
  description: string
  /** Role ids */
  roles: string[]
  /** Group ids */
  groups: string[]
  /** When the account expires: no token is issued or accepted after that; null: never */
  expiresAt: number | null
  /**
   * true: the account reads, and changes content in packages alone. Changes of main, merges,
   * publishing of sites, rights and settings are refused, whatever grants them
   */
  branchOnly: boolean
  /** Settings of the account; absent until they are set */
  settings?: AccountSettings | undefined
  /** Whether tokens are issued and accepted */
  enabled: boolean
  /** At most two, for rotation */
  secrets: SecretInfo[]
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
  /** The OAuth2 client secret, shown only in this response */
  secret: string
}

/** The input of `serviceAccounts.list` */
export interface ServiceAccountsListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `serviceAccounts.get` */
export interface ServiceAccountsGetInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `serviceAccounts.create` */
export interface ServiceAccountsCreateInput {
  /** A name for people, 1 to 200 characters */
  name: string
  /**
   * Free text
   * @default ''
   */
  description?: string | undefined
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
   * When the account expires: no token is issued or accepted after that; null: never
   * @default null
   */
  expiresAt?: number | null | undefined
  /**
   * true: the account reads, and changes content in packages alone. Changes of main, merges,
   * publishing of sites, rights and settings are refused, whatever grants them
   * @default false
   */
  branchOnly?: boolean | undefined
  /** Settings of the account; absent until they are set */
  settings?: AccountSettingsInput | undefined
}

/** The input of `serviceAccounts.update` */
export interface ServiceAccountsUpdateInput {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  description?: string | undefined
  roles?: string[] | undefined
  groups?: string[] | undefined
  /** Unix milliseconds */
  expiresAt?: number | null | undefined
  branchOnly?: boolean | undefined
  /** false: the tokens of the account are rejected at once */
  enabled?: boolean | undefined
  settings?: AccountSettingsPatch | undefined
}

/** The input of `serviceAccounts.delete` */
export interface ServiceAccountsDeleteInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `serviceAccounts.permissions` */
export interface ServiceAccountsPermissionsInput {
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

/** The input of `serviceAccounts.usage` */
export interface ServiceAccountsUsageInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `serviceAccounts.addSecret` */
export interface ServiceAccountsAddSecretInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `serviceAccounts.removeSecret` */
export interface ServiceAccountsRemoveSecretInput {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  secretId: string
}
