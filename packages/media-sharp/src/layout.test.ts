import { type Recipe, MediaRefused } from '@quire/core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aRecipe } from '../test/recipe.ts'
import { layOut } from './layout.ts'

const side = fc.integer({ min: 1, max: 50_000 })
const asked = fc.integer({ min: 1, max: 6_000 })
const sizes = fc.record({ width: side, height: side })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const recipes: fc.Arbitrary<Recipe> = fc.record({
  width: fc.option(asked),
  height: fc.option(asked),
  fit: fc.constantFrom('inside', 'cover', 'contain'),
  format: fc.constant('png'),
  quality: fc.constant(80),
  focalPoint: fc.option(fc.record({ x: share, y: share })),
})

describe('the layout of a picture', () => {
  it('never enlarges, and never exceeds the longest side', () => {
    const law = fc.property(sizes, recipes, (source, recipe) => {
      const { canvas, scaled } = layOut(source, recipe)
      for (const length of ['width', 'height'] as const) {
        expect(scaled[length]).toBeLessThanOrEqual(source[length])
        expect(canvas[length]).toBeLessThanOrEqual(Math.min(source[length], 6_000))
      }
    })
    fc.assert(law)
  })

  it('fills the canvas with cover, with the focal point in view', () => {
    const law = fc.property(sizes, recipes, asked, (source, recipe, width) => {
      const covering = { ...recipe, fit: 'cover', width, height: recipe.height ?? 100 } as const
      const { canvas, scaled, left, top } = layOut(source, covering)
      const { x, y } = covering.focalPoint ?? { x: 0.5, y: 0.5 }
      // One pixel: the focal point may lie between two.
      expectWithin(left + x * scaled.width, [-1, canvas.width + 1])
      expectWithin(top + y * scaled.height, [-1, canvas.height + 1])
      expectWithin(left, [canvas.width - scaled.width, 0])
      expectWithin(top, [canvas.height - scaled.height, 0])
    })
    fc.assert(law)
  })

  it('shows the whole picture with contain, with margins that differ by at most a pixel', () => {
    const law = fc.property(sizes, recipes, asked, (source, recipe, width) => {
      const containing = { ...recipe, fit: 'contain', width, height: recipe.height ?? 100 } as const
      const { canvas, scaled, left, top } = layOut(source, containing)
      expectWithin(canvas.width - scaled.width - 2 * left, [0, 1])
      expectWithin(canvas.height - scaled.height - 2 * top, [0, 1])
      expectWithin(Math.min(left, top), [0, 0])
    })
    fc.assert(law)
  })

  it('fits a picture without given sides into the longest side', () => {
    expect(layOut({ width: 8_000, height: 4_000 }, aRecipe()).canvas).toEqual({ width: 6_000, height: 3_000 })
    expect(layOut({ width: 1_000, height: 50_000 }, aRecipe({ width: 1_000 })).canvas).toEqual({
      width: 120,
      height: 6_000,
    })
  })

  it.for([{ width: 6_001 }, { height: 6_001 }])('refuses %o as large', (given) => {
    expect(() => layOut({ width: 10, height: 10 }, aRecipe(given))).toThrow(MediaRefused)
    expect(layOut({ width: 10, height: 10 }, aRecipe({ width: 6_000, height: 6_000 })).canvas).toEqual({
      width: 10,
      height: 10,
    })
  })
})

function expectWithin(value: number, [least, most]: readonly [number, number]): void {
  expect(value).toBeGreaterThanOrEqual(least)
  expect(value).toBeLessThanOrEqual(most)
}
