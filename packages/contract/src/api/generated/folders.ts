// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { UserRef } from './items.ts'
import type { LongListOf } from './lists.ts'

/** The operations of `folders`. Content types, repositories, folders, taxonomies and update packages. */
export interface FoldersApi {
  /**
   * List folders, ordered by name.
   *
   * `GET /api/content/management/folders/{configId}`, with `packageName`
   * `/api/content/management/folders/{configId}/_package/{packageName}`.
   * Permission: `folders.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.parentId - Only direct children of this one; `none`: only the top level.
   * @param input.text - Words in the name or description; each matches as a prefix.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: FoldersListInput, options?: CallOptions) => Promise<LongListOf<Folder>>

  /**
   * Read the folder tree, or the part below one folder.
   *
   * Each folder is followed by the folders in it; siblings are ordered by name. At most 10000 folders:
   * request fewer levels of a larger tree.
   *
   * `GET /api/content/management/folders/{configId}/tree`, with `packageName`
   * `/api/content/management/folders/{configId}/_package/{packageName}/tree`.
   * Permission: `folders.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.parentId - Only folders below this one.
   * @param input.depth - Levels to return; 1: direct children only. Default: all.
   * @param input.at - The tree as it was at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly tree: (input: FoldersTreeInput, options?: CallOptions) => Promise<FoldersTreeOutput>

  /**
   * Read a folder.
   *
   * `GET /api/content/management/folders/{configId}/{id}`, with `packageName`
   * `/api/content/management/folders/{configId}/_package/{packageName}/{id}`.
   * Permission: `folders.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The folder.
   * @param input.at - The folder as it was or will be at this time, Unix milliseconds.
   * @throws `not_found` - Not found.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: FoldersGetInput, options?: CallOptions) => Promise<Folder>

  /**
   * Create a folder.
   *
   * `POST /api/content/management/folders/{configId}`, with `packageName`
   * `/api/content/management/folders/{configId}/_package/{packageName}`.
   * Permission: `folders.create`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.parentId - The parent folder; null: the top level.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: FoldersCreateInput, options?: CallOptions) => Promise<Folder>

  /**
   * Rename or describe a folder.
   *
   * `PATCH /api/content/management/folders/{configId}/{id}`, with `packageName`
   * `/api/content/management/folders/{configId}/_package/{packageName}/{id}`.
   * Permission: `folders.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The folder.
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
  readonly update: (input: FoldersUpdateInput, options?: CallOptions) => Promise<Folder>

  /**
   * Move a folder and everything in it.
   *
   * A folder cannot be moved below itself, and a tree has at most 50 levels.
   *
   * `POST /api/content/management/folders/{configId}/{id}/move`, with `packageName`
   * `/api/content/management/folders/{configId}/_package/{packageName}/{id}/move`.
   * Permission: `folders.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The folder.
   * @param input.parentId - The parent folder; null: the top level.
   * @param input.name - 1 to 200 characters, without slashes; unique among its siblings, ignoring
   *   case.
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
  readonly move: (input: FoldersMoveInput, options?: CallOptions) => Promise<Folder>

  /**
   * Delete a folder.
   *
   * A folder that is not empty needs `recursive`. Its folders and items are then deleted too, each by
   * its own rules: all of them or none, and at most 1000. Rejected while an item elsewhere refers to
   * one of them through a `restrict` field.
   *
   * `DELETE /api/content/management/folders/{configId}/{id}`, with `packageName`
   * `/api/content/management/folders/{configId}/_package/{packageName}/{id}`.
   * Permission: `folders.delete`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The folder.
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
  readonly delete: (input: FoldersDeleteInput, options?: CallOptions) => Promise<FoldersDeleteOutput | undefined>
}

/** A folder, which contains items and other folders */
export interface Folder {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** Unique among its sibling folders, ignoring case */
  name: string
  /** Free text, at most 10 000 characters */
  description: string
  /** The parent folder; null at the top level */
  parentId: string | null
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

/** A folder in a tree */
export interface FolderNode {
  /** An id, as answered by the operation that created it */
  id: string
  name: string
  /** The parent folder; null at the top level */
  parentId: string | null
  /** 1 for the first level of the response */
  depth: number
}

export interface Named {
  /** An id, as answered by the operation that created it */
  id: string
  name: string
}

export interface HolderShape {
  /** An id, as answered by the operation that created it */
  id: string
  path: string
}

/** The input of `folders.list` */
export interface FoldersListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Only direct children of this one; `none`: only the top level */
  parentId?: string | undefined
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

/** The input of `folders.tree` */
export interface FoldersTreeInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Only folders below this one */
  parentId?: string | undefined
  /** Levels to return; 1: direct children only. Default: all */
  depth?: number | undefined
  /** The tree as it was at this time, Unix milliseconds */
  at?: number | undefined
}

/** The result of `folders.tree` */
export interface FoldersTreeOutput {
  /** Folders in the response */
  count: number
  items: FolderNode[]
}

/** The input of `folders.get` */
export interface FoldersGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The folder */
  id: string
  /** The folder as it was or will be at this time, Unix milliseconds */
  at?: number | undefined
}

/** The input of `folders.create` */
export interface FoldersCreateInput {
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
  /**
   * The parent folder; null: the top level
   * @default null
   */
  parentId?: string | null | undefined
}

/** The input of `folders.update` */
export interface FoldersUpdateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The folder */
  id: string
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
}

/** The input of `folders.move` */
export interface FoldersMoveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The folder */
  id: string
  /** The parent folder; null: the top level */
  parentId: string | null
  /** 1 to 200 characters, without slashes; unique among its siblings, ignoring case */
  name?: string | undefined
}

/** The input of `folders.delete` */
export interface FoldersDeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The folder */
  id: string
  /** Also delete everything in it */
  recursive?: boolean | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `folders.delete` */
export interface FoldersDeleteOutput {
  /** A folder, which contains items and other folders */
  deleted: Folder
  /** Folders that are deleted with it */
  folders: Named[]
  /** Items that are deleted with it */
  items: Named[]
  /** References that are removed with it */
  unset: HolderShape[]
}
