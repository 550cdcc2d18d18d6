import { QuireError, TokenError } from '@quire/contract'
import { StoreUnavailable } from '@quire/core/ports'

/** The error for the caller; undefined for one that is neither ours nor that of a store. */
export function knownError(error: unknown): QuireError | TokenError | undefined {
  if (error instanceof QuireError || error instanceof TokenError) return error
  if (!(error instanceof StoreUnavailable)) return undefined
  return new QuireError(error.kind === 'full' ? 'no_room' : 'unavailable', error.publicMessage, {
    cause: error,
  })
}
