import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHashSet } from './hash-set.ts'

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)

describe('a set of hashes', () => {
  it('contains what was added, and reports what was new', () => {
    fc.assert(
      fc.property(fc.array(hash, { maxLength: 3000 }), hash, (hashes, other) => {
        const state = createHashSet()
        const known = new Set<string>()
        for (const one of hashes) {
          expect(state.add(one)).toBe(!known.has(one))
          known.add(one)
        }
        for (const one of hashes) expect(state.has(one)).toBe(true)
        expect(state.has(other)).toBe(known.has(other))
      }),
      { numRuns: 20 },
    )
  })

  it('can contain the lowest and the highest possible hash', () => {
    const state = createHashSet()
    for (const one of ['0'.repeat(64), 'f'.repeat(64)]) {
      expect(state.has(one)).toBe(false)
      expect(state.add(one)).toBe(true)
      expect(state.has(one)).toBe(true)
    }
  })
})
