import type { QueryValue } from '@quire/core/ports'

/**
 * Encodes a custom value as text whose bytes compare like the values. One index in any database
 * then serves equality, ranges, prefixes and order. Absent is empty; booleans are `b0` and `b1`;
 * numbers are `n` and the sortable hex of their IEEE-754 bits; text is `s` and the text.
 */
export function encodeValue(value: QueryValue | null): string {
  if (value === null) return ''
  if (typeof value === 'string') return `s${value}`
  if (typeof value === 'boolean') return value ? 'b1' : 'b0'
  return `n${sortableHex(value)}`
}

/** The inverse of encodeValue. -0 compares equal to 0 and is decoded as 0. */
export function decodeValue(encoded: string): QueryValue | null {
  if (encoded === '') return null
  const rest = encoded.slice(1)
  if (encoded.startsWith('s')) return rest
  return encoded.startsWith('b') ? rest === '1' : fromSortableHex(rest)
}

/**
 * The range of encoded values of the same type as `encoded`: from `first`, up to but excluding
 * `end`.
 */
export function typeRange(encoded: string): { readonly first: string; readonly end: string } {
  const first = encoded.slice(0, 1)
  return { first, end: String.fromCharCode(first.charCodeAt(0) + 1) }
}

const SIGN = 0x80000000

/**
 * Sets the sign bit of a positive number and flips all bits of a negative one. The bits then have
 * the order of the numbers.
 */
function sortableHex(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value === 0 ? 0 : value)
  const high = view.getUint32(0)
  const low = view.getUint32(4)
  return high < SIGN ? hex(high + SIGN) + hex(low) : hex(~high >>> 0) + hex(~low >>> 0)
}

function fromSortableHex(text: string): number {
  const high = Number.parseInt(text.slice(0, 8), 16)
  const low = Number.parseInt(text.slice(8), 16)
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, high >= SIGN ? high - SIGN : ~high >>> 0)
  view.setUint32(4, high >= SIGN ? low : ~low >>> 0)
  return view.getFloat64(0)
}

function hex(bits: number): string {
  return bits.toString(16).padStart(8, '0')
}
