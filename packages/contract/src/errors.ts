import type { MergeConflict } from './packages/shapes.ts'

/**
 * Every error an operation can answer: its HTTP status and what it says when nothing more exact is known.
 * The `code` is the stable word; messages may change. Source: DESIGN "Conventions of the API", specification 7.
 */
export const errorTable = {
  invalid: { status: 400, message: 'The request is not valid: see issues.' },
  unauthorized: { status: 401, message: 'A valid bearer token is required: get one at POST /oauth2/token.' },
  forbidden: { status: 403, message: 'Your roles do not permit this.' },
  not_found: { status: 404, message: 'Not found.' },
  method_not_allowed: { status: 405, message: 'This path does not take this method.' },
  slug_taken: { status: 409, message: 'Another item of this repository has this slug.' },
  value_taken: { status: 409, message: 'Another item of this type has this unique value.' },
  name_taken: { status: 409, message: 'This name is taken.' },
  version_conflict: { status: 409, message: 'Others changed the same members meanwhile: see conflicts.' },
  merge_conflict: { status: 409, message: 'The package and main do not go together: see conflicts.' },
  plan_stale: {
    status: 409,
    message: 'The package or main changed since that plan was made: look at the new plan first.',
  },
  auto_package_required: {
    status: 409,
    message: 'A rule wants this save in a package: send it to create-and-save, see details.',
  },
  type_locked: { status: 409, message: 'The content type is locked: unlock it first.' },
  type_in_use: { status: 409, message: 'Items of this content type exist.' },
  type_incompatible: {
    status: 409,
    message: 'Existing items do not fit the changed content type: send migrate: true to convert them.',
  },
  repository_in_use: { status: 409, message: 'The repository still holds content.' },
  role_in_use: { status: 409, message: 'Users, groups or service accounts still have this role.' },
  referenced: { status: 409, message: 'Other items refer to this one: see details.' },
  not_publishable: { status: 409, message: 'The item is not complete: see issues.' },
  invalid_state: { status: 409, message: 'The item or package is not in a state that permits this.' },
  idempotency_mismatch: {
    status: 409,
    message: 'This Idempotency-Key was used with another request: use a new key for a new request.',
  },
  precondition_failed: { status: 412, message: 'If-Match names another revision: read again, then retry.' },
  too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send Content-Type: application/json.' },
  too_many_requests: { status: 429, message: 'Too many requests: wait for the time in Retry-After.' },
  internal: { status: 500, message: 'Something failed on our side. The request id finds it in the log.' },
  unavailable: {
    status: 503,
    message: 'The service cannot do this now: retry after the time in Retry-After.',
  },
  no_room: { status: 507, message: 'No room is left to store this. Reads go on.' },
} as const satisfies Record<string, { status: number; message: string }>

/** The stable word of an error. */
export type ErrorCode = keyof typeof errorTable

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

/** The same in every place: the engine in your process throws it, the client throws it, the server sends its body. */
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
    super(message ?? errorTable[code].message, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.status = errorTable[code].status
    this.issues = more.issues
    this.conflicts = more.conflicts
    this.details = more.details
    this.requestId = more.requestId
  }
}

/** The body that stands for an error on the wire. */
export function errorBody(error: QuireError, requestId: string): ErrorBody {
  return {
    error: true,
    message: error.message,
    code: error.code,
    requestId,
    ...(error.issues && { issues: error.issues }),
    ...(error.conflicts && { conflicts: error.conflicts }),
    ...(error.details && { details: error.details }),
  }
}

/** The error that a body stands for; null when the body is not one of ours. */
export function errorOfBody(body: unknown): QuireError | null {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return null
  const { code, message, requestId, issues, conflicts, details } = body as Partial<ErrorBody>
  if (typeof code !== 'string' || !Object.hasOwn(errorTable, code)) return null
  return new QuireError(code, String(message), {
    issues,
    conflicts,
    details,
    ...(requestId !== undefined && { requestId }),
  })
}

/** The specification's token errors (7.2): another body, with an OAuth2 code. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly status: 400 | 401 | 429
  /** Unix-style seconds to wait, for 429. */
  readonly retryAfter: number | undefined
  constructor(status: 400 | 401 | 429, error: string, retryAfter?: number) {
    super(error)
    this.status = status
    this.retryAfter = retryAfter
  }
}
