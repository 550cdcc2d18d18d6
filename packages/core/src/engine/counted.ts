import { limits } from '@quire/contract'

/** What a list without an end says of how many entries it has. */
export interface Counted {
  readonly count?: number
  readonly countIsExact?: false
}

/** How many were found by whoever looked for one more than are counted. */
export function countedOf(found: number): Counted {
  return found > limits.counted ? { count: limits.counted, countIsExact: false } : { count: found }
}
