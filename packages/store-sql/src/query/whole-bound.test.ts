import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeBound } from './whole-bound.ts'

const compare = {
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
}

it.each(['gt', 'gte', 'lt', 'lte'] as const)(
  'integers compare the same with %s after the bound is rounded',
  (op) => {
    const near = fc.integer({ min: -9, max: 9 })
    const bounds = fc.oneof(fc.double({ noNaN: true }), fc.double({ min: -9, max: 9, noNaN: true }))
    fc.assert(
      fc.property(fc.oneof(near, fc.maxSafeInteger()), bounds, (stored, bound) => {
        const whole = wholeBound(op, bound)
        expect(Number.isInteger(whole)).toBe(true)
        expect(compare[op](stored, whole)).toBe(compare[op](stored, bound))
      }),
    )
  },
)
