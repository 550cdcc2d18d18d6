// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { HolderShape, Named } from './folders.ts'
import type { UserRef } from './items.ts'
import type { ListOf } from './lists.ts'

/**
 * The operations of `categories`. Content types, repositories, folders, taxonomies and update
 * packages.
 */
export interface CategoriesApi {
  /**
   * List the categories of a taxonomy, in tree order.
   *
   * Each category is followed by the categories in it; siblings are ordered by `order`, then by name.
   * At most 10000 categories: request fewer levels of a larger tree.
   *
   * `GET /api/content/management/taxonomies/{configId}/{taxonomyId}/categories`, with `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{taxonomyId}/categories`.
   * Permission: `taxonomies.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.taxonomyId - The taxonomy.
   * @param input.parentId - Only categories below this one.
   * @param input.depth - Levels to return; 1: direct children only. Default: all.
   * @param input.text - Words in the name or description; each matches as a prefix.
   * @param input.at - The categories as they were at this time, Unix milliseconds.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: CategoriesListInput, options?: CallOptions) => Promise<ListOf<CategoryNode>>

  /**
   * Read a category.
   *
   * `GET /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}`, with
   * `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{taxonomyId}/categories/{id}`.
   * Permission: `taxonomies.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.taxonomyId - The taxonomy.
   * @param input.id - The category.
   * @param input.at - The category as it was or will be at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: CategoriesGetInput, options?: CallOptions) => Promise<Category>

  /**
   * Create a category.
   *
   * `POST /api/content/management/taxonomies/{configId}/{taxonomyId}/categories`, with `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{taxonomyId}/categories`.
   * Permission: `taxonomies.create`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.taxonomyId - The taxonomy.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.parentId - The parent category; null: the top level.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: CategoriesCreateInput, options?: CallOptions) => Promise<Category>

  /**
   * Rename, describe or reorder a category.
   *
   * Items show the new name at once; they do not get a new version.
   *
   * `PATCH /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}`, with
   * `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{taxonomyId}/categories/{id}`.
   * Permission: `taxonomies.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.taxonomyId - The taxonomy.
   * @param input.id - The category.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: CategoriesUpdateInput, options?: CallOptions) => Promise<Category>

  /**
   * Delete a category and remove it from its items.
   *
   * Each item in the category gets a new version without it. A category with child categories needs
   * `recursive`. All or nothing, and at most 1000 categories and items.
   *
   * `DELETE /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}`, with
   * `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{taxonomyId}/categories/{id}`.
   * Permission: `taxonomies.delete`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.taxonomyId - The taxonomy.
   * @param input.id - The category.
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
  readonly delete: (input: CategoriesDeleteInput, options?: CallOptions) => Promise<CategoriesDeleteOutput | undefined>

  /**
   * Move a category and everything below it.
   *
   * Only within its taxonomy, and not below itself. A tree has at most 50 levels.
   *
   * `POST /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}/move`, with
   * `packageName`
   * `/api/content/management/taxonomies/{configId}/_package/{packageName}/{taxonomyId}/categories/{id}/move`.
   * Permission: `taxonomies.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.taxonomyId - The taxonomy.
   * @param input.id - The category.
   * @param input.parentId - The parent category; null: the top level.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.order - Position among its siblings, the smallest first; siblings with the same
   *   number are ordered by name.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly move: (input: CategoriesMoveInput, options?: CallOptions) => Promise<Category>
}

/** A category in a list in tree order */
export interface CategoryNode {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** An id, as answered by the operation that created it */
  taxonomyId: string
  /** Unique among its sibling categories, ignoring case */
  name: string
  /** Free text, at most 10 000 characters */
  description: string
  /** The parent category; null at the top level */
  parentId: string | null
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order: number
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
  /** Its ancestors, the topmost first; empty at the top level */
  path: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
  }[]
  /** 1 for the first level of the response */
  depth: number
}

/** A category of a taxonomy */
export interface Category {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** An id, as answered by the operation that created it */
  taxonomyId: string
  /** Unique among its sibling categories, ignoring case */
  name: string
  /** Free text, at most 10 000 characters */
  description: string
  /** The parent category; null at the top level */
  parentId: string | null
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order: number
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
  /** Its ancestors, the topmost first; empty at the top level */
  path: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
  }[]
}

/** The input of `categories.list` */
export interface CategoriesListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  taxonomyId: string
  /** Only categories below this one */
  parentId?: string | undefined
  /** Levels to return; 1: direct children only. Default: all */
  depth?: number | undefined
  /** Words in the name or description; each matches as a prefix */
  text?: string | undefined
  /** The categories as they were at this time, Unix milliseconds */
  at?: number | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `categories.get` */
export interface CategoriesGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  taxonomyId: string
  /** The category */
  id: string
  /** The category as it was or will be at this time, Unix milliseconds */
  at?: number | undefined
}

/** The input of `categories.create` */
export interface CategoriesCreateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  taxonomyId: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name: string
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /**
   * The parent category; null: the top level
   * @default null
   */
  parentId?: string | null | undefined
  /**
   * Position among its siblings, the smallest first; siblings with the same number are ordered by name
   * @default 0
   */
  order?: number | undefined
}

/** The input of `categories.update` */
export interface CategoriesUpdateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  taxonomyId: string
  /** The category */
  id: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order?: number | undefined
}

/** The input of `categories.delete` */
export interface CategoriesDeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  taxonomyId: string
  /** The category */
  id: string
  /** Also delete everything in it */
  recursive?: boolean | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `categories.delete` */
export interface CategoriesDeleteOutput {
  /** A category of a taxonomy */
  deleted: Category
  /** Categories that are deleted with it */
  categories: Named[]
  /** Items that lose a category */
  decategorized: HolderShape[]
}

/** The input of `categories.move` */
export interface CategoriesMoveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The taxonomy */
  taxonomyId: string
  /** The category */
  id: string
  /** The parent category; null: the top level */
  parentId: string | null
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Position among its siblings, the smallest first; siblings with the same number are ordered by name */
  order?: number | undefined
}
