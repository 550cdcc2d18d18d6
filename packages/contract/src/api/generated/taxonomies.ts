// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { HolderShape, Named } from './folders.ts'
import type { UserRef } from './items.ts'
import type { LongListOf } from './lists.ts'

/**
 * The operations of `taxonomies`. Content types, repositories, folders, taxonomies and update
 * packages.
 */
export interface TaxonomiesApi {
  /**
   * List taxonomies, ordered by name.
   *
   * `GET /api/content/management/taxonomies/{configId}`, with `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}`.
   * Permission: `taxonomies.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.text - Words in the name or description; each matches as a prefix.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: TaxonomiesListInput, options?: CallOptions) => Promise<LongListOf<Taxonomy>>

  /**
   * Read a taxonomy.
   *
   * `GET /api/content/management/taxonomies/{configId}/{id}`, with `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{id}`.
   * Permission: `taxonomies.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The taxonomy.
   * @param input.at - The taxonomy as it was or will be at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: TaxonomiesGetInput, options?: CallOptions) => Promise<Taxonomy>

  /**
   * Create a taxonomy.
   *
   * `POST /api/content/management/taxonomies/{configId}`, with `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}`.
   * Permission: `taxonomies.create`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.description - Free text, at most 10 000 characters.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: TaxonomiesCreateInput, options?: CallOptions) => Promise<Taxonomy>

  /**
   * Rename or describe a taxonomy.
   *
   * `PATCH /api/content/management/taxonomies/{configId}/{id}`, with `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{id}`.
   * Permission: `taxonomies.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The taxonomy.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.description - Free text, at most 10 000 characters.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: TaxonomiesUpdateInput, options?: CallOptions) => Promise<Taxonomy>

  /**
   * Delete a taxonomy.
   *
   * A taxonomy with categories needs `recursive`. Its categories are then deleted too and removed from
   * their items: all or nothing, and at most 1000 categories and 1000 items. Rejected while a content
   * type has a field for its categories.
   *
   * `DELETE /api/content/management/taxonomies/{configId}/{id}`, with `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{id}`.
   * Permission: `taxonomies.delete`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The taxonomy.
   * @param input.recursive - Also delete everything in it.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `referenced` - Other items refer to this one: see details.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: TaxonomiesDeleteInput, options?: CallOptions) => Promise<TaxonomiesDeleteOutput | undefined>
}

/** A taxonomy: a tree of categories */
export interface Taxonomy {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** Unique in the repository, ignoring case */
  name: string
  /** Free text, at most 10 000 characters */
  description: string
  /** The package that this version belongs to; null on main */
  packageName: string | null
  /** The newest version on its branch */
  currentVersion: number
  /** Unix milliseconds */
  createdDate: number
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
  /** Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
}

/** The input of `taxonomies.list` */
export interface TaxonomiesListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Words in the name or description; each matches as a prefix */
  text?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
}

/** The input of `taxonomies.get` */
export interface TaxonomiesGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  id: string
  /** The taxonomy as it was or will be at this time, Unix milliseconds */
  at?: number | undefined
}

/** The input of `taxonomies.create` */
export interface TaxonomiesCreateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name: string
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
}

/** The input of `taxonomies.update` */
export interface TaxonomiesUpdateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  id: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
}

/** The input of `taxonomies.delete` */
export interface TaxonomiesDeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  id: string
  /** Also delete everything in it */
  recursive?: boolean | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `taxonomies.delete` */
export interface TaxonomiesDeleteOutput {
  /** A taxonomy: a tree of categories */
  deleted: Taxonomy
  /** Categories that are deleted with it */
  categories: Named[]
  /** Items that lose a category */
  decategorized: HolderShape[]
}
