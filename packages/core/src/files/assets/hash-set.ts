/**
 * A set of hashes that needs 16 to 32 bytes per hash: 10 million need at most 300 MB, while a set
 * of strings would exhaust the memory.
 */
export interface HashSet {
  /** Returns whether it was not in the set yet. */
  add(hash: string): boolean
  has(hash: string): boolean
}

// Hexadecimal digits that identify a hash: 52 bits, as many as a number holds exactly.
const digits = 13

/**
 * Creates an empty set. Hashes with the same first 52 bits count as one; among a million the chance
 * of any such pair is 1 in 9 000. Callers must be safe in that case: a blob that nothing needs is
 * retained, or one is not checked this time.
 */
export function createHashSet(): HashSet {
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

/** 0 marks an empty slot. */
function keyOf(hash: string): number {
  return Number.parseInt(hash.slice(0, digits), 16) + 1
}
