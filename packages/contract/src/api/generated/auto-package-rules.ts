// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ItemStatus } from './items.ts'
import type { ListOf } from './lists.ts'

/**
 * The operations of `autoPackageRules`. Content types, repositories, folders, taxonomies and update
 * packages.
 */
export interface AutoPackageRulesApi {
  /**
   * List the auto-package rules of a repository.
   *
   * `GET /api/content/management/packages/auto-package/rules`.
   * Permission: `packages.view`.
   *
   * @param input.repositoryId - A repository's id or name.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: AutoPackageRulesListInput, options?: CallOptions) => Promise<ListOf<AutoPackageRule>>

  /**
   * Read an auto-package rule.
   *
   * `GET /api/content/management/packages/auto-package/rules/{id}`.
   * Permission: `packages.view`.
   *
   * @param input.id - The rule.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: AutoPackageRulesGetInput, options?: CallOptions) => Promise<AutoPackageRule>

  /**
   * Create an auto-package rule.
   *
   * From then on, saves to main that match the rule are 409 `auto_package_required`.
   *
   * `POST /api/content/management/packages/auto-package/rules`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.repositoryId - A repository's id or name.
   * @param input.name - Unique in the repository.
   * @param input.types - Names of the content types that it applies to; empty: all.
   * @param input.folders - Folders that it applies to, including all folders below them; empty: all.
   * @param input.statuses - Status that the item has before the save (a new item is a draft); empty:
   *   all.
   * @param input.enabled - Whether the rule is in effect.
   * @param input.packageNameTemplate - Liquid template with `item`, `rule` and `date` (YYYY-MM-DD):
   *   the name of a new package if none is given.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: AutoPackageRulesCreateInput, options?: CallOptions) => Promise<AutoPackageRule>

  /**
   * Change an auto-package rule.
   *
   * Only the members that are sent change; lists are replaced as a whole.
   *
   * `PATCH /api/content/management/packages/auto-package/rules/{id}`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.id - The rule.
   * @param input.name - Unique in the repository.
   * @param input.types - Names of the content types that it applies to; empty: all.
   * @param input.folders - Folders that it applies to, including all folders below them; empty: all.
   * @param input.statuses - Status that the item has before the save (a new item is a draft); empty:
   *   all.
   * @param input.enabled - Whether the rule is in effect.
   * @param input.packageNameTemplate - Liquid template with `item`, `rule` and `date` (YYYY-MM-DD):
   *   the name of a new package if none is given.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: AutoPackageRulesUpdateInput, options?: CallOptions) => Promise<AutoPackageRule>

  /**
   * Delete an auto-package rule.
   *
   * `DELETE /api/content/management/packages/auto-package/rules/{id}`.
   * Permission: `admin.repositories.update`.
   *
   * @param input.id - The rule.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: AutoPackageRulesDeleteInput, options?: CallOptions) => Promise<undefined>
}

/** A rule: saves to main that match it must go through a package */
export interface AutoPackageRule {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** Unique in the repository */
  name: string
  /** Names of the content types that it applies to; empty: all */
  types: string[]
  /** Folders that it applies to, including all folders below them; empty: all */
  folders: string[]
  /** Status that the item has before the save (a new item is a draft); empty: all */
  statuses: ItemStatus[]
  /** Whether the rule is in effect */
  enabled: boolean
  /**
   * Liquid template with `item`, `rule` and `date` (YYYY-MM-DD): the name of a new package if none is
   * given
   */
  packageNameTemplate: string | null
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** The input of `autoPackageRules.list` */
export interface AutoPackageRulesListInput {
  /** A repository's id or name */
  repositoryId: string
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `autoPackageRules.get` */
export interface AutoPackageRulesGetInput {
  /** The rule */
  id: string
}

/** The input of `autoPackageRules.create` */
export interface AutoPackageRulesCreateInput {
  /** A repository's id or name */
  repositoryId: string
  /** Unique in the repository */
  name: string
  /**
   * Names of the content types that it applies to; empty: all
   * @default []
   */
  types?: string[] | undefined
  /**
   * Folders that it applies to, including all folders below them; empty: all
   * @default []
   */
  folders?: string[] | undefined
  /**
   * Status that the item has before the save (a new item is a draft); empty: all
   * @default []
   */
  statuses?: ItemStatus[] | undefined
  /**
   * Whether the rule is in effect
   * @default true
   */
  enabled?: boolean | undefined
  /**
   * Liquid template with `item`, `rule` and `date` (YYYY-MM-DD): the name of a new package if none is
   * given
   * @default null
   */
  packageNameTemplate?: string | null | undefined
}

/** The input of `autoPackageRules.update` */
export interface AutoPackageRulesUpdateInput {
  /** The rule */
  id: string
  /** Unique in the repository */
  name?: string | undefined
  /** Names of the content types that it applies to; empty: all */
  types?: string[] | undefined
  /** Folders that it applies to, including all folders below them; empty: all */
  folders?: string[] | undefined
  /** Status that the item has before the save (a new item is a draft); empty: all */
  statuses?: ItemStatus[] | undefined
  /** Whether the rule is in effect */
  enabled?: boolean | undefined
  /**
   * Liquid template with `item`, `rule` and `date` (YYYY-MM-DD): the name of a new package if none is
   * given
   */
  packageNameTemplate?: string | null | undefined
}

/** The input of `autoPackageRules.delete` */
export interface AutoPackageRulesDeleteInput {
  /** The rule */
  id: string
}
