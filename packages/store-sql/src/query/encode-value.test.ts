import type { QueryValue } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeValue, encodeValue, typeRange } from './encode-value.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const value: fc.Arbitrary<QueryValue | null> = fc.oneof(
  finite,
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.constant(null),
)
const byBytes = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))

describe('an encoded value', () => {
  it('decodes to the same value, except for the sign of zero', () => {
    const property = fc.property(value, (one) => {
      expect(decodeValue(encodeValue(one))).toBe(one === 0 ? 0 : one)
    })
    fc.assert(property)
  })

  it('compares numbers correctly by bytes', () => {
    const edges = fc.constantFrom(
      -0,
      0,
      5e-324,
      -5e-324,
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      2 ** 53,
      2 ** 31,
      2 ** 32,
    )
    const number = fc.oneof(finite, edges, fc.integer())
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(byBytes(encodeValue(a), encodeValue(b))).toBe(Math.sign(Number(a > b) - Number(a < b)))
      }),
    )
  })

  it('orders text by code point, even where UTF-16 order differs', () => {
    expect(byBytes(encodeValue('\u{FFFD}'), encodeValue('😀'))).toBe(-1)
    expect(byBytes(encodeValue('a'), encodeValue('ab'))).toBe(-1)
  })

  it('sorts absent values first, and each type in its own range', () => {
    expect(encodeValue(null)).toBe('')
    const existing = value.filter((one) => one !== null)
    const property = fc.property(existing, (one) => {
      const encoded = encodeValue(one)
      const { first, end } = typeRange(encoded)
      expect(byBytes('', encoded)).toBe(-1)
      expect(byBytes(first, encoded)).toBeLessThanOrEqual(0)
      expect(byBytes(encoded, end)).toBe(-1)
    })
    fc.assert(property)
  })

  it('never makes values of two types equal', () => {
    const encoded = [1, '1', true, 'true', '', null, 'b1', 'n'].map(encodeValue)
    expect(new Set(encoded).size).toBe(encoded.length)
  })
})
