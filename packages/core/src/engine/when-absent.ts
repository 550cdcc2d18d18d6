import { QuireError } from '@quire/contract'

/** For `.catch` of what looks something up: what `instead` gives where it is not there. Throws any other error as it is. */
export function whenAbsent<T>(instead: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof QuireError && error.code === 'not_found') return instead()
    throw error
  }
}
