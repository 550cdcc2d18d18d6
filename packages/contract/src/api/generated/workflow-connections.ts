// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { ListOf } from './lists.ts'

/**
 * The operations of `workflowConnections`. Connections to workflow engines, and the workflows that can
 * be started.
 */
export interface WorkflowConnectionsApi {
  /**
   * List connections to workflow engines.
   *
   * `GET /api/admin/workflow/connections`.
   * Permission: `admin.workflow.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: WorkflowConnectionsListInput, options?: CallOptions) => Promise<ListOf<WorkflowConnection>>

  /**
   * Read a connection.
   *
   * `GET /api/admin/workflow/connections/{id}`.
   * Permission: `admin.workflow.view`.
   *
   * @param input.id - The connection.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: WorkflowConnectionsGetInput, options?: CallOptions) => Promise<WorkflowConnection>

  /**
   * Create a connection to a workflow engine.
   *
   * `POST /api/admin/workflow/connections`.
   * Permission: `admin.workflow.update`.
   *
   * @param input.name - Unique name.
   * @param input.baseUrl - Base URL of the engine: http or https, without credentials, query or
   *   fragment, on a public address or one that the operator allows.
   * @param input.callbackBaseUrl - Base URL of this service, as the engine reaches it.
   * @param input.auth - How to authenticate to the upstream, instead of `apiKey`. Its secrets are
   *   never shown.
   * @param input.callback - How callbacks of the engine are authenticated: secrets of at least 16
   *   characters. Never shown: responses have `***`, and sending `***` keeps the current value. A
   *   replaced secret stays valid for one more day; null revokes it at once.
   * @param input.allowedOrigins - Other origins that are allowed in `nextActionUrl` of the engine.
   *   They also receive its credentials.
   * @param input.timeoutMs - Milliseconds in which the engine must respond.
   * @throws `name_taken` - This name is taken.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly create: (input: WorkflowConnectionsCreateInput, options?: CallOptions) => Promise<WorkflowConnection>

  /**
   * Change a connection.
   *
   * Only the members that are sent change; `auth` is replaced as a whole. Changing the origin of
   * `baseUrl` or adding one to `allowedOrigins` requires the secret of `auth` again.
   *
   * `PATCH /api/admin/workflow/connections/{id}`.
   * Permission: `admin.workflow.update`.
   *
   * @param input.id - The connection.
   * @param input.name - Unique name.
   * @param input.baseUrl - Base URL of the engine: http or https, without credentials, query or
   *   fragment, on a public address or one that the operator allows.
   * @param input.callbackBaseUrl - Base URL of this service, as the engine reaches it.
   * @param input.auth - How to authenticate to the upstream, instead of `apiKey`. Its secrets are
   *   never shown.
   * @param input.callback - As in create; members that are left out stay as they are.
   * @param input.allowedOrigins - Other origins that are allowed in `nextActionUrl` of the engine.
   *   They also receive its credentials.
   * @param input.timeoutMs - Milliseconds in which the engine must respond.
   * @throws `not_found` - Not found.
   * @throws `name_taken` - This name is taken.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly update: (input: WorkflowConnectionsUpdateInput, options?: CallOptions) => Promise<WorkflowConnection>

  /**
   * Delete a connection.
   *
   * 409 `referenced` while a definition uses it or a workflow runs on it.
   *
   * `DELETE /api/admin/workflow/connections/{id}`.
   * Permission: `admin.workflow.update`.
   *
   * @param input.id - The connection.
   * @throws `not_found` - Not found.
   * @throws `referenced` - Other items refer to this one: see details.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: WorkflowConnectionsDeleteInput, options?: CallOptions) => Promise<undefined>

  /**
   * Test whether the engine responds.
   *
   * Sends one GET to `baseUrl` with the credentials. Any status below 500 except 401 and 403 means
   * that the engine is reachable and accepts the credentials.
   *
   * `POST /api/admin/workflow/connections/{id}/test`.
   * Permission: `admin.workflow.update`.
   *
   * @param input.id - The connection.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly test: (input: WorkflowConnectionsTestInput, options?: CallOptions) => Promise<ConnectionTest>
}

/** A connection to a workflow engine (specification 2.15); secrets are `***` */
export interface WorkflowConnection {
  /** An id, as answered by the operation that created it */
  id: string
  /** Unique name */
  name: string
  /**
   * Base URL of the engine: http or https, without credentials, query or fragment, on a public address
   * or one that the operator allows
   */
  baseUrl: string
  /** Base URL of this service, as the engine reaches it */
  callbackBaseUrl: string
  /** How to authenticate to the upstream; its secrets are `***` */
  auth: RedactedUpstreamAuth
  callback: {
    apiKey: '***' | null
    signingSecret: '***' | null
  }
  /** Other origins that are allowed in `nextActionUrl` of the engine. They also receive its credentials */
  allowedOrigins: string[]
  /** Milliseconds in which the engine must respond */
  timeoutMs: number
  /** Unix milliseconds */
  createdDate: number
  /** Unix milliseconds */
  updatedDate: number
}

/** How to authenticate to the upstream; its secrets are `***` */
export type RedactedUpstreamAuth = 
  | NoneRedactedUpstreamAuth
  | BearerRedactedUpstreamAuth
  | BasicRedactedUpstreamAuth
  | Api_keyRedactedUpstreamAuth

export interface NoneRedactedUpstreamAuth {
  kind: 'none'
}

export interface BearerRedactedUpstreamAuth {
  kind: 'bearer'
  token: '***'
}

export interface BasicRedactedUpstreamAuth {
  kind: 'basic'
  /** The user name */
  username: string
  password: '***'
}

export interface Api_keyRedactedUpstreamAuth {
  kind: 'api_key'
  headerName: string
  key: '***'
}

/** How to authenticate to the upstream, instead of `apiKey`. Its secrets are never shown */
export type UpstreamAuth = NoneUpstreamAuth | BearerUpstreamAuth | BasicUpstreamAuth | Api_keyUpstreamAuth

export interface NoneUpstreamAuth {
  kind: 'none'
}

export interface BearerUpstreamAuth {
  kind: 'bearer'
  token: string
}

export interface BasicUpstreamAuth {
  kind: 'basic'
  /** The user name */
  username: string
  password: string
}

export interface Api_keyUpstreamAuth {
  kind: 'api_key'
  /**
   * The header that the key is sent in
   * @default 'X-API-Key'
   */
  headerName?: string | undefined
  key: string
}

/** The result of a connection test */
export interface ConnectionTest {
  ok: boolean
  /** HTTP status of the response; null without a response */
  status: number | null
  /** Milliseconds from the request to the end of the response */
  ms: number
  /** The result in words */
  message: string
}

/** The input of `workflowConnections.list` */
export interface WorkflowConnectionsListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `workflowConnections.get` */
export interface WorkflowConnectionsGetInput {
  /** The connection */
  id: string
}

/** The input of `workflowConnections.create` */
export interface WorkflowConnectionsCreateInput {
  /** Unique name */
  name: string
  /**
   * Base URL of the engine: http or https, without credentials, query or fragment, on a public address
   * or one that the operator allows
   */
  baseUrl: string
  /** Base URL of this service, as the engine reaches it */
  callbackBaseUrl: string
  /**
   * How to authenticate to the upstream, instead of `apiKey`. Its secrets are never shown
   * @default {"kind":"none"}
   */
  auth?: UpstreamAuth | undefined
  /**
   * How callbacks of the engine are authenticated: secrets of at least 16 characters. Never shown:
   * responses have `***`, and sending `***` keeps the current value. A replaced secret stays valid for
   * one more day; null revokes it at once
   */
  callback?: {
    /**
     * The key that the engine sends in `X-API-Key`
     * @default null
     */
    apiKey?: string | null | undefined
    /**
     * The secret that the engine signs with, for `X-Webhook-Signature`
     * @default null
     */
    signingSecret?: string | null | undefined
  } | undefined
  /**
   * Other origins that are allowed in `nextActionUrl` of the engine. They also receive its credentials
   * @default []
   */
  allowedOrigins?: string[] | undefined
  /**
   * Milliseconds in which the engine must respond
   * @default 10000
   */
  timeoutMs?: number | undefined
}

/** The input of `workflowConnections.update` */
export interface WorkflowConnectionsUpdateInput {
  /** The connection */
  id: string
  /** Unique name */
  name?: string | undefined
  /**
   * Base URL of the engine: http or https, without credentials, query or fragment, on a public address
   * or one that the operator allows
   */
  baseUrl?: string | undefined
  /** Base URL of this service, as the engine reaches it */
  callbackBaseUrl?: string | undefined
  /** How to authenticate to the upstream, instead of `apiKey`. Its secrets are never shown */
  auth?: UpstreamAuth | undefined
  /** As in create; members that are left out stay as they are */
  callback?: {
    apiKey?: string | null | undefined
    signingSecret?: string | null | undefined
  } | undefined
  /** Other origins that are allowed in `nextActionUrl` of the engine. They also receive its credentials */
  allowedOrigins?: string[] | undefined
  /** Milliseconds in which the engine must respond */
  timeoutMs?: number | undefined
}

/** The input of `workflowConnections.delete` */
export interface WorkflowConnectionsDeleteInput {
  /** The connection */
  id: string
}

/** The input of `workflowConnections.test` */
export interface WorkflowConnectionsTestInput {
  /** The connection */
  id: string
}
