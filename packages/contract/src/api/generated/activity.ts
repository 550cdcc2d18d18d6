// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { UserRef } from './items.ts'
import type { EndlessListOf } from './lists.ts'

/** The operations of `activity`. Who did what, when and from where, and events as they happen. */
export interface ActivityApi {
  /**
   * List what was done to an item, newest first.
   *
   * Specification 2.11. In a package that has changed or pinned the item, this is its history there.
   * Returns the newest 1000 entries, unless `limit` asks for fewer.
   *
   * `GET /api/activity/{configId}/{assetId}`, with `packageName`
   * `/api/activity/{configId}/_package/{packageName}/{assetId}`.
   * Permission: `items.read`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.assetId - The item or asset.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: ActivityGetInput, options?: CallOptions) => Promise<ActivityGetOutput>

  /**
   * List what was done in a repository, newest first.
   *
   * Who did what, when and from where, on main and in packages. Entries about content that you may not
   * read are left out. A page can have fewer entries than `limit` and still have a next page,
   * especially with filters.
   *
   * `GET /api/activity/{configId}`.
   * Permission: `activity.view`.
   *
   * @param input.configId - A repository's id or name.
   * @param input.entityId - Only entries about the item, folder, package… with this id.
   * @param input.user - Only what this user did, by `userName`.
   * @param input.event - Only this event. Default: all except `AGENT_CALLED`, the calls of agents.
   * @param input.packageName - Only what was done on the branch of this package, and to the package
   *   itself.
   * @param input.since - Only from this time on, Unix milliseconds.
   * @param input.until - Only before this time, Unix milliseconds.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input: ActivityListInput, options?: CallOptions) => Promise<EndlessListOf<LogEntry>>
}

/** An entry in the activity of an item (specification 2.11) */
export interface ActivityEntry {
  /** Number of the newest version afterwards */
  version: string
  /** What was done */
  action: 'created' | 'updated' | 'deleted' | 'undeleted' | 'published' | 'unpublished' | 'archived' | 'unarchived' | 'categorized' | 'decategorized'
  /** Time as an ISO timestamp */
  timestamp: string
  /** Who did it */
  user: UserRef
  /** Status of the item afterwards: `draft`, `published` or `archived` */
  status: string
  /** The program that made the call, as it named itself in `Quire-Program`; absent: it named none */
  program?: string | undefined
  /** The comment of the change; for changes from a merge, which package they came from */
  comment?: string | undefined
}

/** An entry in the activity log of a repository */
export interface LogEntry {
  /** Time as an ISO timestamp */
  timestamp: string
  /** `ITEM_PUBLISHED`, `PACKAGE_MERGED`… */
  event: string
  /** The entity that changed */
  entity: {
    kind: 'item' | 'folder' | 'taxonomy' | 'category' | 'site' | 'section' | 'page' | 'package' | 'autoPackageRule' | 'renditionPreset' | 'query' | 'webhook' | 'index' | 'repository' | 'account'
    id: string
    /** Name of the content type of an item; null for everything else */
    type: string | null
    /** Current name; null if it no longer exists */
    name: string | null
  }
  /** Number of the newest version afterwards */
  version: string | null
  /** Status of the item afterwards */
  status: string | null
  /**
   * The package on whose branch it happened; null: main. Of `AGENT_CALLED`: the package that the call
   * named
   */
  packageName: string | null
  /** Who did it */
  user: UserRef
  /** Network address of the caller; null: the service itself, or not known */
  address: string | null
  /** Id of the request; all entries of one request have the same id */
  requestId: string
  /** The program that made the call, as it named itself in `Quire-Program`; absent: it named none */
  program?: string | undefined
  /** Of `AGENT_CALLED`: the call */
  call?: {
    /** `items.update`… */
    operation: string
    /** `ok`, or the code of the error */
    outcome: string
    /** Bytes of the input and of the response, as far as they were known at its end */
    bytes: number
    /** `not_branch_only`: the account may change main. Set `branchOnly` on it */
    warning?: 'not_branch_only' | undefined
  } | undefined
  /** The comment of the change; for changes from a merge, which package they came from */
  comment?: string | undefined
}

/** The input of `activity.get` */
export interface ActivityGetInput {
  /** A repository's id or name */
  configId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The item or asset */
  assetId: string
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The result of `activity.get` */
export interface ActivityGetOutput {
  /** The numbers of its versions, newest first, at most 1000 */
  versionHistory: string[]
  /** Newest first */
  activity: ActivityEntry[]
  /**
   * Cursor of the next page: send it as `cursor`. Absent on the last page. A short page can still have
   * a next one
   */
  nextCursor?: string | undefined
}

/** The input of `activity.list` */
export interface ActivityListInput {
  /** A repository's id or name */
  configId: string
  /** Only entries about the item, folder, package… with this id */
  entityId?: string | undefined
  /** Only what this user did, by `userName` */
  user?: string | undefined
  /** Only this event. Default: all except `AGENT_CALLED`, the calls of agents */
  event?: 'ITEM_CREATED' | 'ITEM_UPDATED' | 'ITEM_DELETED' | 'ITEM_PUBLISHED' | 'ITEM_ARCHIVED' | 'ITEM_UNARCHIVED' | 'ITEM_CATEGORIZED' | 'ITEM_DECATEGORIZED' | 'FOLDER_CREATED' | 'FOLDER_UPDATED' | 'FOLDER_DELETED' | 'SITE_PUBLISHED' | 'CACHE_TAGS_PURGED' | 'ITEM_UNPUBLISHED' | 'ITEM_UNDELETED' | 'FOLDER_UNDELETED' | 'TAXONOMY_CREATED' | 'TAXONOMY_UPDATED' | 'TAXONOMY_DELETED' | 'TAXONOMY_UNDELETED' | 'CATEGORY_CREATED' | 'CATEGORY_UPDATED' | 'CATEGORY_DELETED' | 'CATEGORY_UNDELETED' | 'SITE_CREATED' | 'SITE_UPDATED' | 'SITE_DELETED' | 'SITE_UNDELETED' | 'SITE_ROLLED_BACK' | 'SECTION_CREATED' | 'SECTION_UPDATED' | 'SECTION_DELETED' | 'SECTION_UNDELETED' | 'PAGE_CREATED' | 'PAGE_UPDATED' | 'PAGE_DELETED' | 'PAGE_UNDELETED' | 'QUERY_CREATED' | 'QUERY_UPDATED' | 'QUERY_DELETED' | 'INDEX_REBUILT' | 'WEBHOOK_CREATED' | 'WEBHOOK_UPDATED' | 'WEBHOOK_DELETED' | 'PACKAGE_CREATED' | 'PACKAGE_UPDATED' | 'PACKAGE_DELETED' | 'PACKAGE_MERGED' | 'PACKAGE_SYNCED' | 'PACKAGE_WORKFLOW' | 'PACKAGE_COMMENTED' | 'PACKAGE_SHARED' | 'PACKAGE_SHARE_REVOKED' | 'PACKAGE_ITEM_ADDED' | 'PACKAGE_CHANGE_REMOVED' | 'AUTO_PACKAGE_RULE_CREATED' | 'AUTO_PACKAGE_RULE_UPDATED' | 'AUTO_PACKAGE_RULE_DELETED' | 'RENDITION_PRESET_CREATED' | 'RENDITION_PRESET_UPDATED' | 'RENDITION_PRESET_DELETED' | 'TYPE_CREATED' | 'TYPE_UPDATED' | 'TYPE_DELETED' | 'TYPE_LOCKED' | 'TYPE_UNLOCKED' | 'REPOSITORY_CREATED' | 'REPOSITORY_UPDATED' | 'REPOSITORY_DELETED' | 'ROLE_CREATED' | 'ROLE_UPDATED' | 'ROLE_DELETED' | 'BUNDLE_CREATED' | 'BUNDLE_UPDATED' | 'BUNDLE_DELETED' | 'USER_CREATED' | 'USER_UPDATED' | 'USER_DELETED' | 'GROUP_CREATED' | 'GROUP_UPDATED' | 'GROUP_DELETED' | 'SESSION_OPENED' | 'SESSION_CLOSED' | 'SIGN_IN_LINK_CREATED' | 'SIGNING_KEY_ROTATED' | 'SERVER_KEY_ROTATED' | 'SERVICE_ACCOUNT_CREATED' | 'SERVICE_ACCOUNT_UPDATED' | 'SERVICE_ACCOUNT_DELETED' | 'ACCESS_CONFIGURATION_CREATED' | 'ACCESS_CONFIGURATION_DELETED' | 'WORKFLOW_CONNECTION_CREATED' | 'WORKFLOW_CONNECTION_UPDATED' | 'WORKFLOW_CONNECTION_DELETED' | 'WORKFLOW_DEFINITION_CREATED' | 'WORKFLOW_DEFINITION_UPDATED' | 'WORKFLOW_DEFINITION_DELETED' | 'SETTINGS_UPDATED' | 'AGENT_CALLED' | undefined
  /** Only what was done on the branch of this package, and to the package itself */
  packageName?: string | undefined
  /** Only from this time on, Unix milliseconds */
  since?: number | undefined
  /** Only before this time, Unix milliseconds */
  until?: number | undefined
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
