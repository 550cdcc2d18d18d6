/** Events of items (specification 6.1). */
export const itemEvents = [
  'ITEM_CREATED',
  'ITEM_UPDATED',
  'ITEM_DELETED',
  'ITEM_PUBLISHED',
  'ITEM_ARCHIVED',
  'ITEM_UNARCHIVED',
  'ITEM_CATEGORIZED',
  'ITEM_DECATEGORIZED',
] as const

/** Events of folders (specification 6.1). */
export const folderEvents = ['FOLDER_CREATED', 'FOLDER_UPDATED', 'FOLDER_DELETED'] as const

/** Events of sites (specification 6.1). */
export const siteEvents = ['SITE_PUBLISHED'] as const

/**
 * Events of caches in front of a public repository: the public answers with these tags changed. Ours,
 * not of the specification.
 */
export const cacheEvents = ['CACHE_TAGS_PURGED'] as const

/** The events that a webhook can subscribe to (specification 6.1), and ours. */
export const webhookEvents = [...itemEvents, ...folderEvents, ...siteEvents, ...cacheEvents] as const

/**
 * Events that only the activity log records. Webhooks cannot subscribe to them (PACKAGE_MERGED:
 * specification 6.1).
 */
export const activityEvents = [
  'ITEM_UNPUBLISHED',
  'ITEM_UNDELETED',
  'FOLDER_UNDELETED',
  'TAXONOMY_CREATED',
  'TAXONOMY_UPDATED',
  'TAXONOMY_DELETED',
  'TAXONOMY_UNDELETED',
  'CATEGORY_CREATED',
  'CATEGORY_UPDATED',
  'CATEGORY_DELETED',
  'CATEGORY_UNDELETED',
  'SITE_CREATED',
  'SITE_UPDATED',
  'SITE_DELETED',
  'SITE_UNDELETED',
  'SITE_ROLLED_BACK',
  'SECTION_CREATED',
  'SECTION_UPDATED',
  'SECTION_DELETED',
  'SECTION_UNDELETED',
  'PAGE_CREATED',
  'PAGE_UPDATED',
  'PAGE_DELETED',
  'PAGE_UNDELETED',
  'QUERY_CREATED',
  'QUERY_UPDATED',
  'QUERY_DELETED',
  'INDEX_REBUILT',
  'WEBHOOK_CREATED',
  'WEBHOOK_UPDATED',
  'WEBHOOK_DELETED',
  'PACKAGE_CREATED',
  'PACKAGE_UPDATED',
  'PACKAGE_DELETED',
  'PACKAGE_MERGED',
  'PACKAGE_SYNCED',
  'PACKAGE_WORKFLOW',
  'PACKAGE_COMMENTED',
  'PACKAGE_SHARED',
  'PACKAGE_SHARE_REVOKED',
  'PACKAGE_ITEM_ADDED',
  'PACKAGE_CHANGE_REMOVED',
  'AUTO_PACKAGE_RULE_CREATED',
  'AUTO_PACKAGE_RULE_UPDATED',
  'AUTO_PACKAGE_RULE_DELETED',
  'RENDITION_PRESET_CREATED',
  'RENDITION_PRESET_UPDATED',
  'RENDITION_PRESET_DELETED',
  'TYPE_CREATED',
  'TYPE_UPDATED',
  'TYPE_DELETED',
  'TYPE_LOCKED',
  'TYPE_UNLOCKED',
  'REPOSITORY_CREATED',
  'REPOSITORY_UPDATED',
  'REPOSITORY_DELETED',
  'ROLE_CREATED',
  'ROLE_UPDATED',
  'ROLE_DELETED',
  'BUNDLE_CREATED',
  'BUNDLE_UPDATED',
  'BUNDLE_DELETED',
  'USER_CREATED',
  'USER_UPDATED',
  'USER_DELETED',
  'GROUP_CREATED',
  'GROUP_UPDATED',
  'GROUP_DELETED',
  'SESSION_OPENED',
  'SESSION_CLOSED',
  'SIGN_IN_LINK_CREATED',
  'SIGNING_KEY_ROTATED',
  'SERVER_KEY_ROTATED',
  'SERVICE_ACCOUNT_CREATED',
  'SERVICE_ACCOUNT_UPDATED',
  'SERVICE_ACCOUNT_DELETED',
  'ACCESS_CONFIGURATION_CREATED',
  'ACCESS_CONFIGURATION_DELETED',
  'WORKFLOW_CONNECTION_CREATED',
  'WORKFLOW_CONNECTION_UPDATED',
  'WORKFLOW_CONNECTION_DELETED',
  'WORKFLOW_DEFINITION_CREATED',
  'WORKFLOW_DEFINITION_UPDATED',
  'WORKFLOW_DEFINITION_DELETED',
  'SETTINGS_UPDATED',
  'AGENT_CALLED',
] as const

/** All events in the journal, which the activity log shows. */
export const journalEvents = [
  ...itemEvents,
  ...folderEvents,
  ...siteEvents,
  ...cacheEvents,
  ...activityEvents,
] as const

/** An event in the journal. */
export type JournalEvent = (typeof journalEvents)[number]
