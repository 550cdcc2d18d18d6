/** Pseudo-random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, but not, 1. */
  next(): number
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
  pick<T>(values: readonly T[]): T | undefined
}

/** Mulberry32: small, even enough for choosing, the same on every machine. */
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
    // The two signatures of `pick` differ only in whether the list is known to hold something.
    pick: <T>(values: readonly T[]) => values[below(values.length)] as T,
  }
}

/** The choices of one request: the same for the same seed and number, whatever the requests before it did. */
export function randomOf(seed: number, index: number): Random {
  return createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
}
