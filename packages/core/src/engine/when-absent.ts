import { QuireError } from '@quire/contract'

/**
 * For `.catch` of a lookup: returns the result of `instead` for `not_found`, and rethrows any other
 * error.
 */
export function whenAbsent<T>(instead: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof QuireError && error.code === 'not_found') return instead()
    throw error
  }
}
