import type { QuireError } from '@quire/contract/client'

/**
 * Whether an error is a QuireError of any copy of the package. Its `code` is then an error code of
 * the contract.
 */
export function isQuireError(error: unknown): error is QuireError {
  return error instanceof Error && error.name === 'QuireError' && 'code' in error
}
