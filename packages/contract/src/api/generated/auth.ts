// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'

/** The operations of `auth`. Access tokens, the keys that verify them, and your permissions. */
export interface AuthApi {
  /**
   * Get an access token (OAuth2 client credentials).
   *
   * Send the id and secret of a service account in the form or with HTTP Basic. Errors are `{ error }`
   * (specification 7.2): 400 for another grant type, 401 `invalid_client` for an unknown id or a wrong
   * secret. Other parameters are ignored (RFC 6749 §3.2).
   *
   * `POST /oauth2/token`.
   * Public: needs no token.
   *
   * @param input.grant_type - `client_credentials`.
   * @param input.client_id - The id of the service account.
   * @param input.client_secret - The secret of the service account.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `too_large`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every
   *   operation of its kind.
   */
  readonly token: (input?: AuthTokenInput, options?: CallOptions) => Promise<TokenResponse>

  /**
   * Read the public keys that verify access tokens (RFC 7517).
   *
   * `GET /oauth2/jwks`.
   * Public: needs no token.
   *
   * @throws `invalid`, `too_many_requests`, `internal`, `unavailable` - As every operation of its
   *   kind.
   */
  readonly keys: (input?: Record<string, never>, options?: CallOptions) => Promise<AuthKeysOutput>

  /**
   * Read the OAuth2 authorization server metadata (RFC 8414).
   *
   * `GET /.well-known/oauth-authorization-server`.
   * Public: needs no token.
   *
   * @throws `invalid`, `too_many_requests`, `internal`, `unavailable` - As every operation of its
   *   kind.
   */
  readonly metadata: (input?: Record<string, never>, options?: CallOptions) => Promise<AuthMetadataOutput>

  /**
   * Read your effective permissions, and explain one of them.
   *
   * `GET /api/security/me/permissions`.
   * Permission: any valid token.
   *
   * @param input.explain - A key to explain.
   * @param input.repo - Explain it on this repository (id or name), followed by `:<type>` for one
   *   content type and by `@<locale>` for one locale.
   * @param input.site - Explain it on this site.
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable` - As every operation of its kind.
   */
  readonly myPermissions: (input?: AuthMyPermissionsInput, options?: CallOptions) => Promise<EffectivePermissions>

  /**
   * Open a browser session with a bearer token.
   *
   * Sets the cookie `token` (HttpOnly, SameSite=Lax, Secure on https). The session ends when the token
   * that opened it expires, at the latest after 12 hours.
   *
   * `POST /api/user/session`.
   * Permission: any valid token.
   *
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `too_large`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly openSession: (input?: Record<string, never>, options?: CallOptions) => Promise<AuthOpenSessionOutput>

  /**
   * Close the current browser session and invalidate its cookie.
   *
   * `DELETE /api/user/session`.
   * Permission: any valid token.
   *
   * @throws `invalid`, `unauthorized`, `too_many_requests`, `budget_exceeded`, `internal`,
   *   `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly closeSession: (input?: Record<string, never>, options?: CallOptions) => Promise<undefined>

  /**
   * Sign in.
   *
   * Uses the identity provider (OpenID Connect, code flow with PKCE) if one is configured, or the
   * ticket of a one-time link. A program (`Accept` without `text/html`) gets the URL to go to as JSON.
   *
   * `GET /api/user/login`.
   * Public: needs no token.
   *
   * @param input.returnTo - Path of this service to go to afterwards; other URLs are rejected.
   * @param input.ticket - Ticket of a one-time link.
   * @throws `not_found` - Not found.
   * @throws `unauthorized` - A valid bearer token is required: get one at POST /oauth2/token.
   * @throws `invalid`, `too_many_requests`, `internal`, `unavailable` - As every operation of its
   *   kind.
   */
  readonly login: (input?: AuthLoginInput, options?: CallOptions) => Promise<AuthLoginOutput>

  /**
   * Complete a sign-in: the identity provider redirects the browser here.
   *
   * `GET /api/user/login/callback`.
   * Public: needs no token.
   *
   * @param input.code - The authorization code of the provider.
   * @param input.state - The sign-in that this belongs to.
   * @param input.iss - The issuer (RFC 9207).
   * @param input.error - The error code of the provider.
   * @param input.error_description - The error of the provider in words.
   * @throws `not_found` - Not found.
   * @throws `unauthorized` - A valid bearer token is required: get one at POST /oauth2/token.
   * @throws `invalid`, `too_many_requests`, `internal`, `unavailable` - As every operation of its
   *   kind.
   */
  readonly callback: (input?: AuthCallbackInput, options?: CallOptions) => Promise<AuthCallbackOutput>
}

/** The token response (specification 2.2) */
export interface TokenResponse {
  /** A JWT */
  access_token: string
  /** Seconds of validity: 3600 */
  expires_in: number
  token_type: 'Bearer'
}

export type PermissionKey = 
  | 'items.read'
  | 'items.create'
  | 'items.update'
  | 'items.delete'
  | 'items.publish'
  | 'items.archive'
  | 'assets.read'
  | 'assets.download'
  | 'assets.upload'
  | 'folders.read'
  | 'folders.create'
  | 'folders.update'
  | 'folders.delete'
  | 'taxonomies.read'
  | 'taxonomies.create'
  | 'taxonomies.update'
  | 'taxonomies.delete'
  | 'queries.run'
  | 'graphql.query'
  | 'queries.save'
  | 'activity.view'
  | 'ai.use'
  | 'integrations.use'
  | 'packages.view'
  | 'packages.diff.view'
  | 'packages.create'
  | 'packages.update'
  | 'packages.comment'
  | 'packages.delete'
  | 'packages.merge'
  | 'workflow.start'
  | 'workflow.act'
  | 'workflow.assign'
  | 'sites.view'
  | 'sites.update'
  | 'sites.publish'
  | 'security.roles.view'
  | 'security.roles.update'
  | 'security.users.view'
  | 'security.users.update'
  | 'security.groups.view'
  | 'security.groups.update'
  | 'security.keys.update'
  | 'security.audit.view'
  | 'security.serviceAccounts.view'
  | 'security.serviceAccounts.update'
  | 'queue.view'
  | 'queue.manage'
  | 'admin.webhooks.view'
  | 'admin.webhooks.update'
  | 'admin.workflow.view'
  | 'admin.workflow.update'
  | 'admin.types.view'
  | 'admin.types.update'
  | 'admin.types.lock'
  | 'admin.indexes.view'
  | 'admin.indexes.update'
  | 'admin.access.view'
  | 'admin.access.update'
  | 'admin.settings.view'
  | 'admin.settings.update'
  | 'admin.repositories.view'
  | 'admin.repositories.update'
  | 'admin.repositories.export'
  | 'admin.repositories.import'
  | 'admin.repositories.crawl'
  | 'admin.repositories.migration.run'

/** The effective permissions of an identity (specification 5.2.8) */
export interface EffectivePermissions {
  identity: {
    kind: 'user' | 'service' | 'system' | 'anonymous'
    id: string
    name: string
  }
  /** Ids of the roles, direct and through groups */
  roles: string[]
  /** Keys granted everywhere */
  global: PermissionKey[]
  /**
   * Keys granted on a repository (`<id>`) or on one content type in it (`<id>:<type>`), either for one
   * locale alone (`<id>@<locale>`, `<id>:<type>@<locale>`), in addition to the global ones
   */
  repos: Record<string, PermissionKey[]>
  /** Keys granted on a site, in addition to the global ones */
  sites: Record<string, PermissionKey[]>
  /** Whether nothing on main can be changed: what is held there only reads, or concerns packages */
  branchOnly: boolean
  /** Keys held in packages in addition to those held on main */
  inPackages: {
    /** Keys granted everywhere */
    global: PermissionKey[]
    /**
     * Keys granted on a repository (`<id>`) or on one content type in it (`<id>:<type>`), either for
     * one locale alone (`<id>@<locale>`, `<id>:<type>@<locale>`), in addition to the global ones
     */
    repos: Record<string, PermissionKey[]>
    /** Keys granted on a site, in addition to the global ones */
    sites: Record<string, PermissionKey[]>
  }
  /** With `explain` */
  explanation?: {
    key: string
    /** Whether the key is held on main */
    allowed: boolean
    /** Whether the key is held in packages */
    allowedInPackages: boolean
    /** What grants the key */
    grants: {
      /** Role id; null: granted by `repos` of the account or of a group */
      role: string | null
      /** The groups through which the role is inherited, nearest first; empty: directly */
      via: string[]
      /**
       * `bundle.<name>`, `permissions.global`, `permissions.repos.<id>`, `permissions.sites.<id>`,
       * `repos.<permission>` or `overrides.grant`
       */
      source: string
      /** Whether it counts in packages only, because the role or the account is `branchOnly` */
      inPackagesOnly: boolean
    }[]
    /** What would grant the key on main without `overrides.revoke` or `branchOnly` */
    withheld: {
      /** Role id; null: the account itself */
      role: string | null
      /**
       * The bundle that contains the key, which `overrides.revoke` removes; or `branchOnly`, which
       * withholds it on main or everywhere
       */
      source: string
    }[]
  } | undefined
}

/** The input of `auth.token` */
export interface AuthTokenInput {
  /** `client_credentials` */
  grant_type?: string | undefined
  /** The id of the service account */
  client_id?: string | undefined
  /** The secret of the service account */
  client_secret?: string | undefined
  [name: string]: unknown
}

/** The result of `auth.keys` */
export interface AuthKeysOutput {
  keys: Record<string, string>[]
}

/** The result of `auth.metadata` */
export interface AuthMetadataOutput {
  issuer: string
  token_endpoint: string
  jwks_uri: string
  grant_types_supported: string[]
  token_endpoint_auth_methods_supported: string[]
  response_types_supported: string[]
}

/** The input of `auth.myPermissions` */
export interface AuthMyPermissionsInput {
  /** A key to explain */
  explain?: PermissionKey | undefined
  /**
   * Explain it on this repository (id or name), followed by `:<type>` for one content type and by
   * `@<locale>` for one locale
   */
  repo?: string | undefined
  /** Explain it on this site */
  site?: string | undefined
}

/** The result of `auth.openSession` */
export interface AuthOpenSessionOutput {
  /** When it ends */
  expiresAt: number
  identity: {
    kind: 'user' | 'service'
    id: string
    name: string
  }
}

/** The input of `auth.login` */
export interface AuthLoginInput {
  /** Path of this service to go to afterwards; other URLs are rejected */
  returnTo?: string | undefined
  /** Ticket of a one-time link */
  ticket?: string | undefined
}

/** The result of `auth.login` */
export interface AuthLoginOutput {
  /** URL to go to; a browser that navigates is redirected there (303) */
  location: string
}

/** The input of `auth.callback` */
export interface AuthCallbackInput {
  /** The authorization code of the provider */
  code?: string | undefined
  /** The sign-in that this belongs to */
  state?: string | undefined
  /** The issuer (RFC 9207) */
  iss?: string | undefined
  /** The error code of the provider */
  error?: string | undefined
  /** The error of the provider in words */
  error_description?: string | undefined
  [name: string]: unknown
}

/** The result of `auth.callback` */
export interface AuthCallbackOutput {
  /** URL to go to; a browser that navigates is redirected there (303) */
  location: string
}
