import { QuireError, TokenError, reported } from '@quire/contract'
import {
  BlobAbsent,
  BlobsUnavailable,
  ChecksumMismatch,
  StoreConflict,
  StoreUnavailable,
} from '../ports/index.ts'

/** Translates an error of a port or of our own code into the error for the caller. */
export function translateError(error: unknown, requestId: string): QuireError | TokenError {
  if (error instanceof TokenError) return error
  const known = error instanceof QuireError ? error : portError(error)
  known.requestId ??= requestId
  return reported(known)
}

/** Whether the request was refused rather than failed: the same request will be refused again. */
export function isRefusal({ status, code }: QuireError): boolean {
  return status < 500 || code === 'quota_exceeded'
}

/**
 * The refusal of a part of a request, which keeps no other part from being done. Errors: the error
 * itself, if it is none.
 */
export function requireRefusal(error: unknown, requestId: string): QuireError {
  const known = translateError(error, requestId)
  if (!(known instanceof QuireError) || !isRefusal(known)) throw known
  return known
}

function portError(error: unknown): QuireError {
  if (error instanceof StoreConflict) return conflictError(error)
  if (error instanceof StoreUnavailable) {
    const code = error.kind === 'full' ? 'no_room' : 'unavailable'
    return new QuireError(code, error.publicMessage, { cause: error })
  }
  return blobError(error) ?? new QuireError('internal', undefined, { cause: error })
}

function blobError(error: unknown): QuireError | null {
  if (error instanceof BlobsUnavailable)
    return new QuireError(error.kind === 'full' ? 'no_room' : 'unavailable', undefined, { cause: error })
  if (error instanceof BlobAbsent) return new QuireError('not_found', error.message, { cause: error })
  if (error instanceof ChecksumMismatch)
    return new QuireError('checksum_mismatch', undefined, { cause: error })
  return null
}

function conflictError(error: StoreConflict): QuireError {
  if (error.kind === 'slug') {
    const message = `Another item on this branch has the slug "${error.subject}": choose another slug for one of them.`
    return new QuireError('slug_taken', message, { cause: error, details: { slug: error.subject } })
  }
  if (error.kind === 'key') {
    const [name = '', ...rest] = error.subject.split(':')
    // A name that is unique only within its repository has the repository id as a prefix.
    const inUse = rest.join(':').replace(/^REPO_[0-9A-Z]+\//, '')
    const message = `The ${name} "${inUse}" is taken.`
    return new QuireError('name_taken', message, { cause: error, details: { [name]: inUse } })
  }
  return new QuireError(
    'version_conflict',
    'Somebody changed it at the same time: read it again, then retry.',
    {
      cause: error,
    },
  )
}
