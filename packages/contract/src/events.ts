/** The events of the specification (6.1) that items cause. */
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

/** What the activity log records beside them: no webhook can subscribe to these (PACKAGE_MERGED: specification 6.1). */
export const activityEvents = [
  'ITEM_UNPUBLISHED',
  'ITEM_UNDELETED',
  'PACKAGE_CREATED',
  'PACKAGE_UPDATED',
  'PACKAGE_DELETED',
  'PACKAGE_MERGED',
  'PACKAGE_SYNCED',
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
  'SERVICE_ACCOUNT_CREATED',
  'SERVICE_ACCOUNT_UPDATED',
  'SERVICE_ACCOUNT_DELETED',
] as const

/** A word of the journal. */
export type JournalEvent = (typeof itemEvents)[number] | (typeof activityEvents)[number]
