import type { MergeConflict } from './api/generated/packages.ts'

/**
 * The HTTP status of every error code; of those that share one, the most general first. Source: DESIGN "Conventions of the API", specification 7.
 */
export const errorStatus = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  invalid_state: 409,
  slug_taken: 409,
  value_taken: 409,
  name_taken: 409,
  version_conflict: 409,
  merge_conflict: 409,
  plan_stale: 409,
  import_refused: 409,
  auto_package_required: 409,
  type_locked: 409,
  type_in_use: 409,
  type_incompatible: 409,
  repository_in_use: 409,
  role_in_use: 409,
  bundle_in_use: 409,
  last_administrator: 409,
  referenced: 409,
  not_publishable: 409,
  package_merged: 409,
  workflow_failed: 400,
  workflow_mismatch: 409,
  idempotency_mismatch: 409,
  offset_conflict: 409,
  version_forgotten: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  upload_locked: 423,
  too_many_requests: 429,
  budget_exceeded: 429,
  checksum_mismatch: 460,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
  no_room: 507,
  quota_exceeded: 507,
} as const satisfies Record<string, number>

/** A stable error code, such as `not_found`. */
export type ErrorCode = keyof typeof errorStatus

/**
 * What is wrong with one member of the input. `path` is in dot notation; empty for the input as a
 * whole.
 */
export interface Issue {
  path: string
  message: string
}

/** A member that you and someone else changed in different ways. */
export interface Conflict {
  path: string
  base: unknown
  yours: unknown
  theirs: unknown
}

/** The optional details of an error. */
export interface ErrorDetails {
  issues?: Issue[] | undefined
  conflicts?: (Conflict | MergeConflict)[] | undefined
  details?: Record<string, unknown> | undefined
}

/** The error body of every endpoint except the token endpoint (specification 7.1). */
export interface ErrorBody extends ErrorDetails {
  error: true
  message: string
  code: ErrorCode
  requestId: string
}

/**
 * The error of every transport: the engine in your process throws it, the client throws it, and the
 * server sends its body. An error that is created without a message gets the default message of its
 * code when it leaves the engine (`reported`), so a client does not load the table of messages.
 */
export class QuireError extends Error {
  override readonly name = 'QuireError'
  readonly code: ErrorCode
  /** HTTP status of the code. */
  readonly status: number
  readonly issues: Issue[] | undefined
  readonly conflicts: (Conflict | MergeConflict)[] | undefined
  readonly details: Record<string, unknown> | undefined
  /** The id of the request, once it is known. It is in the log and in the response. */
  requestId: string | undefined

  constructor(
    code: ErrorCode,
    message?: string,
    more: ErrorDetails & ErrorOptions & { requestId?: string } = {},
  ) {
    super(message ?? '', more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.status = errorStatus[code]
    this.issues = more.issues
    this.conflicts = more.conflicts
    this.details = more.details
    this.requestId = more.requestId
  }
}

/** The error that a response body describes; null when the body is not a Quire error. */
export function errorOfBody(body: unknown): QuireError | null {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return null
  const { code, message, requestId, issues, conflicts, details } = body as Partial<ErrorBody>
  if (typeof code !== 'string' || !Object.hasOwn(errorStatus, code)) return null
  return new QuireError(code, String(message), {
    issues,
    conflicts,
    details,
    ...(requestId !== undefined && { requestId }),
  })
}

/**
 * An error of the token endpoint (specification 7.2). Its body differs from other errors and has an
 * OAuth2 code.
 */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly status: 400 | 401 | 429
  /** Seconds to wait, for 429. */
  readonly retryAfter: number | undefined
  /**
   * A readable explanation (`error_description`, RFC 6749 §5.2); `message` is only the OAuth2 code.
   * Set where the error is thrown. A client has it for its own `clientId` and `clientSecret`, which
   * are wrong if the code is `invalid_client`.
   */
  readonly description: string | undefined
  constructor(
    status: 400 | 401 | 429,
    error: string,
    {
      retryAfter,
      description,
    }: { readonly retryAfter?: number | undefined; readonly description?: string } = {},
  ) {
    super(error)
    this.status = status
    this.retryAfter = retryAfter
    this.description = description
  }
}
