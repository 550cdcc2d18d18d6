/** A set of hashes that takes 16 to 32 bytes for each: of 10 million it takes 300 MB at most, where a set of texts ends the process. */
export interface ItemState {
  /** Whether it was not there yet. */
  add(hash: string): boolean
  has(hash: string): boolean
}

// Hexadecimal digits of a hash that it is known by: 52 bits, as many as a number holds exactly.
const digits = 13

/**
 * An empty set. Hashes that begin alike for 52 bits count as one; among a million the chance that any two do is 1 in 9 000. Whoever asks must be safe
 * then: a blob that nothing needs is kept, or one is not looked at this time.
 */
export function createHashSet(): ItemState {
  let slots = new Float64Array(1024)
  let count = 0
  const positionOf = (key: number) => {
    let position = key % slots.length
    while (slots[position] !== 0 && slots[position] !== key) position = (position + 1) % slots.length
    return position
  }
  const grow = () => {
    const before = slots
    slots = new Float64Array(before.length * 2)
    for (const key of before) if (key !== 0) slots[positionOf(key)] = key
  }
  return {
    add(hash) {
      const key = keyOf(hash)
      const position = positionOf(key)
      if (slots[position] === key) return false
      slots[position] = key
      count += 1
      if (count * 2 > slots.length) grow()
      return true
    },
    has(hash) {
      const key = keyOf(hash)
      return slots[positionOf(key)] === key
    },
  }
}

/** 0 stands for an empty place. */
function keyOf(hash: string): number {
  return Number.parseInt(hash.slice(0, digits), 16) + 1
}
