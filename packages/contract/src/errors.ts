import type { MergeConflict } from './branches/packages/shapes.ts'

/** The HTTP status of every error that an operation can answer. Source: DESIGN "Conventions of the API", specification 7. */
export const errorStatus = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  slug_taken: 409,
  value_taken: 409,
  name_taken: 409,
  version_conflict: 409,
  merge_conflict: 409,
  plan_stale: 409,
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
  invalid_state: 409,
  package_merged: 409,
  workflow_failed: 400,
  workflow_mismatch: 409,
  idempotency_mismatch: 409,
  offset_conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  upload_locked: 423,
  too_many_requests: 429,
  checksum_mismatch: 460,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
  no_room: 507,
  quota_exceeded: 507,
} as const satisfies Record<string, number>

/** The stable word of an error. */
export type ErrorCode = keyof typeof errorStatus

/** One member of the input and what is wrong with it; `path` in dot notation, empty for the whole. */
export interface Issue {
  path: string
  message: string
}

/** A member that two sides changed differently. */
export interface Conflict {
  path: string
  base: unknown
  yours: unknown
  theirs: unknown
}

/** What an error can carry beside its message. */
export interface ErrorDetails {
  issues?: Issue[] | undefined
  conflicts?: (Conflict | MergeConflict)[] | undefined
  details?: Record<string, unknown> | undefined
}

/** The error body of every endpoint but the token endpoint (specification 7.1). */
export interface ErrorBody extends ErrorDetails {
  error: true
  message: string
  code: ErrorCode
  requestId: string
}

/**
 * The same in every place: the engine in your process throws it, the client throws it, the server sends its body. One that is made
 * without a message gets its code's when it leaves the engine (`told`): a client loads none of them.
 */
export class QuireError extends Error {
  override readonly name = 'QuireError'
  readonly code: ErrorCode
  /** HTTP status of the code. */
  readonly status: number
  readonly issues: Issue[] | undefined
  readonly conflicts: (Conflict | MergeConflict)[] | undefined
  readonly details: Record<string, unknown> | undefined
  /** The id of the request, once known: it is in the log and in the answer. */
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

/** The error that a body stands for; null when the body is not one of ours. */
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

/** The token errors of specification 7.2: another body, with an OAuth2 code. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly status: 400 | 401 | 429
  /** Unix-style seconds to wait, for 429. */
  readonly retryAfter: number | undefined
  /** What is wrong, for people (`error_description`, RFC 6749 §5.2); the message is the code alone. Where it is thrown; clients read the code. */
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
