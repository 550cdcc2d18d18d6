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
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `internal`, `unavailable` -
   *   As every operation of its kind.
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
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `internal`, `unavailable` -
   *   As every operation of its kind.
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
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `internal`, `unavailable` -
   *   As every operation of its kind.
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
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `internal`, `unavailable` -
   *   As every operation of its kind.
   */
  readonly serviceAccountInfo: (input: SecurityServiceAccountInfoInput, options?: CallOptions) => Promise<RelatedIds>

  /**
   * Read the audit log, newest first.
   *
   * Append-only: entries are never removed.
   *
   * `GET /api/security/audit`.
   * Permission: `security.audit.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `internal`, `unavailable` -
   *   As every operation of its kind.
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
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`, `internal`,
   *   `unavailable`, `no_room` - As every operation of its kind.
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
