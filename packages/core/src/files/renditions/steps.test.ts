import { limits } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { steppedBox, steppedQuality } from './picture-request.ts'

const bounds = { most: { width: 4000, height: 4000 }, source: { width: null, height: null } }

describe('A requested size', () => {
  it('is rounded up to the next of 16 steps', () => {
    expect(limits.renditionSteps).toHaveLength(16)
    expect(steppedBox({ width: 600, height: null }, 'inside', bounds)).toEqual({ width: 640, height: null })
    expect(steppedBox({ width: 640, height: 30 }, 'inside', bounds)).toEqual({ width: 640, height: 32 })
    expect(steppedBox({ width: null, height: 641 }, 'cover', bounds)).toEqual({ width: null, height: 800 })
  })

  it('keeps the requested proportions, within the limits of the source and the repository', () => {
    expect(steppedBox({ width: 600, height: 200 }, 'cover', bounds)).toEqual({ width: 640, height: 213 })
    expect(steppedBox({ width: 601, height: 199 }, 'contain', bounds)).toEqual({ width: 640, height: 213 })
    const small = { ...bounds, source: { width: 120, height: 80 } }
    expect(steppedBox({ width: 100, height: 100 }, 'cover', small)).toEqual({ width: 80, height: 80 })
    expect(steppedBox({ width: 3900, height: 3900 }, 'cover', bounds)).toEqual({ width: 4000, height: 4000 })
    expect(steppedBox({ width: 10, height: 3900 }, 'cover', bounds)).toEqual({ width: 32, height: 128 })
    const low = { ...bounds, most: { width: 4000, height: 100 } }
    expect(steppedBox({ width: 300, height: 300 }, 'cover', low)).toEqual({ width: 100, height: 100 })
    expect(steppedBox({ width: 300, height: 90 }, 'inside', low)).toEqual({ width: 320, height: 100 })
  })

  it('is one of a few hundred, whatever is requested', () => {
    const sides = Array.from({ length: 200 }, (_, index) => 1 + index * 19)
    for (const fit of ['inside', 'cover', 'contain'] as const) {
      const boxes = sides.flatMap((width) =>
        sides.map((height) => JSON.stringify(steppedBox({ width, height }, fit, bounds))),
      )
      expect(new Set(boxes).size).toBeLessThanOrEqual(16 * 16)
    }
  })

  it('has one of ten qualities', () => {
    expect([1, 10, 11, 80, 100].map(steppedQuality)).toEqual([10, 10, 20, 80, 100])
  })
})
