// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ListOf } from './lists.ts'

/** The operations of `roles`. Users, groups, roles, bundles and service accounts. */
export interface RolesApi {
  /**
   * List roles.
   *
   * `GET /api/security/roles`.
   * Permission: `security.roles.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: RolesListInput, options?: CallOptions) => Promise<ListOf<Role>>

  /**
   * Read a role.
   *
   * `GET /api/security/roles/{id}`.
   * Permission: `security.roles.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: RolesGetInput, options?: CallOptions) => Promise<Role>

  /**
   * Create a role.
   *
   * You can only grant permissions that you have: any other key is 403.
   *
   * `POST /api/security/roles`.
   * Permission: `security.roles.update`.
   *
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.groups - Ids of the groups with this role.
   * @param input.users - Ids of the users with this role.
   * @param input.repos - Legacy coarse permissions.
   * @param input.type - Always `role`, unless you set another value.
   * @param input.description - Free text.
   * @param input.bundles - Ids of the inherited permission bundles: `bundle.<name>`.
   * @param input.permissions - Keys granted globally, by repository and by site.
   * @param input.overrides - Applied after bundles and scoped keys.
   * @param input.branchOnly - true: the role grants only what reads, and changes content in packages
   *   alone. Changes of main, merges, publishing of sites, rights and settings are refused, whatever
   *   grants them.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: RolesCreateInput, options?: CallOptions) => Promise<Role>

  /**
   * Change a role.
   *
   * `PATCH /api/security/roles/{id}`.
   * Permission: `security.roles.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.groups
   * @param input.users
   * @param input.repos
   * @param input.type
   * @param input.description
   * @param input.bundles
   * @param input.permissions - Replaces all permissions.
   * @param input.overrides - Replaces all overrides.
   * @param input.branchOnly
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `last_administrator` - No account would have every permission any more: give them all to
   *   another account first.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: RolesUpdateInput, options?: CallOptions) => Promise<Role>

  /**
   * Delete a role that nobody has.
   *
   * `DELETE /api/security/roles/{id}`.
   * Permission: `security.roles.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `role_in_use` - Users, groups or service accounts still have this role.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: RolesDeleteInput, options?: CallOptions) => Promise<undefined>
}

/** A role (specification 2.6) */
export interface Role {
  /** An id, as answered by the operation that created it */
  id: string
  /** The id in lower case, with `_` for everything except letters and digits */
  searchId: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Ids of the groups with this role */
  groups: string[]
  /** Ids of the users with this role */
  users: string[]
  /** Legacy coarse permissions */
  repos: LegacyRepo[]
  /** Always `role`, unless you set another value */
  type: string
  /** Free text */
  description: string
  /** Ids of the inherited permission bundles: `bundle.<name>` */
  bundles: string[]
  /** Keys granted globally, by repository and by site */
  permissions: RolePermissions
  /** Applied after bundles and scoped keys */
  overrides: {
    /** Keys added everywhere */
    grant: string[]
    /** Keys removed from those that the bundles grant */
    revoke: string[]
  }
  /**
   * true: the role grants only what reads, and changes content in packages alone. Changes of main,
   * merges, publishing of sites, rights and settings are refused, whatever grants them
   */
  branchOnly: boolean
}

export interface LegacyRepo {
  /** The repository's name */
  CACHE_ROOT: string
  /** An id, as answered by the operation that created it */
  id: string
  /** Coarse permission on that repository */
  permission: 'view' | 'write' | 'admin'
}

export interface RolePermissions {
  /** Keys granted everywhere */
  global: string[]
  /**
   * Keys by repository id, or by `<repositoryId>:<typeName>` for one content type. With `@<locale>` at
   * the end, `items.update` and `items.publish` count for that locale alone
   */
  repos: Record<string, string[]>
  /** Keys by site id */
  sites: Record<string, string[]>
}

export interface RolePermissionsInput {
  /**
   * Keys granted everywhere
   * @default []
   */
  global?: string[] | undefined
  /**
   * Keys by repository id, or by `<repositoryId>:<typeName>` for one content type. With `@<locale>` at
   * the end, `items.update` and `items.publish` count for that locale alone
   * @default {}
   */
  repos?: Record<string, string[]> | undefined
  /**
   * Keys by site id
   * @default {}
   */
  sites?: Record<string, string[]> | undefined
}

/** The input of `roles.list` */
export interface RolesListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `roles.get` */
export interface RolesGetInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `roles.create` */
export interface RolesCreateInput {
  /** A name for people, 1 to 200 characters */
  name: string
  /**
   * Ids of the groups with this role
   * @default []
   */
  groups?: string[] | undefined
  /**
   * Ids of the users with this role
   * @default []
   */
  users?: string[] | undefined
  /**
   * Legacy coarse permissions
   * @default []
   */
  repos?: LegacyRepo[] | undefined
  /**
   * Always `role`, unless you set another value
   * @default 'role'
   */
  type?: string | undefined
  /**
   * Free text
   * @default ''
   */
  description?: string | undefined
  /**
   * Ids of the inherited permission bundles: `bundle.<name>`
   * @default []
   */
  bundles?: string[] | undefined
  /** Keys granted globally, by repository and by site */
  permissions?: RolePermissionsInput | undefined
  /** Applied after bundles and scoped keys */
  overrides?: {
    /**
     * Keys added everywhere
     * @default []
     */
    grant?: string[] | undefined
    /**
     * Keys removed from those that the bundles grant
     * @default []
     */
    revoke?: string[] | undefined
  } | undefined
  /**
   * true: the role grants only what reads, and changes content in packages alone. Changes of main,
   * merges, publishing of sites, rights and settings are refused, whatever grants them
   * @default false
   */
  branchOnly?: boolean | undefined
}

/** The input of `roles.update` */
export interface RolesUpdateInput {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  groups?: string[] | undefined
  users?: string[] | undefined
  repos?: LegacyRepo[] | undefined
  type?: string | undefined
  description?: string | undefined
  bundles?: string[] | undefined
  /** Replaces all permissions */
  permissions?: RolePermissionsInput | undefined
  /** Replaces all overrides */
  overrides?: {
    /**
     * Keys added everywhere
     * @default []
     */
    grant?: string[] | undefined
    /**
     * Keys removed from those that the bundles grant
     * @default []
     */
    revoke?: string[] | undefined
  } | undefined
  branchOnly?: boolean | undefined
}

/** The input of `roles.delete` */
export interface RolesDeleteInput {
  /** An id, as answered by the operation that created it */
  id: string
}
