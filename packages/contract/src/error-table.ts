import { errorStatus, type ErrorBody, type ErrorCode, type QuireError } from './errors.ts'

/** What each error says when nothing more exact is known. The code is the stable word; messages may change. */
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
  version_conflict: 'Others have changed the same members: see conflicts.',
  merge_conflict: 'The package and main conflict: see conflicts.',
  plan_stale: 'The package or main changed since that plan was made: look at the new plan first.',
  auto_package_required: 'A rule wants this save in a package: send it to create-and-save, see details.',
  type_locked: 'The content type is locked: unlock it first.',
  type_in_use: 'Items of this content type exist.',
  type_incompatible:
    'Existing items do not fit the changed content type: send migrate: true to convert them.',
  repository_in_use: 'The repository still holds content.',
  role_in_use: 'Users, groups or service accounts still have this role.',
  bundle_in_use: 'Roles still have this bundle.',
  last_administrator: 'Nobody would be left with every permission: give them to another account first.',
  referenced: 'Other items refer to this one: see details.',
  not_publishable: 'The item is not complete: see issues.',
  invalid_state: 'The item or package is not in a state that permits this.',
  package_merged: 'The package was merged: it can be neither cancelled nor reviewed any more.',
  workflow_failed: 'The workflow did not accept this: see error.',
  workflow_mismatch: 'The package is reviewed by another workflow instance: nothing was changed.',
  idempotency_mismatch:
    'This Idempotency-Key was used with another request: use a new key for a new request.',
  offset_conflict: 'The upload is at another offset: ask for it, then continue there.',
  precondition_failed: 'If-Match names another revision: read again, then retry.',
  too_large: 'The request is too large.',
  unsupported_media_type: 'Send Content-Type: application/json.',
  range_not_satisfiable: 'The range is outside of the file.',
  upload_locked: 'Another request is sending bytes of this upload: wait, then ask for its offset.',
  too_many_requests: 'Too many requests: wait for the time in Retry-After.',
  checksum_mismatch: 'The bytes do not match their checksum: send them again.',
  internal: 'Something failed in the service. The log has the reason under the request id.',
  upstream_failed: 'The upstream gave no usable answer.',
  upstream_timeout: 'The upstream did not answer in time.',
  unavailable: 'The service cannot do this now: retry after the time in Retry-After.',
  no_room: 'There is no room to store this. Reads still work.',
  quota_exceeded: 'A quota does not allow more: delete something, or ask for a higher quota.',
}

/** Every error an operation can answer, by its code. */
export const errorTable: {
  readonly [C in ErrorCode]: { readonly status: number; readonly message: string }
} = tableOf()

function tableOf() {
  const codes = Object.keys(errorStatus) as ErrorCode[]
  const rows = codes.map((code) => [code, { status: errorStatus[code], message: errorMessages[code] }])
  // A row for each code: the loop over names loses them.
  return Object.fromEntries(rows) as { [C in ErrorCode]: { status: number; message: string } }
}

/** The error with its code's message, where it was made without one. */
export function reported<E extends QuireError>(error: E): E {
  error.message ||= errorMessages[error.code]
  return error
}

/** The body that stands for an error on the wire. */
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
