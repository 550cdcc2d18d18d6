// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'
import type { UserRef } from './items.ts'
import type { EndlessListOf } from './lists.ts'

/** The operations of `security`. Users, groups, roles, bundles and service accounts. */
export interface SecurityApi {
  /**
   * List the ids related to a user.
   *
   * `GET /api/security/info/user/{id}`.
   * Permission: `security.users.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly userInfo: (input: SecurityUserInfoInput, options?: CallOptions) => Promise<RelatedIds>

  /**
   * List the ids related to a role.
   *
   * `GET /api/security/info/role/{id}`.
   * Permission: `security.roles.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly roleInfo: (input: SecurityRoleInfoInput, options?: CallOptions) => Promise<RelatedIds>

  /**
   * List the ids related to a group.
   *
   * `GET /api/security/info/group/{id}`.
   * Permission: `security.groups.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly groupInfo: (input: SecurityGroupInfoInput, options?: CallOptions) => Promise<RelatedIds>

  /**
   * List the ids related to a service account.
   *
   * `GET /api/security/info/serviceAccount/{id}`.
   * Permission: `security.serviceAccounts.view`.
   *
   * @param input.id - An id, as answered by the operation that created it.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly serviceAccountInfo: (input: SecurityServiceAccountInfoInput, options?: CallOptions) => Promise<RelatedIds>

  /**
   * Read the audit log, newest first.
   *
   * Append-only: entries are never removed. A page can have fewer entries than `limit` and still have
   * a next page.
   *
   * `GET /api/security/audit`.
   * Permission: `security.audit.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @param input.event - Only this event. `AGENT_CALLED`: calls of agents that named no repository.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly audit: (input?: SecurityAuditInput, options?: CallOptions) => Promise<EndlessListOf<AuditEntry>>

  /**
   * Rotate a key without downtime.
   *
   * `tokens`: the key pair that signs tokens. The old one still verifies until its last token has
   * expired. `secrets`: the server key that hashes and encrypts secrets. Encrypted secrets are
   * encrypted again; hashed secrets are hashed again when they are next used.
   *
   * `POST /api/security/keys/rotate`.
   * Permission: `security.keys.update`.
   *
   * @param input.of - The key to rotate.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly rotateKeys: (input?: SecurityRotateKeysInput, options?: CallOptions) => Promise<SecurityRotateKeysOutput>
}

/** The ids related to a user, role, group or service account (specification 4.5) */
export interface RelatedIds {
  users: string[]
  roles: string[]
  groups: string[]
  serviceAccounts: string[]
}

/** An entry in the audit log: a change of accounts, roles, sessions or keys */
export interface AuditEntry {
  /** Increases with time */
  id: string
  /** Time as an ISO timestamp */
  timestamp: string
  /** `ROLE_UPDATED`… */
  event: string
  entityType: string
  entityId: string
  /** Who did it */
  user: UserRef
  /** Network address of the caller; null: the service itself */
  address: string | null
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
  /** Each member that changed, with its old and new value; never a secret */
  changed: Record<string, {
    from: JsonValue
    to: JsonValue
  }>
}

/** The input of `security.userInfo` */
export interface SecurityUserInfoInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `security.roleInfo` */
export interface SecurityRoleInfoInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `security.groupInfo` */
export interface SecurityGroupInfoInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `security.serviceAccountInfo` */
export interface SecurityServiceAccountInfoInput {
  /** An id, as answered by the operation that created it */
  id: string
}

/** The input of `security.audit` */
export interface SecurityAuditInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
  /** Only this event. `AGENT_CALLED`: calls of agents that named no repository */
  event?: 'ITEM_CREATED' | 'ITEM_UPDATED' | 'ITEM_DELETED' | 'ITEM_PUBLISHED' | 'ITEM_ARCHIVED' | 'ITEM_UNARCHIVED' | 'ITEM_CATEGORIZED' | 'ITEM_DECATEGORIZED' | 'FOLDER_CREATED' | 'FOLDER_UPDATED' | 'FOLDER_DELETED' | 'SITE_PUBLISHED' | 'CACHE_TAGS_PURGED' | 'ITEM_UNPUBLISHED' | 'ITEM_UNDELETED' | 'FOLDER_UNDELETED' | 'TAXONOMY_CREATED' | 'TAXONOMY_UPDATED' | 'TAXONOMY_DELETED' | 'TAXONOMY_UNDELETED' | 'CATEGORY_CREATED' | 'CATEGORY_UPDATED' | 'CATEGORY_DELETED' | 'CATEGORY_UNDELETED' | 'SITE_CREATED' | 'SITE_UPDATED' | 'SITE_DELETED' | 'SITE_UNDELETED' | 'SITE_ROLLED_BACK' | 'SECTION_CREATED' | 'SECTION_UPDATED' | 'SECTION_DELETED' | 'SECTION_UNDELETED' | 'PAGE_CREATED' | 'PAGE_UPDATED' | 'PAGE_DELETED' | 'PAGE_UNDELETED' | 'QUERY_CREATED' | 'QUERY_UPDATED' | 'QUERY_DELETED' | 'INDEX_REBUILT' | 'WEBHOOK_CREATED' | 'WEBHOOK_UPDATED' | 'WEBHOOK_DELETED' | 'PACKAGE_CREATED' | 'PACKAGE_UPDATED' | 'PACKAGE_DELETED' | 'PACKAGE_MERGED' | 'PACKAGE_SYNCED' | 'PACKAGE_WORKFLOW' | 'PACKAGE_COMMENTED' | 'PACKAGE_SHARED' | 'PACKAGE_SHARE_REVOKED' | 'PACKAGE_ITEM_ADDED' | 'PACKAGE_CHANGE_REMOVED' | 'AUTO_PACKAGE_RULE_CREATED' | 'AUTO_PACKAGE_RULE_UPDATED' | 'AUTO_PACKAGE_RULE_DELETED' | 'RENDITION_PRESET_CREATED' | 'RENDITION_PRESET_UPDATED' | 'RENDITION_PRESET_DELETED' | 'TYPE_CREATED' | 'TYPE_UPDATED' | 'TYPE_DELETED' | 'TYPE_LOCKED' | 'TYPE_UNLOCKED' | 'REPOSITORY_CREATED' | 'REPOSITORY_UPDATED' | 'REPOSITORY_DELETED' | 'ROLE_CREATED' | 'ROLE_UPDATED' | 'ROLE_DELETED' | 'BUNDLE_CREATED' | 'BUNDLE_UPDATED' | 'BUNDLE_DELETED' | 'USER_CREATED' | 'USER_UPDATED' | 'USER_DELETED' | 'GROUP_CREATED' | 'GROUP_UPDATED' | 'GROUP_DELETED' | 'SESSION_OPENED' | 'SESSION_CLOSED' | 'SIGN_IN_LINK_CREATED' | 'SIGNING_KEY_ROTATED' | 'SERVER_KEY_ROTATED' | 'SERVICE_ACCOUNT_CREATED' | 'SERVICE_ACCOUNT_UPDATED' | 'SERVICE_ACCOUNT_DELETED' | 'ACCESS_CONFIGURATION_CREATED' | 'ACCESS_CONFIGURATION_DELETED' | 'WORKFLOW_CONNECTION_CREATED' | 'WORKFLOW_CONNECTION_UPDATED' | 'WORKFLOW_CONNECTION_DELETED' | 'WORKFLOW_DEFINITION_CREATED' | 'WORKFLOW_DEFINITION_UPDATED' | 'WORKFLOW_DEFINITION_DELETED' | 'SETTINGS_UPDATED' | 'AGENT_CALLED' | undefined
}

/** The input of `security.rotateKeys` */
export interface SecurityRotateKeysInput {
  /**
   * The key to rotate
   * @default 'tokens'
   */
  of?: 'tokens' | 'secrets' | undefined
}

/** The result of `security.rotateKeys` */
export interface SecurityRotateKeysOutput {
  /** Id of the new key; for `tokens` its `kid` */
  id: string
  /**
   * When the new key comes into use. A signing key waits until everyone who caches the public keys has
   * it
   */
  usedFrom: number
}
