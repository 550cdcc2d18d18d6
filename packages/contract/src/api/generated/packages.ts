// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'
import type { FieldChange, UserRef } from './items.ts'
import type { ListOf, LongListOf } from './lists.ts'

/** The operations of `packages`. Content types, repositories, folders, taxonomies and update packages. */
export interface PackagesApi {
  /**
   * List the packages of a repository.
   *
   * Deleted packages are left out, unless `state` selects them.
   *
   * `GET /api/content/management/packages/{repo}`.
   * Permission: `packages.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.state - Only packages in this state.
   * @param input.review - Only packages with this decision.
   * @param input.agent - Only packages that this account created as an agent; `*`: any agent.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: PackagesListInput, options?: CallOptions) => Promise<ListOf<Package>>

  /**
   * Read a package.
   *
   * `GET /api/content/management/packages/{repo}/{packageName}`.
   * Permission: `packages.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: PackagesGetInput, options?: CallOptions) => Promise<Package>

  /**
   * List the changes of a package.
   *
   * Ordered by kind and id. Changes of entities that you may not read are left out.
   *
   * `GET /api/content/management/packages/{repo}/{packageName}/changes`.
   * Permission: `packages.diff.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly changes: (input: PackagesChangesInput, options?: CallOptions) => Promise<LongListOf<PackageChange>>

  /**
   * Compare a package with its base versions, field by field.
   *
   * `GET /api/content/management/packages/{repo}/{packageName}/diff`.
   * Permission: `packages.diff.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly diff: (input: PackagesDiffInput, options?: CallOptions) => Promise<LongListOf<PackageDifference>>

  /**
   * List the conflicts of a package with main.
   *
   * Returns at most 1000 conflicts, and their total number. `planId` identifies the state of both
   * sides that they were found in. You have to be permitted to read all that the package contains.
   *
   * `GET /api/content/management/packages/{repo}/{packageName}/conflicts`.
   * Permission: `packages.diff.view` or `packages.merge`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly conflicts: (input: PackagesConflictsInput, options?: CallOptions) => Promise<PackagesConflictsOutput>

  /**
   * Compare the pages of sites on main and in a package (specification 4.3).
   *
   * Renders each page that differs as HTML with insertions and deletions marked, both side by side and
   * inline. Content that you may not read is left out. At most 100 pages. The response has the URL of
   * the comparison.
   *
   * `POST /api/content/management/packages/{repo}/{packageName}/page-diff`.
   * Permission: `packages.diff.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.sectionPath - Only pages in the section at this path within its site, and in the
   *   sections below it.
   * @param input.pageSlug - Only pages with this slug.
   * @param input.changeType - Only pages that the package would `create`, `update`, `delete`, or
   *   `move` to another address.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly pageDiff: (input: PackagesPageDiffInput, options?: CallOptions) => Promise<PageDiff>

  /**
   * View a comparison of pages.
   *
   * HTML without scripts. Needs `packages.diff.view` for the package of the comparison. It expires
   * after a while.
   *
   * `GET /api/content/management/page-diffs/{diffKey}`.
   * Permission: `packages.diff.view`.
   *
   * @param input.diffKey - The `diffKey` of the comparison.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly showPageDiff: (input: PackagesShowPageDiffInput, options?: CallOptions) => Promise<Binary>

  /**
   * Create a package.
   *
   * A new package has no changes: reading from it shows main. To write to it, send `packageName` to
   * any operation that accepts it, such as those on items.
   *
   * `POST /api/content/management/packages/{repo}`.
   * Permission: `packages.create`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.name - Unique in the repository; segments of letters and digits of any script,
   *   spaces, - and _, separated by `/`: `agent/translator/2026-11-27`.
   * @param input.description - Free text, at most 10 000 characters.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: PackagesCreateInput, options?: CallOptions) => Promise<Package>

  /**
   * Change the description of a package.
   *
   * The name cannot change, because it is part of URLs and of the changes in the package.
   *
   * `PATCH /api/content/management/packages/{repo}/{packageName}`.
   * Permission: `packages.update`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.description - Free text, at most 10 000 characters.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: PackagesUpdateInput, options?: CallOptions) => Promise<Package>

  /**
   * Delete a package and its changes.
   *
   * Main stays as it is. The record remains as a tombstone in state `deleted`; the name can be used
   * again.
   *
   * `DELETE /api/content/management/packages/{repo}/{packageName}`.
   * Permission: `packages.delete`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: PackagesDeleteInput, options?: CallOptions) => Promise<PackagesDeleteOutput | undefined>

  /**
   * Add an unchanged item to a package.
   *
   * Pins the item: later changes on main do not show in the package. Adding it a second time changes
   * nothing.
   *
   * `POST /api/content/management/packages/{repo}/{packageName}/items`.
   * Permission: `packages.update`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.id - The item.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly addItem: (input: PackagesAddItemInput, options?: CallOptions) => Promise<PackageChange>

  /**
   * Drop the changes of a package to one entity.
   *
   * The package then shows the entity as it is on main.
   *
   * `DELETE /api/content/management/packages/{repo}/{packageName}/changes/{entityId}`.
   * Permission: `packages.update`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.entityId - The changed entity.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `referenced` - Other items refer to this one: see details.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `value_taken` - Another item of this type has this unique value.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly removeChange: (input: PackagesRemoveChangeInput, options?: CallOptions) => Promise<PackageChange | undefined>

  /**
   * Bring the changes on main into a package.
   *
   * Only for entities that the package has changed or pinned; it shows everything else as it is on
   * main anyway. A three-way merge, as in merge.
   *
   * `POST /api/content/management/packages/{repo}/{packageName}/sync`.
   * Permission: `packages.merge`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.resolutions - How to resolve conflicts, by entity and path.
   * @param input.planId - The `planId` of a dry run or of `conflicts`. Rejected with 409 `plan_stale`
   *   if either side has changed since.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `plan_stale` - The package or main has changed since this plan was made: review the new
   *   plan first.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly sync: (input: PackagesSyncInput, options?: CallOptions) => Promise<MergeReport>

  /**
   * Merge a package into main.
   *
   * All or nothing. A three-way merge, member by member: the base is the version on main that each
   * change started from. Lists of references and categories are merged as sets, texts line by line.
   * Conflicts are 409 `merge_conflict`.
   *
   * `POST /api/content/management/packages/{repo}/{packageName}/merge`.
   * Permission: `packages.merge`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.resolutions - How to resolve conflicts, by entity and path.
   * @param input.planId - The `planId` of a dry run or of `conflicts`. Rejected with 409 `plan_stale`
   *   if either side has changed since.
   * @param input.publish - Publish every item in the package; needs `items.publish`.
   * @param input.mergeAt - When to merge, in Unix milliseconds, with the permissions that you have at
   *   that time. Until then the package is `scheduled` and accepts no changes; the response is what
   *   would be merged now. null reopens a scheduled package. Default: now.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `plan_stale` - The package or main has changed since this plan was made: review the new
   *   plan first.
   * @throws `not_publishable` - The item is not complete: see issues.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly merge: (input: PackagesMergeInput, options?: CallOptions) => Promise<MergeReport>

  /**
   * Create a package that reverts a merge.
   *
   * Creates an open package whose changes undo those of the merge. Review and merge it like any other.
   *
   * `POST /api/content/management/packages/{repo}/{packageName}/revert`.
   * Permission: `packages.merge`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.name - Default: `revert-` and the name of the package.
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly revert: (input: PackagesRevertInput, options?: CallOptions) => Promise<Package>

  /**
   * List the comments on a package.
   *
   * By id, oldest first. Comments on what you may not read are left out.
   *
   * `GET /api/content/management/packages/{repo}/{packageName}/comments`.
   * Permission: `packages.view`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.state - Only comments in this state.
   * @param input.entityId - Only comments on this entity.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly comments: (input: PackagesCommentsInput, options?: CallOptions) => Promise<ListOf<PackageComment>>

  /**
   * Comment on a package, or decide about it.
   *
   * In any state of the package. To approve it or to request changes you also need `packages.merge`,
   * as you do to ask for the review of an approved package of others. At most 1000 comments, half of
   * them by agents.
   *
   * `POST /api/content/management/packages/{repo}/{packageName}/comments`.
   * Permission: `packages.comment`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.body - Plain text, 1 to 10 000 characters.
   * @param input.entityId - The changed entity that it is about.
   * @param input.path - The member of the entity in dot notation; empty, the default: all of it.
   * @param input.parentId - The comment that it answers, and whose entity it is about.
   * @param input.decision - request: people are asked to review the package; approve: it may be
   *   merged; requestChanges: it is sent back.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly addComment: (input: PackagesAddCommentInput, options?: CallOptions) => Promise<PackageComment>

  /**
   * Change the text of a comment, resolve it or open it again.
   *
   * Only its author can change the text.
   *
   * `PATCH /api/content/management/packages/{repo}/{packageName}/comments/{id}`.
   * Permission: `packages.comment`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.id - The comment.
   * @param input.body - Plain text, 1 to 10 000 characters.
   * @param input.state - Whether something remains to be done. An answer has the state of the comment
   *   that it answers.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly updateComment: (input: PackagesUpdateCommentInput, options?: CallOptions) => Promise<PackageComment>

  /**
   * List the links that show a package to people without an account.
   *
   * By id, oldest first. Expired links are left out. The addresses are not stored.
   *
   * `GET /api/content/management/packages/{repo}/{packageName}/share-links`.
   * Permission: `packages.update`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly shareLinks: (input: PackagesShareLinksInput, options?: CallOptions) => Promise<ListOf<ShareLink>>

  /**
   * Create a link that shows a package to people without an account.
   *
   * Whoever has the address sees the pages of the package, and how they differ from those of main, as
   * far as you may read them, and for as long as you may. They can change nothing. Only a hash of the
   * address is stored. At most 100 links for a package; not for agents.
   *
   * `POST /api/content/management/packages/{repo}/{packageName}/share-links`.
   * Permission: `packages.update`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.expiresAt - When it stops working, Unix milliseconds: in 7 days by default, in 90
   *   days at most.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly addShareLink: (input: PackagesAddShareLinkInput, options?: CallOptions) => Promise<PackagesAddShareLinkOutput>

  /**
   * Revoke a share link.
   *
   * Its address stops working at once.
   *
   * `DELETE /api/content/management/packages/{repo}/{packageName}/share-links/{id}`.
   * Permission: `packages.update`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.packageName - The name of the package; in a path, a slash in it is `%2F`.
   * @param input.id - The link.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly removeShareLink: (input: PackagesRemoveShareLinkInput, options?: CallOptions) => Promise<undefined>

  /**
   * View what a share link shows.
   *
   * Without a token of an account. An empty path is a page that leads to the others: `changes`, the
   * pages compared with those of main (at most a minute old); `sites/{siteId}/…`, previews of the
   * pages; and the files in them.
   *
   * `GET /shared/{token}/{path*}`.
   * Public: needs no token.
   *
   * @param input.token - The last part of the address of the link.
   * @param input.path - What to show; empty: an overview.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `too_many_requests`, `internal`, `unavailable` - As every operation of its
   *   kind.
   */
  readonly shared: (input: PackagesSharedInput, options?: CallOptions) => Promise<Binary>

  /**
   * Take back all that an agent did.
   *
   * Deletes the packages of the agent that are not merged, then reverts the merged ones and merges the
   * reverts, newest merge first. Each package is a transaction of its own: one that fails stops no
   * other. Packages that others created, and merges that are undone already, are left out. At most 500
   * packages: `count` is larger than the list if you have to call it again. Also needs
   * `packages.delete`, and for reverts what `packages.revert` and `packages.merge` need.
   *
   * `POST /api/content/management/packages/{repo}/take-back`.
   * Permission: `packages.merge`.
   *
   * @param input.repo - A repository's id or name.
   * @param input.agent - The account, as in `agent` of its packages.
   * @param input.since - Only packages that it created at this time or later.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly takeBack: (input: PackagesTakeBackInput, options?: CallOptions) => Promise<PackagesTakeBackOutput>
}

/**
 * The state of the package. Only an open package accepts changes. The record of a deleted package
 * remains as its tombstone
 */
export type PackageState = 'open' | 'inReview' | 'completed' | 'scheduled' | 'merged' | 'error' | 'deleted'

/**
 * requested: people are asked to review it; changesRequested: it was sent back; approved: it may be
 * merged; outdated: it has changed since it was approved
 */
export type ReviewState = 'requested' | 'changesRequested' | 'approved' | 'outdated'

/** An update package: a branch of its repository */
export interface Package {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** The name of the package, also used in URLs */
  name: string
  /** Free text, at most 10 000 characters */
  description: string
  /**
   * The state of the package. Only an open package accepts changes. The record of a deleted package
   * remains as its tombstone
   */
  state: PackageState
  /** The merged package that this one reverts */
  revertOf: string | null
  /** Unix milliseconds */
  createdDate: number
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
  /** Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
  /** Unix milliseconds */
  mergedDate: number | null
  /** Who did something (specification 2.3) */
  mergedByUser: UserRef | null
  /** The last decision about it in a comment; null: none */
  review: PackageReview | null
  /** The agent that created it; null: a person or a program that may change main */
  agent: PackageAgent | null
  /** For a scheduled package: when it will be merged */
  mergeAt?: number | undefined
  /** Why the merge failed when its workflow completed */
  mergeError?: string | undefined
}

/** The last decision about a package */
export interface PackageReview {
  /**
   * requested: people are asked to review it; changesRequested: it was sent back; approved: it may be
   * merged; outdated: it has changed since it was approved
   */
  state: ReviewState
  /** When it was decided, or when the package changed after it was approved */
  date: number
  /** Who decided */
  user: UserRef
  /** The comment with the decision */
  commentId: string
}

/** The account that created a package and can change nothing on main: an agent */
export interface PackageAgent {
  /** An id, as answered by the operation that created it */
  id: string
  name: string
  /** The program that made the call, as it named itself in `Quire-Program`; absent: it named none */
  program?: string | undefined
}

/** What a package does to one entity */
export interface PackageChange {
  /** The entity that a change affects */
  entity: ChangedEntity
  /** What happens to the entity; none: it was added unchanged, or all its changes were undone */
  kind: ChangeKind
  /** The newest version on the package's branch */
  version: number
  /** The version on main that the change is based on; null if the package created the entity */
  baseVersion: number | null
  /** The newest version on main now; null if the entity is not on main */
  mainVersion: number | null
  /** Whether main has changed since the base version. Sync or merge brings its changes in */
  mainMoved: boolean
  /** Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
}

/** The entity that a change affects */
export interface ChangedEntity {
  /** The kind of entity */
  kind: 'category' | 'folder' | 'item' | 'page' | 'section' | 'site' | 'taxonomy'
  /** An id, as answered by the operation that created it */
  id: string
  name: string
  /** Name of the content type of an item; the kind for everything else */
  type: string
  slug: string | null
}

/** What happens to the entity; none: it was added unchanged, or all its changes were undone */
export type ChangeKind = 'create' | 'update' | 'delete' | 'restore' | 'none'

/** A change of a package, with its differences field by field */
export interface PackageDifference {
  /** The entity that a change affects */
  entity: ChangedEntity
  /** What happens to the entity; none: it was added unchanged, or all its changes were undone */
  kind: ChangeKind
  /** The newest version on the package's branch */
  version: number
  /** The version on main that the change is based on; null if the package created the entity */
  baseVersion: number | null
  /** The newest version on main now; null if the entity is not on main */
  mainVersion: number | null
  /** Whether main has changed since the base version. Sync or merge brings its changes in */
  mainMoved: boolean
  /** Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
  /** Differences between the base version and the package */
  changes: FieldChange[]
}

/** A conflict between a package and main, which a person has to resolve */
export interface MergeConflict {
  /** The entity that a change affects */
  entity: ChangedEntity
  /** The member in dot notation; empty for the whole entity */
  path: string
  /**
   * changed: both sides changed the member differently; deleted_in_package, deleted_on_main: one side
   * deleted what the other changed; slug_taken, value_taken: on main, another entity has the slug or
   * unique value by now; missing_target: it refers to something that is deleted; cycle: together with
   * the moves on main it would be inside itself; referenced: on main, something now refers to what the
   * package deletes; invalid: the merged value does not fit the content type
   */
  kind: ConflictKind
  /** The value that both sides started from; null if there was none */
  base: unknown
  /** The package's value */
  ours: unknown
  /** Main's value */
  theirs: unknown
}

/**
 * changed: both sides changed the member differently; deleted_in_package, deleted_on_main: one side
 * deleted what the other changed; slug_taken, value_taken: on main, another entity has the slug or
 * unique value by now; missing_target: it refers to something that is deleted; cycle: together with
 * the moves on main it would be inside itself; referenced: on main, something now refers to what the
 * package deletes; invalid: the merged value does not fit the content type
 */
export type ConflictKind = 
  | 'changed'
  | 'deleted_in_package'
  | 'deleted_on_main'
  | 'slug_taken'
  | 'value_taken'
  | 'missing_target'
  | 'cycle'
  | 'referenced'
  | 'invalid'

/** A comparison of pages, and where to find it (specification 2.14) */
export interface PageDiff {
  /** Ephemeral key */
  diffKey: string
  /** URL of the rendered diff HTML */
  url: string
  expiresInSeconds: number
}

/** The resolution of one conflict */
export type Resolution = {
  /** The entity of the conflict */
  id: string
  /**
   * The path of the conflict; empty for the whole entity
   * @default ''
   */
  path?: string | undefined
  /** The package's side, or main's */
  use: 'ours' | 'theirs'
} | {
  /** The entity of the conflict */
  id: string
  /**
   * The path of the conflict; empty for the whole entity
   * @default ''
   */
  path?: string | undefined
  /** The value to use instead */
  value: string | number | boolean | null | JsonValue[] | Record<string, JsonValue>
}

/** What a merge or sync has done, or with `dryRun` would do */
export interface MergeReport {
  /**
   * Identifies the state of both sides. Send it with the merge to have it rejected if either side has
   * changed
   */
  planId: string
  /** An update package: a branch of its repository */
  package: Package
  /** The entities that changed */
  changes: {
    /** The entity that a change affects */
    entity: ChangedEntity
    /** What happens to the entity; none: it was added unchanged, or all its changes were undone */
    kind: ChangeKind
    /** Its newest version afterwards; null if it was deleted */
    version: number | null
    /** Whether that version is the published one */
    published: boolean
  }[]
  /**
   * Published pages that show what changed. They stay as they are until their site is published again.
   * At most 1000; empty for a sync
   */
  pages: {
    /** An id, as answered by the operation that created it */
    siteId: string
    /** An id, as answered by the operation that created it */
    pageId: string
    /** Its address within the site */
    path: string
  }[]
}

/** Whether something remains to be done. An answer has the state of the comment that it answers */
export type CommentState = 'open' | 'resolved'

/** A comment on a package, or on something that it changes */
export interface PackageComment {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  packageName: string
  /** Plain text, 1 to 10 000 characters */
  body: string
  /** What it is about; null: the package as a whole */
  entity: ChangedEntity | null
  /** The member of the entity in dot notation; empty: all of it; null without an entity */
  path: string | null
  /** The comment that it answers */
  parentId: string | null
  /** What it decides about the package */
  decision: ReviewDecision | null
  /** Whether something remains to be done. An answer has the state of the comment that it answers */
  state: CommentState
  /** Unix milliseconds */
  createdDate: number
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
  /** When the text or the state last changed */
  updatedDate: number
  /** Unix milliseconds */
  resolvedDate: number | null
  /** Who did something (specification 2.3) */
  resolvedByUser: UserRef | null
  /** The program that made the call, as it named itself in `Quire-Program`; absent: it named none */
  program?: string | undefined
}

/**
 * request: people are asked to review the package; approve: it may be merged; requestChanges: it is
 * sent back
 */
export type ReviewDecision = 'request' | 'approve' | 'requestChanges'

/** A link that shows a package to people without an account */
export interface ShareLink {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  packageName: string
  /** Unix milliseconds */
  createdDate: number
  /** Whoever opens the link sees what this account may read */
  createdByUser: UserRef
  /** Unix milliseconds */
  expiresAt: number
}

/** What happened to one package of an agent */
export interface TakeBackOutcome {
  packageName: string
  /**
   * deleted: it was not merged; reverted: the merge was undone; revertOpen: undoing it conflicts with
   * later changes on main, and a person has to merge `revert`; failed: nothing was done, see `error`
   */
  action: 'deleted' | 'reverted' | 'revertOpen' | 'failed'
  /** The name of the package that undoes the merge */
  revert?: string | undefined
  /** For `revertOpen`: the number of conflicts */
  conflicts?: number | undefined
  error?: {
    code: string
    message: string
  } | undefined
}

/** The input of `packages.list` */
export interface PackagesListInput {
  /** A repository's id or name */
  repo: string
  /** Only packages in this state */
  state?: PackageState | undefined
  /** Only packages with this decision */
  review?: ReviewState | undefined
  /** Only packages that this account created as an agent; `*`: any agent */
  agent?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `packages.get` */
export interface PackagesGetInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
}

/** The input of `packages.changes` */
export interface PackagesChangesInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
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

/** The input of `packages.diff` */
export interface PackagesDiffInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
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

/** The input of `packages.conflicts` */
export interface PackagesConflictsInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
}

/** The result of `packages.conflicts` */
export interface PackagesConflictsOutput {
  count: number
  items: MergeConflict[]
  planId: string
}

/** The input of `packages.pageDiff` */
export interface PackagesPageDiffInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** Only pages in the section at this path within its site, and in the sections below it */
  sectionPath?: string | undefined
  /** Only pages with this slug */
  pageSlug?: string | undefined
  /** Only pages that the package would `create`, `update`, `delete`, or `move` to another address */
  changeType?: 'create' | 'update' | 'delete' | 'move' | undefined
}

/** The input of `packages.showPageDiff` */
export interface PackagesShowPageDiffInput {
  /** The `diffKey` of the comparison */
  diffKey: string
}

/** The input of `packages.create` */
export interface PackagesCreateInput {
  /** A repository's id or name */
  repo: string
  /**
   * Unique in the repository; segments of letters and digits of any script, spaces, - and _, separated
   * by `/`: `agent/translator/2026-11-27`
   */
  name: string
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
}

/** The input of `packages.update` */
export interface PackagesUpdateInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** Free text, at most 10 000 characters */
  description?: string | undefined
}

/** The input of `packages.delete` */
export interface PackagesDeleteInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `packages.delete` */
export interface PackagesDeleteOutput {
  /** An update package: a branch of its repository */
  deleted: Package
  /** Number of changes that are deleted with it */
  changes: number
}

/** The input of `packages.addItem` */
export interface PackagesAddItemInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** The item */
  id: string
}

/** The input of `packages.removeChange` */
export interface PackagesRemoveChangeInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** The changed entity */
  entityId: string
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The input of `packages.sync` */
export interface PackagesSyncInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /**
   * How to resolve conflicts, by entity and path
   * @default []
   */
  resolutions?: Resolution[] | undefined
  /**
   * The `planId` of a dry run or of `conflicts`. Rejected with 409 `plan_stale` if either side has
   * changed since
   */
  planId?: string | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The input of `packages.merge` */
export interface PackagesMergeInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /**
   * How to resolve conflicts, by entity and path
   * @default []
   */
  resolutions?: Resolution[] | undefined
  /**
   * The `planId` of a dry run or of `conflicts`. Rejected with 409 `plan_stale` if either side has
   * changed since
   */
  planId?: string | undefined
  /**
   * Publish every item in the package; needs `items.publish`
   * @default false
   */
  publish?: boolean | undefined
  /**
   * When to merge, in Unix milliseconds, with the permissions that you have at that time. Until then
   * the package is `scheduled` and accepts no changes; the response is what would be merged now. null
   * reopens a scheduled package. Default: now
   */
  mergeAt?: number | null | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The input of `packages.revert` */
export interface PackagesRevertInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** Default: `revert-` and the name of the package */
  name?: string | undefined
  /**
   * Free text, at most 10 000 characters
   * @default ''
   */
  description?: string | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The input of `packages.comments` */
export interface PackagesCommentsInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** Only comments in this state */
  state?: CommentState | undefined
  /** Only comments on this entity */
  entityId?: string | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `packages.addComment` */
export interface PackagesAddCommentInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** Plain text, 1 to 10 000 characters */
  body: string
  /** The changed entity that it is about */
  entityId?: string | undefined
  /** The member of the entity in dot notation; empty, the default: all of it */
  path?: string | undefined
  /** The comment that it answers, and whose entity it is about */
  parentId?: string | undefined
  /**
   * request: people are asked to review the package; approve: it may be merged; requestChanges: it is
   * sent back
   */
  decision?: ReviewDecision | undefined
}

/** The input of `packages.updateComment` */
export interface PackagesUpdateCommentInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** The comment */
  id: string
  /** Plain text, 1 to 10 000 characters */
  body?: string | undefined
  /** Whether something remains to be done. An answer has the state of the comment that it answers */
  state?: CommentState | undefined
}

/** The input of `packages.shareLinks` */
export interface PackagesShareLinksInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `packages.addShareLink` */
export interface PackagesAddShareLinkInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** When it stops working, Unix milliseconds: in 7 days by default, in 90 days at most */
  expiresAt?: number | undefined
}

/** The result of `packages.addShareLink` */
export interface PackagesAddShareLinkOutput {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  packageName: string
  /** Unix milliseconds */
  createdDate: number
  /** Whoever opens the link sees what this account may read */
  createdByUser: UserRef
  /** Unix milliseconds */
  expiresAt: number
  /** The address, shown only in this response */
  url: string
}

/** The input of `packages.removeShareLink` */
export interface PackagesRemoveShareLinkInput {
  /** A repository's id or name */
  repo: string
  /** The name of the package; in a path, a slash in it is `%2F` */
  packageName: string
  /** The link */
  id: string
}

/** The input of `packages.shared` */
export interface PackagesSharedInput {
  /** The last part of the address of the link */
  token: string
  /**
   * What to show; empty: an overview
   * @default ''
   */
  path?: string | undefined
}

/** The input of `packages.takeBack` */
export interface PackagesTakeBackInput {
  /** A repository's id or name */
  repo: string
  /** The account, as in `agent` of its packages */
  agent: string
  /** Only packages that it created at this time or later */
  since?: number | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `packages.takeBack` */
export interface PackagesTakeBackOutput {
  /** Number of packages that there were to take back */
  count: number
  items: TakeBackOutcome[]
}
