// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { BytesIn } from '../bytes.ts'
import type { CallOptions } from '../call.ts'
import type { Proxied } from '../proxied.ts'
import type { ListOf } from './lists.ts'

/** The operations of `integrations`. Requests to other services through this one. */
export interface IntegrationsApi {
  /**
   * List integrations.
   *
   * The access configurations that allow requests: those with a `baseUrl`, `allowedMethods` and
   * `allowedPaths`.
   *
   * `GET /api/integration`.
   * Permission: `integrations.use`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: IntegrationsListInput, options?: CallOptions) => Promise<ListOf<Integration>>

  /**
   * Send a request to an integration.
   *
   * Accepts any method and path that the access configuration allows. The query string and the body
   * are sent unchanged, and so are the allowed headers; the credentials of the configuration are
   * added. The response of the upstream is returned with its status; the header
   * `Quire-Upstream-Status` marks it as such. Redirects are not followed. A response that takes too
   * long is cut off.
   *
   * `POST /api/integration/{accessId}/{path*}`.
   * Permission: `integrations.use`.
   *
   * @param input.accessId - The access configuration.
   * @param input.path - Path below the address of the upstream, without a leading slash.
   * @param input.method - The method of the request.
   * @param input.query - The query string as it is sent, without the question mark.
   * @param input.headers - Headers to send to the upstream. Allowed: accept, accept-language,
   *   content-encoding, content-language, content-type, if-match, if-modified-since, if-none-match,
   *   if-range, if-unmodified-since, idempotency-key, prefer, range.
   * @param input.body - The body. Its type is used if `headers` has no `content-type`.
   * @throws `not_found` - Not found.
   * @throws `too_large` - The request is too large.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `upstream_failed` - The upstream did not send a usable response.
   * @throws `upstream_timeout` - The upstream did not respond in time.
   * @throws `invalid`, `unauthorized`, `forbidden`, `budget_exceeded`, `internal`, `unavailable`,
   *   `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly pass: (input: IntegrationsPassInput, options?: CallOptions) => Promise<Proxied>
}

/** Another service that requests can be sent to */
export interface Integration {
  /** An id, as answered by the operation that created it */
  id: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** Type of the upstream, from its access configuration */
  type: string
  /** Methods that are allowed */
  allowedMethods: ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS')[]
  /** Paths that are allowed: `*` matches anything within a segment, `**` any segments */
  allowedPaths: string[]
}

/** The input of `integrations.list` */
export interface IntegrationsListInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `integrations.pass` */
export interface IntegrationsPassInput {
  /** The access configuration */
  accessId: string
  /** Path below the address of the upstream, without a leading slash */
  path: string
  /** The method of the request */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** The query string as it is sent, without the question mark */
  query?: string | undefined
  /**
   * Headers to send to the upstream. Allowed: accept, accept-language, content-encoding,
   * content-language, content-type, if-match, if-modified-since, if-none-match, if-range,
   * if-unmodified-since, idempotency-key, prefer, range
   * @default {}
   */
  headers?: Partial<Record<'accept' | 'accept-language' | 'content-encoding' | 'content-language' | 'content-type' | 'if-match' | 'if-modified-since' | 'if-none-match' | 'if-range' | 'if-unmodified-since' | 'idempotency-key' | 'prefer' | 'range', string>> | undefined
  /** The body. Its type is used if `headers` has no `content-type` */
  body?: BytesIn | undefined
}
