// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ListOf } from './lists.ts'
import type { LegacyRepo } from './roles.ts'

/** The operations of `groups`. Users, groups, roles, bundles and service accounts. */
export interface GroupsApi {
  /**
   * List groups.
   *
   * `GET /api/security/groups`.
   * Permission: `security.groups.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: GroupsListInput, options?: CallOptions) => Promise<ListOf<Group>>

  /**
   * Read a group.
   *
   * `GET /api/security/groups/{id}`.
   * Permission: `security.groups.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: GroupsGetInput, options?: CallOptions) => Promise<Group>

  /**
   * Create a group.
   *
   * You can only grant permissions that you have: a role or repository that grants more is 403.
   *
   * `POST /api/security/groups`.
   * Permission: `security.groups.update`.
   *
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.groups - Ids of the groups that this group is in; its members get their roles.
   * @param input.users - Ids of the users in the group.
   * @param input.roles - Role ids.
   * @param input.repos - Legacy coarse permissions.
   * @param input.type - Always `group`, unless you set another value.
   * @param input.description - Free text.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: GroupsCreateInput, options?: CallOptions) => Promise<Group>

  /**
   * Change a group.
   *
   * `PATCH /api/security/groups/{id}`.
   * Permission: `security.groups.update`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.groups
   * @param input.users
   * @param input.roles
   * @param input.repos
   * @param input.type
   * @param input.description
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `last_administrator` - No account would have every permission any more: give them all to
   *   another account first.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly update: (input: GroupsUpdateInput, options?: CallOptions) => Promise<Group>

  /**
   * Delete a group; its members lose its permissions at once.
   *
   * `DELETE /api/security/groups/{id}`.
   * Permission: `security.groups.update`.
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
  readonly delete: (input: GroupsDeleteInput, options?: CallOptions) => Promise<undefined>
}

/** A group (specification 2.8) */
export interface Group {
  /** An id, as answered by the operation that created it */
  id: string
  /** The id in lower case, with `_` for everything except letters and digits */
  searchId: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Ids of the groups that this group is in; its members get their roles */
  groups: string[]
  /** Ids of the users in the group */
  users: string[]
  /** Role ids */
  roles: string[]
  /** Legacy coarse permissions */
  repos: LegacyRepo[]
  /** Always `group`, unless you set another value */
  type: string
  /** Free text */
  description: string
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** The input of `groups.list` */
export interface GroupsListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `groups.get` */
export interface GroupsGetInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `groups.create` */
export interface GroupsCreateInput {
  /** A name for people, 1 to 200 characters */
  name: string
  /**
   * Ids of the groups that this group is in; its members get their roles
   * @default []
   */
  groups?: string[] | undefined
  /**
   * Ids of the users in the group
   * @default []
   */
  users?: string[] | undefined
  /**
   * Role ids
   * @default []
   */
  roles?: string[] | undefined
  /**
   * Legacy coarse permissions
   * @default []
   */
  repos?: LegacyRepo[] | undefined
  /**
   * Always `group`, unless you set another value
   * @default 'group'
   */
  type?: string | undefined
  /**
   * Free text
   * @default ''
   */
  description?: string | undefined
}

/** The input of `groups.update` */
export interface GroupsUpdateInput {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  groups?: string[] | undefined
  users?: string[] | undefined
  roles?: string[] | undefined
  repos?: LegacyRepo[] | undefined
  type?: string | undefined
  description?: string | undefined
}

/** The input of `groups.delete` */
export interface GroupsDeleteInput {
  /** An id, as answered by the operation that created it */
  id: string
}
