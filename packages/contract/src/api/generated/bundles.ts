// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { PermissionKey } from './auth.ts'
import type { ListOf } from './lists.ts'

/** The operations of `bundles`. Users, groups, roles, bundles and service accounts. */
export interface BundlesApi {
  /**
   * List permission bundles, including the built-in ones.
   *
   * `GET /api/security/bundles`.
   * Permission: `security.roles.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: BundlesListInput, options?: CallOptions) => Promise<ListOf<Bundle>>

  /**
   * Read a permission bundle.
   *
   * `GET /api/security/bundles/{id}`.
   * Permission: `security.roles.view`.
   *
   * @param input.id - `bundle.<name>`.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: BundlesGetInput, options?: CallOptions) => Promise<Bundle>

  /**
   * Create a permission bundle.
   *
   * You can only grant permissions that you have: any other key is 403.
   *
   * `POST /api/security/bundles`.
   * Permission: `security.roles.update`.
   *
   * @param input.id - `bundle.<name>`.
   * @param input.name - Display name.
   * @param input.description - Free text.
   * @param input.permissions - The keys that it grants, everywhere.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: BundlesCreateInput, options?: CallOptions) => Promise<Bundle>

  /**
   * Change a permission bundle in all roles that have it.
   *
   * `PATCH /api/security/bundles/{id}`.
   * Permission: `security.roles.update`.
   *
   * @param input.id - `bundle.<name>`.
   * @param input.name - Display name.
   * @param input.description
   * @param input.permissions - The keys that it grants, everywhere.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `last_administrator` - No account would have every permission any more: give them all to
   *   another account first.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: BundlesUpdateInput, options?: CallOptions) => Promise<Bundle>

  /**
   * Delete a permission bundle that no role has.
   *
   * `DELETE /api/security/bundles/{id}`.
   * Permission: `security.roles.update`.
   *
   * @param input.id - `bundle.<name>`.
   * @throws `not_found` - Not found.
   * @throws `bundle_in_use` - Roles still have this bundle.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: BundlesDeleteInput, options?: CallOptions) => Promise<undefined>
}

/** A named set of permission keys (specification 5.2.5) */
export interface Bundle {
  /** `bundle.<name>` */
  id: string
  /** Display name */
  name: string
  /** Free text */
  description: string
  /** The keys that it grants, everywhere */
  permissions: PermissionKey[]
  /** Whether the bundle is built in; built-in bundles are read-only */
  isBuiltIn: boolean
}

/** The input of `bundles.list` */
export interface BundlesListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `bundles.get` */
export interface BundlesGetInput {
  /** `bundle.<name>` */
  id: string
}

/** The input of `bundles.create` */
export interface BundlesCreateInput {
  /** `bundle.<name>` */
  id: string
  /** Display name */
  name: string
  /**
   * Free text
   * @default ''
   */
  description?: string | undefined
  /** The keys that it grants, everywhere */
  permissions: PermissionKey[]
}

/** The input of `bundles.update` */
export interface BundlesUpdateInput {
  /** `bundle.<name>` */
  id: string
  /** Display name */
  name?: string | undefined
  description?: string | undefined
  /** The keys that it grants, everywhere */
  permissions?: PermissionKey[] | undefined
}

/** The input of `bundles.delete` */
export interface BundlesDeleteInput {
  /** `bundle.<name>` */
  id: string
}
