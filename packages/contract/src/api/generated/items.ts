// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { Binary, BytesIn } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { ContentOperation } from '../content-operation.ts'
import type { JsonValue } from '../json-value.ts'
import type { AnyContent } from '../typed-item.ts'
import type { ListOf, LongListOf } from './lists.ts'

/** The operations of `items`. Content items: reading, writing, versions, publishing. */
export interface ItemsApi<C extends object = AnyContent> {
  /**
   * Read an item by its slug.
   *
   * `GET /api/items/{configId}/slug/{slug}`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/slug/{slug}`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.slug - The slug.
   * @param input.select - Members to return: `id,name,fields.price`.
   * @param input.include - Reference fields whose items to return in `included`, one level deep.
   * @param input.locale - Only in a repository with locales. The locale to read, or `*` for the values
   *   of all of them. Default: the default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly getBySlug: ContentOperation<ItemsGetBySlugInput, ReadItem, C, Item>

  /**
   * List items.
   *
   * `GET /api/items/{configId}`, with `packageName` `/api/items/{configId}/_package/{packageName}`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.type - Only items of this content type.
   * @param input.folderId - Only items in this folder.
   * @param input.recursive - With `folderId`: also items in the folders below it.
   * @param input.archived - Also archived items.
   * @param input.text - Words that must all occur; each matches as a prefix.
   * @param input.at - The items as they were at this time, Unix milliseconds, in the order of their
   *   ids. With more than 2000 items send `skipCount`; then a page can have few items or none:
   *   continue with `nextCursor`.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.offset - Entries to skip. Prefer `cursor`; sending both is 400.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.sort - Comma-separated fields, `-` for descending order: `-updatedDate,name`.
   * @param input.filter - Conditions by field, all of which must hold; in a query string as JSON, or
   *   `filter[fields.price][gte]=10`.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @param input.select - Members to return: `id,name,fields.price`.
   * @param input.include - Reference fields whose items to return in `included`, one level deep.
   * @param input.locale - Only in a repository with locales. The locale to read, or `*` for the values
   *   of all of them. Default: the default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: ContentOperation<ItemsListInput, LongListOf<ReadItem>, C, Item>

  /**
   * Read an item, or one of its versions.
   *
   * `GET /api/items/{configId}/{id}`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.version - `latest` (default), `latestpublished` or a number (specification 3.3).
   * @param input.at - The item as it was at this time, Unix milliseconds. At a time to come: as it
   *   will be after what is scheduled for it, and after the packages that merge until then; if others
   *   have changed it as well as such a package, `merge_conflict`.
   * @param input.select - Members to return: `id,name,fields.price`.
   * @param input.include - Reference fields whose items to return in `included`, one level deep.
   * @param input.locale - Only in a repository with locales. The locale to read, or `*` for the values
   *   of all of them. Default: the default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `version_forgotten` - The version of that time is not kept any more.
   * @throws `merge_conflict` - The package conflicts with main: see conflicts.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: ContentOperation<ItemsGetInput, ReadItem, C, Item>

  /**
   * List the versions of an item, newest first.
   *
   * `GET /api/items/{configId}/{id}/versions`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/versions`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly versions: (input: ItemsVersionsInput, options?: CallOptions) => Promise<ListOf<VersionInfo>>

  /**
   * Compare two versions, field by field.
   *
   * `GET /api/items/{configId}/{id}/diff`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/diff`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.from - The older version.
   * @param input.to - Default: latest.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly diff: (input: ItemsDiffInput, options?: CallOptions) => Promise<ItemsDiffOutput>

  /**
   * Read when an item is to be published and unpublished.
   *
   * `GET /api/items/{configId}/{id}/schedule`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/schedule`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly schedule: (input: ItemsScheduleInput, options?: CallOptions) => Promise<ItemsScheduleOutput>

  /**
   * List what prevents an item from being published, field by field.
   *
   * `POST /api/items/{configId}/{id}/validate`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/validate`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.locales - Only in a repository with locales: those in which it is to be published.
   *   Default: all.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly validate: (input: ItemsValidateInput, options?: CallOptions) => Promise<ItemsValidateOutput>

  /**
   * Fetch the address at which your own front end shows an item.
   *
   * Made of `settings.previewUrl` of the repository. Its `{token}` is a reading token: with it, the
   * front end may read in this repository what you may read, on main and in packages, and nothing
   * else. It works for an hour, and ends with your session. Not for agents, nor with a reading token.
   *
   * `POST /api/items/{configId}/{id}/preview`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/preview`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.locale - The locale of `{slug}` and `{locale}`. Default: the default locale.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly preview: (input: ItemsPreviewInput, options?: CallOptions) => Promise<ItemsPreviewOutput>

  /**
   * Create an item.
   *
   * Creates version 1, a draft. Kinds and formats are checked now; `required` is checked when the item
   * is published.
   *
   * `POST /api/items`.
   * Permission: `items.create`.
   *
   * @param input.repositoryId - A repository's id or name.
   * @param input.type - Name of the content type.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.slug
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.folderId - The parent folder; null at the top level.
   * @param input.categories - Category ids.
   * @param input.readPerm - Role ids; empty: no extra restriction.
   * @param input.writePerm - Role ids; empty: no extra restriction.
   * @param input.deletePerm - Role ids; empty: no extra restriction.
   * @param input.focalPoint - For an asset: the point that crops keep in view; null: the center.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.fields - Custom values by field name.
   * @param input.locale - Only in a repository with locales. The locale whose values are sent; those
   *   of others stay. `*`: localized values are objects by locale. Default: the default locale.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: ContentOperation<ItemsCreateInput, Item, C>

  /**
   * Change an item.
   *
   * A JSON Merge Patch (RFC 7396): only the members that are sent change, `null` removes a custom
   * value, lists are replaced as a whole. With `baseVersion` the changes that others made since that
   * version are kept; a member that both sides changed differently is 409 `version_conflict`.
   *
   * `PATCH /api/items/{configId}/{id}`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}`.
   * Permission: `items.update` (also by locale).
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.slug
   * @param input.description - Free text, at most 10 000 characters.
   * @param input.folderId - The parent folder; null at the top level.
   * @param input.categories - Category ids.
   * @param input.readPerm - Role ids; empty: no extra restriction.
   * @param input.writePerm - Role ids; empty: no extra restriction.
   * @param input.deletePerm - Role ids; empty: no extra restriction.
   * @param input.focalPoint - For an asset: the point that crops keep in view; null: the center.
   * @param input.fields - Custom values by field name.
   * @param input.locale - Only in a repository with locales. The locale whose values are sent; those
   *   of others stay. `*`: localized values are objects by locale. Default: the default locale.
   * @param input.baseVersion - The version that your change is based on.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `version_conflict` - Someone else has changed the same members: see conflicts.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: ContentOperation<ItemsUpdateInput, Item, C>

  /**
   * Copy an item within its repository or to another one.
   *
   * `POST /api/items/{configId}/{id}/copy`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/copy`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.repositoryId - The target repository. Default: the same repository and branch.
   * @param input.folderId - The parent folder; null at the top level.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.slug
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly copy: ContentOperation<ItemsCopyInput, Item, C>

  /**
   * Move an item to another folder.
   *
   * Works only within its repository and branch. To get an item into another repository, use copy.
   *
   * `POST /api/items/{configId}/{id}/move`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/move`.
   * Permission: `items.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.folderId - The parent folder; null at the top level.
   * @param input.name - A name for people, 1 to 200 characters.
   * @param input.slug
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly move: ContentOperation<ItemsMoveInput, Item, C>

  /**
   * Restore an old version.
   *
   * Creates a new version with the content of the old one.
   *
   * `POST /api/items/{configId}/{id}/versions/{version}/restore`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/versions/{version}/restore`.
   * Permission: `items.update` (also by locale).
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.version - The version to restore.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly restore: ContentOperation<ItemsRestoreInput, Item, C>

  /**
   * Add a category to an item.
   *
   * `PUT /api/items/{configId}/{id}/categories/{categoryId}`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/categories/{categoryId}`.
   * Permission: `items.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.categoryId - An id, as answered by the operation that created it.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `auto_package_required` - A rule requires this save to go through a package: send it to
   *   create-and-save, see details.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly categorize: ContentOperation<ItemsCategorizeInput, Item, C>

  /**
   * Remove a category from an item.
   *
   * `DELETE /api/items/{configId}/{id}/categories/{categoryId}`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/categories/{categoryId}`.
   * Permission: `items.update`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.categoryId - An id, as answered by the operation that created it.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `auto_package_required` - A rule requires this save to go through a package: send it to
   *   create-and-save, see details.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly decategorize: ContentOperation<ItemsDecategorizeInput, Item, C>

  /**
   * Publish the head of an item.
   *
   * The head becomes the published version, and remains it while newer drafts are saved. With `at` the
   * publish is scheduled and the unchanged item is returned: whatever is the head at that time is
   * published, with the permissions that you have at that time.
   *
   * `POST /api/items/{configId}/{id}/publish`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/publish`.
   * Permission: `items.publish` (also by locale).
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.at - When to do it, in Unix milliseconds. An item has one scheduled time: a new one
   *   replaces it, null cancels it. Default: now.
   * @param input.locales - Only in a repository with locales: the locales in which to do it. Default:
   *   all; in a package those in which main publishes the item when it is merged.
   * @param input.dryRun - Return what would happen and change nothing.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `not_publishable` - The item is not complete: see issues.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly publish: ContentOperation<ItemsPublishInput, Item, C>

  /**
   * Unpublish an item.
   *
   * With `at` it is scheduled, as with publish.
   *
   * `POST /api/items/{configId}/{id}/unpublish`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/unpublish`.
   * Permission: `items.publish` (also by locale).
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.at - When to do it, in Unix milliseconds. An item has one scheduled time: a new one
   *   replaces it, null cancels it. Default: now.
   * @param input.locales - Only in a repository with locales: the locales in which to do it. Default:
   *   all; in a package those in which main publishes the item when it is merged.
   * @param input.dryRun - Return what would happen and change nothing.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly unpublish: ContentOperation<ItemsUnpublishInput, Item, C>

  /**
   * Hide an item from lists and published reads.
   *
   * `POST /api/items/{configId}/{id}/archive`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/archive`.
   * Permission: `items.archive`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly archive: ContentOperation<ItemsArchiveInput, Item, C>

  /**
   * Unarchive an item, so that it is in lists again.
   *
   * `POST /api/items/{configId}/{id}/unarchive`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/unarchive`.
   * Permission: `items.archive`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly unarchive: ContentOperation<ItemsUnarchiveInput, Item, C>

  /**
   * Delete an item.
   *
   * The item can be undeleted for 30 days, or for as long as the settings say. Rejected while an item
   * refers to it through a `restrict` field. `dryRun` returns the effect on the items that refer to
   * it, and what would prevent the delete, as a normal response and not as an error.
   *
   * `DELETE /api/items/{configId}/{id}`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}`.
   * Permission: `items.delete`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.dryRun - Return what would happen and change nothing.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `referenced` - Other items refer to this one: see details.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: ContentOperation<ItemsDeleteInput, ItemsDeleteOutput | undefined, C>

  /**
   * Restore a deleted item.
   *
   * `POST /api/items/{configId}/{id}/undelete`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/{id}/undelete`.
   * Permission: `items.delete`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.id - The item.
   * @param input.comment - The reason, shown in the activity of the item; at most 2 000 characters.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly undelete: ContentOperation<ItemsUndeleteInput, Item, C>

  /**
   * Run one operation on many items.
   *
   * Returns the outcome for each id. With `atomic` all of them succeed or none, and the response is
   * the error of the first that fails.
   *
   * `POST /api/items/{configId}/bulk`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/bulk`.
   * Permission: `items.update` (also by locale) or `items.publish` (also by locale) or `items.archive`
   * or `items.delete`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.action - The operation to run on each item.
   * @param input.ids - Item ids, at most 500.
   * @param input.atomic - Whether all succeed or none.
   * @param input.input - The input of the operation, without the id.
   * @param input.dryRun - Return what would happen and change nothing.
   * @throws `not_found` - Not found.
   * @throws `slug_taken` - Another item of this repository has this slug.
   * @throws `version_conflict` - Someone else has changed the same members: see conflicts.
   * @throws `not_publishable` - The item is not complete: see issues.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `referenced` - Other items refer to this one: see details.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly bulk: ContentOperation<ItemsBulkInput, ItemsBulkOutput, C>

  /**
   * Export items as rows.
   *
   * Streams the items that you may read as CSV if `Accept` prefers `text/csv`, otherwise as NDJSON:
   * one flat JSON object per line. In CSV, lists and objects are JSON, and a text that a spreadsheet
   * would take for a formula begins with an apostrophe.
   *
   * `POST /api/items/{configId}/rows/export`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/rows/export`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.type - The content type of the items.
   * @param input.columns - The columns by name, each with the member that it holds: `{ "Title":
   *   "fields.title", "SKU": "fields.sku" }`. Default: members are their own columns.
   * @param input.filter - Conditions by field, all of which must hold; in a query string as JSON, or
   *   `filter[fields.price][gte]=10`.
   * @param input.sort - Comma-separated fields, `-` for descending order: `-updatedDate,name`.
   * @param input.locale - Only in a repository with locales. The locale of the values. Default: the
   *   default locale.
   * @param input.fallback - `false`: values that the locale does not have itself are left out.
   *   Default: those of its fallbacks.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly exportRows: (input: ItemsExportRowsInput, options?: CallOptions) => Promise<Binary>

  /**
   * Import rows as items.
   *
   * The body is CSV with a header if its `Content-Type` is `text/csv`, otherwise NDJSON; at most 64
   * MiB. Each row creates an item, or changes the one that its `key` names. Every row is saved by
   * itself: a row that is refused is reported with its number and keeps no other from being saved.
   * Importing the same rows again by a key changes nothing.
   *
   * `POST /api/items/{configId}/rows/import`, with `packageName`
   * `/api/items/{configId}/_package/{packageName}/rows/import`.
   * Permission: `items.create` or `items.update` (also by locale).
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.type - The content type of the items.
   * @param input.columns - The columns by name, each with the member that it holds: `{ "Title":
   *   "fields.title", "SKU": "fields.sku" }`. Default: members are their own columns.
   * @param input.key - The member by which existing items are found: `id`, `slug` or a field such as
   *   `fields.sku`.
   * @param input.locale - Only in a repository with locales. The locale of the values. Default: the
   *   default locale.
   * @param input.publish - Whether to publish what is created or changed; with `locale` only there.
   * @param input.dryRun - Only answer what would happen.
   * @param input.file - The bytes: a File, a Blob, or anything with `stream()`.
   * @throws `not_found` - Not found.
   * @throws `too_large` - The request is too large.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `unauthorized`, `forbidden`, `budget_exceeded`, `internal`, `unavailable`,
   *   `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly importRows: (input: ItemsImportRowsInput, options?: CallOptions) => Promise<RowsReport>
}

/** An item. If the request has `select`, it has only the members that `select` names */
export interface ReadItem {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId?: string | undefined
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  /** Name of the content type */
  type?: string | undefined
  /** Unique in the repository and branch */
  slug?: string | undefined
  /** The slug as words, for search */
  slugSearch?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** archived: the item is archived; published: this is the published version; draft: it is not */
  status?: ItemStatus | undefined
  /** The parent folder; null at the top level */
  folderId?: string | null | undefined
  /** The package that this version belongs to; null on main */
  packageName?: string | null | undefined
  /** Custom values by field name */
  fields?: FieldValues | undefined
  /** The categories of the item, by taxonomy */
  taxonomies?: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    categories: {
      /** An id, as answered by the operation that created it */
      id: string
      name: string
    }[]
  }[] | undefined
  /** The version that was returned */
  currentVersion?: number | undefined
  /** The newest version on this branch */
  latestVersion?: number | undefined
  /** Whether the item is hidden from lists and from published reads */
  isArchived?: boolean | undefined
  /** Whether the item has a published version */
  isPublished?: boolean | undefined
  /** Whether this is not the published version */
  isPreview?: boolean | undefined
  /** Whether this is the newest version */
  isLatest?: boolean | undefined
  /** Whether this is the published version */
  isLatestPublished?: boolean | undefined
  /** Unix milliseconds */
  createdDate?: number | undefined
  /** Unix milliseconds */
  updatedDate?: number | undefined
  /** When the published version was published */
  publishedDate?: number | null | undefined
  /** Ids of the roles that may read it; empty: no extra restriction */
  readPerm?: string[] | undefined
  /** Ids of the roles that may change it; empty: no extra restriction */
  writePerm?: string[] | undefined
  /** Ids of the roles that may delete it; empty: no extra restriction */
  deletePerm?: string[] | undefined
  /** Who did something (specification 2.3) */
  createdByUser?: UserRef | undefined
  /** Who did something (specification 2.3) */
  updatedByUser?: UserRef | undefined
  /** For an asset: its extension without the dot */
  fileExtension?: string | null | undefined
  /** For an asset: the name of the uploaded file */
  originalFileName?: string | null | undefined
  /** Where the file of an asset is stored */
  storage?: {
    objectName: string
    storageVersionId: string | null
    objectStorageName: string
  } | null | undefined
  /** The file of an asset; null for every other item */
  asset?: Asset | null | undefined
  /** The files that can be fetched for an asset */
  renditions?: ItemRendition[] | undefined
  /** HTML card, rendered from the `cardTemplate` of the content type */
  cardPreview?: string | null | undefined
  /** The newest 10 versions, newest first */
  versionHistory?: VersionEntry[] | undefined
  /**
   * What is public in each locale: the version, and when it was published. Absent if nothing is, or
   * the same in all locales
   */
  publications?: Record<string, {
    version: number
    /** Unix milliseconds */
    date: number
  }> | undefined
  /** The locale that was read; absent in a repository without locales and for `locale=*` */
  locale?: string | undefined
  /** The values that come from another locale, by path: `{ "fields.title": "en" }`; absent if none does */
  fallbacks?: Record<string, string> | undefined
  /**
   * With `include`: the items that each of these fields refers to, in the order of the field; only
   * items you may read
   */
  included?: Record<string, Item[]> | undefined
  /**
   * The text of the file, up to 1 MiB; null if there is none. Only for a single item whose `select`
   * names it, never in lists
   */
  text?: string | null | undefined
}

/** archived: the item is archived; published: this is the published version; draft: it is not */
export type ItemStatus = 'draft' | 'published' | 'archived'

/** Custom values by field name */
export interface FieldValues {
  [name: string]: JsonValue
}

/** Who did something (specification 2.3) */
export interface UserRef {
  /** User name or service account id */
  userName: string
  /** Display name */
  displayName: string
  /** E-mail address; empty for service accounts */
  email: string
}

/** The file of an asset */
export interface Asset {
  /** Media type, detected from the bytes */
  mimeType: string
  /** Size in bytes */
  size: number
  /** SHA-256 of the bytes in hexadecimal; also the entity tag of `original` */
  hash: string
  /** Width in pixels, as displayed; null if it is not a picture */
  width: number | null
  /** Height in pixels, as displayed; null if it is not a picture */
  height: number | null
  /** Number of frames of an animation; null if it is not a picture */
  pages: number | null
  /** The point that crops keep in view; null: the center */
  focalPoint: FocalPoint | null
}

/** The point of a picture that crops keep in view */
export interface FocalPoint {
  /** From the left edge (0) to the right edge (1) */
  x: number
  /** From the top edge (0) to the bottom edge (1) */
  y: number
}

/** A file that can be fetched for an asset */
export interface ItemRendition {
  /** `original`, a preset, or a custom rendition */
  name: string
  /** original: the file itself; preset: made from it; custom: uploaded */
  type: 'original' | 'preset' | 'custom'
  /** File extension; `auto` for a preset: the best format that the caller accepts */
  format: string
  /** Path to fetch it from */
  url: string
  mimeType: string
  /**
   * Size in bytes. Absent for a preset until its rendition is made, on the first request; then the
   * list of renditions has it
   */
  size?: number | undefined
  fileName: string
}

export interface VersionEntry {
  /** The version number on its branch */
  version: number
  /** When it was saved, Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
}

/** A content item (specification 2.4) */
export interface Item {
  /** An id, as answered by the operation that created it */
  id: string
  /** An id, as answered by the operation that created it */
  repositoryId: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Name of the content type */
  type: string
  /** Unique in the repository and branch */
  slug: string
  /** The slug as words, for search */
  slugSearch: string
  /** Free text, at most 10 000 characters */
  description: string
  /** archived: the item is archived; published: this is the published version; draft: it is not */
  status: ItemStatus
  /** The parent folder; null at the top level */
  folderId: string | null
  /** The package that this version belongs to; null on main */
  packageName: string | null
  /** Custom values by field name */
  fields: FieldValues
  /** The categories of the item, by taxonomy */
  taxonomies: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    categories: {
      /** An id, as answered by the operation that created it */
      id: string
      name: string
    }[]
  }[]
  /** The version that was returned */
  currentVersion: number
  /** The newest version on this branch */
  latestVersion: number
  /** Whether the item is hidden from lists and from published reads */
  isArchived: boolean
  /** Whether the item has a published version */
  isPublished: boolean
  /** Whether this is not the published version */
  isPreview: boolean
  /** Whether this is the newest version */
  isLatest: boolean
  /** Whether this is the published version */
  isLatestPublished: boolean
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
  /** When the published version was published */
  publishedDate: number | null
  /** Ids of the roles that may read it; empty: no extra restriction */
  readPerm: string[]
  /** Ids of the roles that may change it; empty: no extra restriction */
  writePerm: string[]
  /** Ids of the roles that may delete it; empty: no extra restriction */
  deletePerm: string[]
  /** Who did something (specification 2.3) */
  createdByUser: UserRef
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
  /** For an asset: its extension without the dot */
  fileExtension: string | null
  /** For an asset: the name of the uploaded file */
  originalFileName: string | null
  /** Where the file of an asset is stored */
  storage: {
    objectName: string
    storageVersionId: string | null
    objectStorageName: string
  } | null
  /** The file of an asset; null for every other item */
  asset: Asset | null
  /** The files that can be fetched for an asset */
  renditions: ItemRendition[]
  /** HTML card, rendered from the `cardTemplate` of the content type */
  cardPreview: string | null
  /** The newest 10 versions, newest first */
  versionHistory: VersionEntry[]
  /**
   * What is public in each locale: the version, and when it was published. Absent if nothing is, or
   * the same in all locales
   */
  publications?: Record<string, {
    version: number
    /** Unix milliseconds */
    date: number
  }> | undefined
  /** The locale that was read; absent in a repository without locales and for `locale=*` */
  locale?: string | undefined
  /** The values that come from another locale, by path: `{ "fields.title": "en" }`; absent if none does */
  fallbacks?: Record<string, string> | undefined
}

/**
 * Conditions by field, all of which must hold; in a query string as JSON, or
 * `filter[fields.price][gte]=10`
 */
export interface FilterInput {
  [name: string]: string | number | boolean | FilterOperators
}

export interface FilterOperators {
  eq?: string | number | boolean | undefined
  ne?: string | number | boolean | undefined
  gt?: string | number | boolean | undefined
  gte?: string | number | boolean | undefined
  lt?: string | number | boolean | undefined
  lte?: string | number | boolean | undefined
  in?: (string | number | boolean)[] | undefined
  nin?: (string | number | boolean)[] | undefined
  contains?: string | number | boolean | undefined
  startsWith?: string | number | boolean | undefined
  exists?: boolean | 'true' | 'false' | undefined
}

/** A version of an item */
export interface VersionInfo {
  /** The version number on its branch */
  version: number
  name: string
  slug: string
  /** When it was saved, Unix milliseconds */
  updatedDate: number
  /** Who did something (specification 2.3) */
  updatedByUser: UserRef
  isLatest: boolean
  isLatestPublished: boolean
}

/** One difference between two versions */
export interface FieldChange {
  /** The member that differs, in dot notation: `name`, `fields.seo.title` */
  path: string
  kind: 'added' | 'removed' | 'changed'
  /** Absent when added */
  before?: JsonValue | undefined
  /** Absent when removed */
  after?: JsonValue | undefined
}

/** A member and what is wrong with it */
export interface Issue {
  /** The member in dot notation; empty for the whole */
  path: string
  /** What is wrong with it */
  message: string
}

/** The effect of a delete on items that refer to what is deleted. Lists only items that you may read */
export interface DeleteImpact {
  /** References that prevent the delete */
  restrict: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    /** Name of the content type */
    type: string
    /** Path of the field that refers to it, below `fields` */
    path: string
  }[]
  /** References that are removed */
  unset: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    /** Name of the content type */
    type: string
    /** Path of the field that refers to it, below `fields` */
    path: string
  }[]
  /** References that stay, with a missing target */
  ignore: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    /** Name of the content type */
    type: string
    /** Path of the field that refers to it, below `fields` */
    path: string
  }[]
}

/**
 * The columns by name, each with the member that it holds: `{ "Title": "fields.title", "SKU":
 * "fields.sku" }`. Default: members are their own columns
 */
export interface Columns {
  [name: string]: string
}

/** What an import of rows did, or would do */
export interface RowsReport {
  /** Rows in the file */
  rows: number
  /** Rows that created an item */
  create: number
  /** Rows that changed an item */
  update: number
  /** Rows whose item had these values already */
  unchanged: number
  /** Rows that were not saved */
  refuse: number
  /** The first 1000 items that were created or changed */
  saved: {
    row: number
    kind: 'create' | 'update'
    /** An id, as answered by the operation that created it */
    id: string
  }[]
  /** The first 1000 rows that were not saved, and why */
  refused: {
    /** The number of the row, from 1; the header does not count */
    row: number
    /** The member that is wrong; empty: the row */
    path: string
    message: string
  }[]
}

/** The input of `items.getBySlug` */
export interface ItemsGetBySlugInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The slug */
  slug: string
  /** Members to return: `id,name,fields.price` */
  select?: string[] | undefined
  /** Reference fields whose items to return in `included`, one level deep */
  include?: string[] | undefined
  /**
   * Only in a repository with locales. The locale to read, or `*` for the values of all of them.
   * Default: the default locale
   */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}

/** The input of `items.list` */
export interface ItemsListInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** Only items of this content type */
  type?: string | undefined
  /** Only items in this folder */
  folderId?: string | undefined
  /** With `folderId`: also items in the folders below it */
  recursive?: boolean | undefined
  /** Also archived items */
  archived?: boolean | undefined
  /** Words that must all occur; each matches as a prefix */
  text?: string | undefined
  /**
   * The items as they were at this time, Unix milliseconds, in the order of their ids. With more than
   * 2000 items send `skipCount`; then a page can have few items or none: continue with `nextCursor`
   */
  at?: number | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** Entries to skip. Prefer `cursor`; sending both is 400 */
  offset?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Comma-separated fields, `-` for descending order: `-updatedDate,name` */
  sort?: string | undefined
  /**
   * Conditions by field, all of which must hold; in a query string as JSON, or
   * `filter[fields.price][gte]=10`
   */
  filter?: FilterInput | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
  /** Members to return: `id,name,fields.price` */
  select?: string[] | undefined
  /** Reference fields whose items to return in `included`, one level deep */
  include?: string[] | undefined
  /**
   * Only in a repository with locales. The locale to read, or `*` for the values of all of them.
   * Default: the default locale
   */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}

/** The input of `items.get` */
export interface ItemsGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** `latest` (default), `latestpublished` or a number (specification 3.3) */
  version?: string | undefined
  /**
   * The item as it was at this time, Unix milliseconds. At a time to come: as it will be after what is
   * scheduled for it, and after the packages that merge until then; if others have changed it as well
   * as such a package, `merge_conflict`
   */
  at?: number | undefined
  /** Members to return: `id,name,fields.price` */
  select?: string[] | undefined
  /** Reference fields whose items to return in `included`, one level deep */
  include?: string[] | undefined
  /**
   * Only in a repository with locales. The locale to read, or `*` for the values of all of them.
   * Default: the default locale
   */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}

/** The input of `items.versions` */
export interface ItemsVersionsInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `items.diff` */
export interface ItemsDiffInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The older version */
  from: string
  /** Default: latest */
  to?: string | undefined
}

/** The result of `items.diff` */
export interface ItemsDiffOutput {
  from: number
  to: number
  changes: FieldChange[]
}

/** The input of `items.schedule` */
export interface ItemsScheduleInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
}

/** The result of `items.schedule` */
export interface ItemsScheduleOutput {
  /** null: it is not scheduled */
  publish: {
    /** After an attempt that failed: when it is tried again */
    at: number
    /** Only these; absent: all */
    locales?: string[] | undefined
  } | null
  /** null: it is not scheduled */
  unpublish: {
    /** After an attempt that failed: when it is tried again */
    at: number
    /** Only these; absent: all */
    locales?: string[] | undefined
  } | null
}

/** The input of `items.validate` */
export interface ItemsValidateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** Only in a repository with locales: those in which it is to be published. Default: all */
  locales?: string[] | undefined
}

/** The result of `items.validate` */
export interface ItemsValidateOutput {
  valid: boolean
  issues: Issue[]
}

/** The input of `items.preview` */
export interface ItemsPreviewInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The locale of `{slug}` and `{locale}`. Default: the default locale */
  locale?: string | undefined
}

/** The result of `items.preview` */
export interface ItemsPreviewOutput {
  /** The address, with everything encoded */
  url: string
  /** When its token ends; null: there is none in it */
  expiresAt: number | null
}

/** The input of `items.create` */
export interface ItemsCreateInput {
  /** A repository's id or name */
  repositoryId: string
  /** Name of the content type */
  type: string
  /** A name for people, 1 to 200 characters */
  name: string
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** The parent folder; null at the top level */
  folderId?: string | null | undefined
  /** Category ids */
  categories?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  readPerm?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  writePerm?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  deletePerm?: string[] | undefined
  /** For an asset: the point that crops keep in view; null: the center */
  focalPoint?: FocalPoint | null | undefined
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /**
   * Custom values by field name
   * @default {}
   */
  fields?: FieldValues | undefined
  /**
   * Only in a repository with locales. The locale whose values are sent; those of others stay. `*`:
   * localized values are objects by locale. Default: the default locale
   */
  locale?: string | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.update` */
export interface ItemsUpdateInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  slug?: string | undefined
  /** Free text, at most 10 000 characters */
  description?: string | undefined
  /** The parent folder; null at the top level */
  folderId?: string | null | undefined
  /** Category ids */
  categories?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  readPerm?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  writePerm?: string[] | undefined
  /** Role ids; empty: no extra restriction */
  deletePerm?: string[] | undefined
  /** For an asset: the point that crops keep in view; null: the center */
  focalPoint?: FocalPoint | null | undefined
  /** Custom values by field name */
  fields?: FieldValues | undefined
  /**
   * Only in a repository with locales. The locale whose values are sent; those of others stay. `*`:
   * localized values are objects by locale. Default: the default locale
   */
  locale?: string | undefined
  /** The version that your change is based on */
  baseVersion?: number | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.copy` */
export interface ItemsCopyInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The target repository. Default: the same repository and branch */
  repositoryId?: string | undefined
  /** The parent folder; null at the top level */
  folderId?: string | null | undefined
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  slug?: string | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.move` */
export interface ItemsMoveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The parent folder; null at the top level */
  folderId: string | null
  /** A name for people, 1 to 200 characters */
  name?: string | undefined
  slug?: string | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.restore` */
export interface ItemsRestoreInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The version to restore */
  version: number
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.categorize` */
export interface ItemsCategorizeInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** An id, as answered by the operation that created it */
  categoryId: string
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.decategorize` */
export interface ItemsDecategorizeInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** An id, as answered by the operation that created it */
  categoryId: string
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.publish` */
export interface ItemsPublishInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /**
   * When to do it, in Unix milliseconds. An item has one scheduled time: a new one replaces it, null
   * cancels it. Default: now
   */
  at?: number | null | undefined
  /**
   * Only in a repository with locales: the locales in which to do it. Default: all; in a package those
   * in which main publishes the item when it is merged
   */
  locales?: string[] | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.unpublish` */
export interface ItemsUnpublishInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /**
   * When to do it, in Unix milliseconds. An item has one scheduled time: a new one replaces it, null
   * cancels it. Default: now
   */
  at?: number | null | undefined
  /**
   * Only in a repository with locales: the locales in which to do it. Default: all; in a package those
   * in which main publishes the item when it is merged
   */
  locales?: string[] | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.archive` */
export interface ItemsArchiveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.unarchive` */
export interface ItemsUnarchiveInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.delete` */
export interface ItemsDeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The result of `items.delete` */
export interface ItemsDeleteOutput {
  /** A content item (specification 2.4) */
  deleted: Item
  /** Whether a `restrict` field refers to it, possibly in an item that you may not see */
  wouldFail: boolean
  /** References that prevent the delete */
  restrict: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    /** Name of the content type */
    type: string
    /** Path of the field that refers to it, below `fields` */
    path: string
  }[]
  /** References that are removed */
  unset: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    /** Name of the content type */
    type: string
    /** Path of the field that refers to it, below `fields` */
    path: string
  }[]
  /** References that stay, with a missing target */
  ignore: {
    /** An id, as answered by the operation that created it */
    id: string
    name: string
    /** Name of the content type */
    type: string
    /** Path of the field that refers to it, below `fields` */
    path: string
  }[]
}

/** The input of `items.undelete` */
export interface ItemsUndeleteInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item */
  id: string
  /** The reason, shown in the activity of the item; at most 2 000 characters */
  comment?: string | undefined
}

/** The input of `items.bulk` */
export interface ItemsBulkInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The operation to run on each item */
  action: 'update' | 'move' | 'publish' | 'unpublish' | 'archive' | 'unarchive' | 'delete' | 'undelete' | 'categorize' | 'decategorize'
  /** Item ids, at most 500 */
  ids: string[]
  /**
   * Whether all succeed or none
   * @default false
   */
  atomic?: boolean | undefined
  /**
   * The input of the operation, without the id
   * @default {}
   */
  input?: Record<string, JsonValue> | undefined
  /** Return what would happen and change nothing */
  dryRun?: boolean | undefined
}

/** The result of `items.bulk` */
export interface ItemsBulkOutput {
  succeeded: number
  failed: number
  outcomes: {
    /** An id, as answered by the operation that created it */
    id: string
    ok: boolean
    /** The item afterwards; absent if it was deleted */
    item?: Item | undefined
    /** For `delete` with `dryRun` */
    impact?: DeleteImpact | undefined
    error?: {
      code: string
      message: string
      issues?: Issue[] | undefined
    } | undefined
  }[]
}

/** The input of `items.exportRows` */
export interface ItemsExportRowsInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The content type of the items */
  type: string
  /**
   * The columns by name, each with the member that it holds: `{ "Title": "fields.title", "SKU":
   * "fields.sku" }`. Default: members are their own columns
   */
  columns?: Columns | undefined
  /**
   * Conditions by field, all of which must hold; in a query string as JSON, or
   * `filter[fields.price][gte]=10`
   */
  filter?: FilterInput | undefined
  /** Comma-separated fields, `-` for descending order: `-updatedDate,name` */
  sort?: string | undefined
  /** Only in a repository with locales. The locale of the values. Default: the default locale */
  locale?: string | undefined
  /** `false`: values that the locale does not have itself are left out. Default: those of its fallbacks */
  fallback?: boolean | undefined
}

/** The input of `items.importRows` */
export interface ItemsImportRowsInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The content type of the items */
  type: string
  /**
   * The columns by name, each with the member that it holds: `{ "Title": "fields.title", "SKU":
   * "fields.sku" }`. Default: members are their own columns
   */
  columns?: Columns | undefined
  /** The member by which existing items are found: `id`, `slug` or a field such as `fields.sku` */
  key?: string | undefined
  /** Only in a repository with locales. The locale of the values. Default: the default locale */
  locale?: string | undefined
  /**
   * Whether to publish what is created or changed; with `locale` only there
   * @default false
   */
  publish?: boolean | undefined
  /**
   * Only answer what would happen
   * @default false
   */
  dryRun?: boolean | undefined
  /** The bytes: a File, a Blob, or anything with `stream()` */
  file: BytesIn
}
