import type { QuireError } from '@quire/contract/client'

/** Whether an error is Quire's, whichever copy of the package made it: `error.code` is then one of the contract's. */
export function isQuireError(error: unknown): error is QuireError {
  return error instanceof Error && error.name === 'QuireError' && 'code' in error
}
