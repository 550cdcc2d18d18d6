import type { QueryValue } from '../ports/index.ts'

/** Order of two values: absent first, then false, true, numbers, and text by code point. */
export function compareValues(a: QueryValue | null, b: QueryValue | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a !== typeof b) return kinds.indexOf(typeof a) - kinds.indexOf(typeof b)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return Number(a) - Number(b)
}

const kinds: readonly string[] = ['boolean', 'number', 'string']

/** By Unicode code point, as UTF-8 bytes order: code units differ where surrogates meet U+E000 and above. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

// Surrogates stand for code points above all others: they are moved behind U+FFFF.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
