import type { Footprint } from '@quire/store-sql'

/** The keys that transactions have read and written, as numbers. */
export interface Touched {
  readonly read: readonly number[]
  readonly written: readonly number[]
}

/** A footprint that collects keys. `hold`: see `Footprint`. */
export interface TouchedKeys extends Footprint {
  /** What was read and written so far. */
  touched(): Touched
}

export function createTouchedKeys(hold: (key: string) => Promise<void>): TouchedKeys {
  const read = new Set<string>()
  const written = new Set<string>()
  return {
    read(...keys) {
      for (const key of keys) read.add(key)
    },
    write(...keys) {
      for (const key of keys) written.add(key)
    },
    hold,
    touched: () => ({ read: [...read].map(numberOf), written: [...written].map(numberOf) }),
  }
}

/**
 * A number of 52 bits for a key: two FNV-1a hashes with different offsets. Two keys with the same
 * number only repeat a transaction without need.
 */
function numberOf(key: string): number {
  let [low, high] = [0x81_1c_9d_c5, 0x9e_37_79_b9]
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01_00_01_93)
    high = Math.imul(high ^ unit, 0x01_00_01_93) ^ (high >>> 15)
  }
  return ((high >>> 0) & 0xf_ff_ff) * 2 ** 32 + (low >>> 0)
}
