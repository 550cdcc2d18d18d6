// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions, Streamed } from '../call.ts'
import type { UserRef } from './items.ts'

/** The operations of `events`. Who did what, when and from where, and events as they happen. */
export interface EventsApi {
  /**
   * Stream events as they happen.
   *
   * Streams every change in the repositories that you may see, on main and in packages, in the order
   * of commits. Changes that you may not read are left out, by your permissions at that moment. The
   * stream starts now, or after `lastEventId` to continue an earlier stream. It ends when your token
   * expires. At most 10 streams can be open per account, and 100 in total.
   *
   * `GET /api/events`.
   * Permission: any valid token.
   *
   * @param input.repositories - Only events in these repositories, by id or name. Default: all that
   *   you may see.
   * @param input.events - Only these events: `ITEM_PUBLISHED,ITEM_ARCHIVED`. Default: all.
   * @param input.lastEventId - The `id` of the last event that you received: later events are sent
   *   first. Default: only new events.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `unauthorized`, `budget_exceeded`, `internal`, `unavailable` - As every
   *   operation of its kind.
   */
  readonly stream: (input?: EventsStreamInput, options?: CallOptions) => Promise<Streamed<EventMessage>>
}

/** An event */
export interface EventMessage {
  /**
   * Position of the event: send it as `lastEventId` to continue a stream after it. The text differs
   * for each reader
   */
  id: string
  /** `ITEM_PUBLISHED`, `PACKAGE_MERGED`… */
  event: string
  /** Id of the repository */
  repositoryId: string
  /** The package on whose branch it happened; null: main */
  packageName: string | null
  /** Id of the item, folder, package… that changed */
  entityId: string
  /** Name of the content type of an item; the kind of everything else: `folder`, `package`… */
  entityType: string
  /** Number of the newest version afterwards */
  version: string | null
  /** Status of the item afterwards */
  status: string | null
  /** Time in Unix milliseconds */
  date: number
  /** Who did it */
  user: UserRef
  /** Of an item in a repository with locales: those whose values or publication changed */
  locales?: string[] | undefined
  /** Only of `CACHE_TAGS_PURGED`: the cache tags of public responses that changed */
  tags?: string[] | undefined
}

/** The input of `events.stream` */
export interface EventsStreamInput {
  /** Only events in these repositories, by id or name. Default: all that you may see */
  repositories?: string[] | undefined
  /** Only these events: `ITEM_PUBLISHED,ITEM_ARCHIVED`. Default: all */
  events?: ('ITEM_CREATED' | 'ITEM_UPDATED' | 'ITEM_DELETED' | 'ITEM_PUBLISHED' | 'ITEM_ARCHIVED' | 'ITEM_UNARCHIVED' | 'ITEM_CATEGORIZED' | 'ITEM_DECATEGORIZED' | 'FOLDER_CREATED' | 'FOLDER_UPDATED' | 'FOLDER_DELETED' | 'SITE_PUBLISHED' | 'CACHE_TAGS_PURGED' | 'ITEM_UNPUBLISHED' | 'ITEM_UNDELETED' | 'FOLDER_UNDELETED' | 'TAXONOMY_CREATED' | 'TAXONOMY_UPDATED' | 'TAXONOMY_DELETED' | 'TAXONOMY_UNDELETED' | 'CATEGORY_CREATED' | 'CATEGORY_UPDATED' | 'CATEGORY_DELETED' | 'CATEGORY_UNDELETED' | 'SITE_CREATED' | 'SITE_UPDATED' | 'SITE_DELETED' | 'SITE_UNDELETED' | 'SITE_ROLLED_BACK' | 'SECTION_CREATED' | 'SECTION_UPDATED' | 'SECTION_DELETED' | 'SECTION_UNDELETED' | 'PAGE_CREATED' | 'PAGE_UPDATED' | 'PAGE_DELETED' | 'PAGE_UNDELETED' | 'QUERY_CREATED' | 'QUERY_UPDATED' | 'QUERY_DELETED' | 'INDEX_REBUILT' | 'WEBHOOK_CREATED' | 'WEBHOOK_UPDATED' | 'WEBHOOK_DELETED' | 'PACKAGE_CREATED' | 'PACKAGE_UPDATED' | 'PACKAGE_DELETED' | 'PACKAGE_MERGED' | 'PACKAGE_SYNCED' | 'PACKAGE_WORKFLOW' | 'PACKAGE_COMMENTED' | 'PACKAGE_SHARED' | 'PACKAGE_SHARE_REVOKED' | 'PACKAGE_ITEM_ADDED' | 'PACKAGE_CHANGE_REMOVED' | 'AUTO_PACKAGE_RULE_CREATED' | 'AUTO_PACKAGE_RULE_UPDATED' | 'AUTO_PACKAGE_RULE_DELETED' | 'RENDITION_PRESET_CREATED' | 'RENDITION_PRESET_UPDATED' | 'RENDITION_PRESET_DELETED' | 'TYPE_CREATED' | 'TYPE_UPDATED' | 'TYPE_DELETED' | 'TYPE_LOCKED' | 'TYPE_UNLOCKED' | 'REPOSITORY_CREATED' | 'REPOSITORY_UPDATED' | 'REPOSITORY_DELETED' | 'ROLE_CREATED' | 'ROLE_UPDATED' | 'ROLE_DELETED' | 'BUNDLE_CREATED' | 'BUNDLE_UPDATED' | 'BUNDLE_DELETED' | 'USER_CREATED' | 'USER_UPDATED' | 'USER_DELETED' | 'GROUP_CREATED' | 'GROUP_UPDATED' | 'GROUP_DELETED' | 'SESSION_OPENED' | 'SESSION_CLOSED' | 'SIGN_IN_LINK_CREATED' | 'SIGNING_KEY_ROTATED' | 'SERVER_KEY_ROTATED' | 'SERVICE_ACCOUNT_CREATED' | 'SERVICE_ACCOUNT_UPDATED' | 'SERVICE_ACCOUNT_DELETED' | 'ACCESS_CONFIGURATION_CREATED' | 'ACCESS_CONFIGURATION_DELETED' | 'WORKFLOW_CONNECTION_CREATED' | 'WORKFLOW_CONNECTION_UPDATED' | 'WORKFLOW_CONNECTION_DELETED' | 'WORKFLOW_DEFINITION_CREATED' | 'WORKFLOW_DEFINITION_UPDATED' | 'WORKFLOW_DEFINITION_DELETED' | 'SETTINGS_UPDATED' | 'AGENT_CALLED')[] | undefined
  /**
   * The `id` of the last event that you received: later events are sent first. Default: only new
   * events
   */
  lastEventId?: string | undefined
}
