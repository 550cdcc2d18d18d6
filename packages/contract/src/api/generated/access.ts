// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'
import type { ListOf } from './lists.ts'
import type { RedactedUpstreamAuth } from './workflow-connections.ts'

/**
 * The operations of `access`. The administration of the service: search indexes, webhooks, access
 * configurations, settings, health.
 */
export interface AccessApi {
  /**
   * List access configurations.
   *
   * `GET /api/admin/access`.
   * Permission: `admin.access.view`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: AccessListInput, options?: CallOptions) => Promise<ListOf<AccessConfiguration>>

  /**
   * Read an access configuration.
   *
   * `GET /api/admin/access/{id}`.
   * Permission: `admin.access.view`.
   *
   * @param input.id - The access configuration.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: AccessGetInput, options?: CallOptions) => Promise<AccessConfiguration>

  /**
   * Delete an access configuration.
   *
   * Whatever uses it fails from the next call on.
   *
   * `DELETE /api/admin/access/{id}`.
   * Permission: `admin.access.update`.
   *
   * @param input.id - The access configuration.
   * @throws `not_found` - Not found.
   * @throws `precondition_failed` - If-Match names a different revision: read the current one, then
   *   retry.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly delete: (input: AccessDeleteInput, options?: CallOptions) => Promise<undefined>
}

/**
 * An access configuration (specification 2.17): an upstream and its credentials. It can have
 * additional members that its provider needs; secrets are `***`
 */
export type AccessConfiguration = {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Type of the upstream: `openai`, `http`, `s3`… */
  type: string
  /**
   * Base URL of the upstream: http or https, on a public address, without credentials, query or
   * fragment
   */
  baseUrl?: string | undefined
  /** Methods of requests that may be proxied. Default: none */
  allowedMethods?: ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS')[] | undefined
  /** Paths of requests that may be proxied. Default: none */
  allowedPaths?: string[] | undefined
  /** The default language model of tasks */
  model?: string | undefined
  /** Milliseconds in which the upstream must respond */
  timeoutMs?: number | undefined
  /** Maximum size in bytes of a proxied body, in either direction */
  maxBytes?: number | undefined
  /** Budget of each caller */
  budget?: {
    /** Number of requests */
    requests?: number | undefined
    /** Number of tokens of a language model */
    tokens?: number | undefined
    /** Period of the budget */
    per: 'minute' | 'hour' | 'day' | 'month'
  } | undefined
  /** `***` if there is one */
  apiKey?: '***' | undefined
  /** How to authenticate to the upstream; its secrets are `***` */
  auth?: RedactedUpstreamAuth | undefined
  /** Unix milliseconds */
  createdDate: number
} & { [name: string]: JsonValue }

/** The input of `access.list` */
export interface AccessListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `access.get` */
export interface AccessGetInput {
  /** The access configuration */
  id: string
}

/** The input of `access.delete` */
export interface AccessDeleteInput {
  /** The access configuration */
  id: string
}
