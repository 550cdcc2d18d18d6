import { errorStatus, type ErrorBody, type ErrorCode, type QuireError } from './errors.ts'

/** The default message of each error code. Codes are stable; messages may change. */
const errorMessages: Readonly<Record<ErrorCode, string>> = {
  invalid: 'The request is not valid: see issues.',
  unauthorized: 'A valid bearer token is required: get one at POST /oauth2/token.',
  forbidden: 'Your roles do not permit this.',
  not_found: 'Not found.',
  method_not_allowed: 'This path does not support this method.',
  not_acceptable: 'None of the media types in Accept is available.',
  slug_taken: 'Another item of this repository has this slug.',
  value_taken: 'Another item of this type has this unique value.',
  name_taken: 'This name is taken.',
  version_conflict: 'Someone else has changed the same members: see conflicts.',
  merge_conflict: 'The package conflicts with main: see conflicts.',
  plan_stale: 'The package or main has changed since this plan was made: review the new plan first.',
  import_refused: 'The file cannot be imported as it is, and nothing was changed: see refuse in details.',
  auto_package_required:
    'A rule requires this save to go through a package: send it to create-and-save, see details.',
  type_locked: 'The content type is locked: unlock it first.',
  type_in_use: 'This content type still has items.',
  type_incompatible:
    'Existing items do not fit the changed content type: send migrate: true to convert them.',
  repository_in_use: 'The repository still has content.',
  role_in_use: 'Users, groups or service accounts still have this role.',
  bundle_in_use: 'Roles still have this bundle.',
  last_administrator:
    'No account would have every permission any more: give them all to another account first.',
  referenced: 'Other items refer to this one: see details.',
  not_publishable: 'The item is not complete: see issues.',
  invalid_state: 'The item or package is not in a state that permits this.',
  package_merged: 'The package has been merged: it can no longer be cancelled or reviewed.',
  workflow_failed: 'The workflow did not accept this: see error.',
  workflow_mismatch: 'Another workflow instance is reviewing the package: nothing was changed.',
  idempotency_mismatch:
    'This Idempotency-Key was used with a different request: use a new key for a new request.',
  offset_conflict:
    'The upload is at a different offset: ask for the current offset, then continue from there.',
  version_forgotten: 'The version of that time is not kept any more.',
  precondition_failed: 'If-Match names a different revision: read the current one, then retry.',
  too_large: 'The request is too large.',
  unsupported_media_type: 'Send Content-Type: application/json.',
  range_not_satisfiable: 'The range is outside the file.',
  upload_locked: 'Another request is sending bytes of this upload: wait, then ask for its offset.',
  too_many_requests: 'Too many requests: wait for the time in Retry-After.',
  budget_exceeded: 'The budget of the account for today is used up: wait for the time in Retry-After.',
  checksum_mismatch: 'The bytes do not match their checksum: send them again.',
  internal: 'Something failed in the service. Its log has the reason under this request id.',
  upstream_failed: 'The upstream did not send a usable response.',
  upstream_timeout: 'The upstream did not respond in time.',
  unavailable: 'The service cannot do this now: retry after the time in Retry-After.',
  no_room: 'There is not enough disk space to store this. Reads still work.',
  quota_exceeded: 'This would exceed a quota: delete something, or ask for a higher quota.',
}

/** HTTP status and default message of every error, by code. */
export const errorTable: {
  readonly [C in ErrorCode]: { readonly status: number; readonly message: string }
} = tableOf()

function tableOf() {
  const codes = Object.keys(errorStatus) as ErrorCode[]
  const rows = codes.map((code) => [code, { status: errorStatus[code], message: errorMessages[code] }])
  // One row per code: Object.fromEntries loses the names of the keys.
  return Object.fromEntries(rows) as { [C in ErrorCode]: { status: number; message: string } }
}

/** The same error object, with the default message of its code if it has none. */
export function reported<E extends QuireError>(error: E): E {
  error.message ||= errorMessages[error.code]
  return error
}

/** The response body of an error. */
export function errorBody(error: QuireError, requestId: string): ErrorBody {
  return {
    error: true,
    message: reported(error).message,
    code: error.code,
    requestId,
    ...(error.issues && { issues: error.issues }),
    ...(error.conflicts && { conflicts: error.conflicts }),
    ...(error.details && { details: error.details }),
  }
}
