import { hash } from 'node:crypto'
import type { Row } from '@quire/store-sql'

/** A digest of rows that does not depend on their order. */
export interface RowDigest {
  add(row: Row): void
  rows(): number
  /** 64 hexadecimal digits. */
  digest(): string
}

const WORDS = 8

/**
 * Adds up the SHA-256 of each row, as eight words of 32 bits. The sum does not depend on the order
 * of rows, which differs between two databases; no two rows of a table are equal. It detects lost,
 * duplicated and changed rows. It does not protect against rows that are made up to deceive it.
 */
export function createRowDigest(): RowDigest {
  const sums = new Uint32Array(WORDS)
  let count = 0
  return {
    add(row) {
      const bytes = hash('sha256', JSON.stringify(row), 'buffer')
      for (let word = 0; word < WORDS; word += 1)
        sums[word] = (sums[word] ?? 0) + bytes.readUInt32BE(word * 4)
      count += 1
    },
    rows: () => count,
    digest: () => Array.from(sums, (sum) => sum.toString(16).padStart(8, '0')).join(''),
  }
}
