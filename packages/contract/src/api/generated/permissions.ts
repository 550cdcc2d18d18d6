// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ListOf } from './lists.ts'

/** The operations of `permissions`. Users, groups, roles, bundles and service accounts. */
export interface PermissionsApi {
  /**
   * List all permission keys: what they allow and where they can be granted.
   *
   * `GET /api/security/permissions`.
   * Permission: any valid token.
   *
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly catalog: (input?: Record<string, never>, options?: CallOptions) => Promise<ListOf<PermissionEntry>>
}

/** A permission key */
export interface PermissionEntry {
  /** `<area>.<thing>.<verb>` */
  key: string
  /** The first word of the key */
  area: string
  description: string
  /** Where it can be granted, in addition to globally */
  scopes: ('repository' | 'type' | 'site' | 'locale')[]
}
