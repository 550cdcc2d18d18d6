/** Pseudo-random choices, reproducible from a seed. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
  pick<T>(values: readonly T[]): T | undefined
}

/** Mulberry32: small, sufficiently uniform, and the same on every machine. */
function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    // The two signatures of `pick` differ only in whether the list is known to be non-empty.
    pick: <T>(values: readonly T[]) => values[below(values.length)] as T,
  }
}

/**
 * The choices of one request. They depend only on the seed and the number, not on earlier requests.
 */
export function randomOf(seed: number, index: number): Random {
  return createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
}
