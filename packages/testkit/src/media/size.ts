import type { MadeImage, Recipe } from '@quire/core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { specimens } from './specimens.ts'
import type { OpenMedia } from './open.ts'

/** The size of the specimen `png`. */
const source = { width: 120, height: 80 }

const side = fc.integer({ min: 1, max: 300 })
const look = {
  format: fc.constantFrom('webp', 'jpeg', 'png'),
  quality: fc.integer({ min: 1, max: 100 }),
  focalPoint: fc.option(
    fc.record({
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
} as const

/** The sizes that recipes produce, whatever their other members. */
export function sizeLaws(open: OpenMedia): void {
  const holds = async (recipes: fc.Arbitrary<Recipe>, law: (made: MadeImage, recipe: Recipe) => void) => {
    const media = open()
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => law(await media.make(specimens.png, recipe), recipe)),
    )
  }

  describe('the size of a made picture', () => {
    it('is never larger than the source, nor than requested', () =>
      holds(anyRecipe, ({ width, height }, recipe) => {
        expect(width).toBeLessThanOrEqual(Math.min(source.width, recipe.width ?? Infinity))
        expect(height).toBeLessThanOrEqual(Math.min(source.height, recipe.height ?? Infinity))
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1)
      }))

    it('keeps the proportions with inside, to the nearest pixel', () =>
      holds(insideRecipe, ({ width, height }) => {
        const scale = Math.max(width / source.width, height / source.height)
        expect(Math.abs(width - Math.max(1, source.width * scale))).toBeLessThanOrEqual(1)
        expect(Math.abs(height - Math.max(1, source.height * scale))).toBeLessThanOrEqual(1)
      }))

    it('with inside, has one requested side, or one side of the source', () =>
      holds(insideRecipe, ({ width, height }, recipe) => {
        const reached = [
          width === Math.min(source.width, recipe.width ?? Infinity),
          height === Math.min(source.height, recipe.height ?? Infinity),
        ]
        expect(reached).toContain(true)
      }))

    it('with cover and contain, has both requested sides, limited by the source', () =>
      holds(filledRecipe, ({ width, height }, recipe) => {
        expect({ width, height }).toEqual({
          width: Math.min(source.width, recipe.width ?? Infinity),
          height: Math.min(source.height, recipe.height ?? Infinity),
        })
      }))

    it('is that of the source when no side is given', async () => {
      const recipe: Recipe = {
        width: null,
        height: null,
        fit: 'inside',
        format: 'png',
        quality: 80,
        focalPoint: null,
      }
      expect(await open().make(specimens.png, recipe)).toMatchObject(source)
    })
  })
}

const insideRecipe = fc.record({
  ...look,
  width: fc.option(side),
  height: fc.option(side),
  fit: fc.constant('inside' as const),
})

const filledRecipe = fc.record({
  ...look,
  width: side,
  height: side,
  fit: fc.constantFrom('cover', 'contain'),
})

const anyRecipe = fc.record({
  ...look,
  width: fc.option(side),
  height: fc.option(side),
  fit: fc.constantFrom('inside', 'cover', 'contain'),
})
