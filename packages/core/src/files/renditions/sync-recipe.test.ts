import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageFormats, type Recipe } from '../../ports/index.ts'
import { recipeNamed } from './sync-assets.ts'
import { namePicture } from './picture-request.ts'

const side = fc.option(fc.integer({ min: 1, max: 10_000 }))
// Names contain focal points to a thousandth.
const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)

const recipes: fc.Arbitrary<Recipe> = fc.record({
  width: side,
  height: side,
  fit: fc.constantFrom('inside', 'cover', 'contain'),
  format: fc.constantFrom(...imageFormats),
  quality: fc.integer({ min: 1, max: 100 }),
  focalPoint: fc.option(fc.record({ x: share, y: share })),
})

describe('a recipe found by its name', () => {
  it('is the one that was named', () => {
    fc.assert(
      fc.property(recipes, (recipe) => {
        const { name } = namePicture({ source: { hash: 'a', size: 1 }, recipe })
        expect(recipeNamed(name)).toEqual(recipe)
      }),
    )
  })

  it.each(['', 'small', 'tiff_1x1_inside_q80', 'webp_1x1_fill_q80', 'webp_1x1_inside_q80_0.5-0.5'])(
    'is none where the name is none: %j',
    (name) => {
      expect(recipeNamed(name)).toBeNull()
    },
  )
})
