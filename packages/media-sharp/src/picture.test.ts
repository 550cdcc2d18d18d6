import { type ImageFormat, type Recipe, imageFormats } from '@quire/core/ports'
import { specimens } from '@quire/testkit'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { colourAt, pixelAt, quartersOf } from '../test/pixels.ts'
import { aRecipe } from '../test/recipe.ts'
import { from } from '../test/source.ts'
import { sharpMedia } from './sharp-media.ts'

const media = sharpMedia()
const upright = ['red', 'green', 'blue', 'yellow']
const turned = ['blue', 'red', 'yellow', 'green']

/** The four quarters as displayed, stored with an EXIF orientation. */
const stored = async (orientation: number) =>
  sharp(await specimens.png())
    .withMetadata({ orientation })
    .png()
    .toBuffer()

describe('a made picture', () => {
  it.for(
    imageFormats.flatMap((format) =>
      (['inside', 'cover', 'contain'] as const).map((fit) => ({ format, fit })),
    ),
  )('is as large as said: $format, $fit', async ({ format, fit }) => {
    const { bytes, ...size } = await media.make(
      specimens.photo,
      aRecipe({ width: 301, height: 303, fit, format }),
    )
    expect(await media.probe(from(bytes))).toMatchObject(size)
    expect(bytes.constructor).toBe(Uint8Array)
  })

  it('has the reported size for any recipe', async () => {
    const png = await specimens.turnedJpeg()
    const side = fc.option(fc.integer({ min: 1, max: 80 }))
    const recipes = fc.record({
      width: side,
      height: side,
      fit: fc.constantFrom('inside', 'cover', 'contain'),
    })
    const law = fc.asyncProperty(recipes, async (recipe) => {
      const { bytes, ...size } = await media.make(from(png), aRecipe(recipe))
      expect(await media.probe(from(bytes))).toMatchObject(size)
    })
    await fc.assert(law)
  })

  it.for([...imageFormats])('shows the source in %s', async (format) => {
    const { bytes } = await media.make(specimens.avif, aRecipe({ format }))
    expect(await quartersOf(bytes)).toEqual(upright)
  })
})

describe('the orientation', () => {
  it('is reported and applied', async () => {
    const source = await specimens.turnedJpeg()
    expect(await media.probe(from(source))).toEqual({ width: 40, height: 60, pages: 1, hasAlpha: false })
    const { bytes, ...size } = await media.make(from(source), aRecipe())
    expect(size).toEqual({ width: 40, height: 60 })
    expect(await quartersOf(bytes)).toEqual(turned)
  })

  it.for([
    [1, ['red', 'green', 'blue', 'yellow']],
    [2, ['green', 'red', 'yellow', 'blue']],
    [3, ['yellow', 'blue', 'green', 'red']],
    [4, ['blue', 'yellow', 'red', 'green']],
    [5, ['red', 'blue', 'green', 'yellow']],
    [6, ['blue', 'red', 'yellow', 'green']],
    [7, ['yellow', 'green', 'blue', 'red']],
    [8, ['green', 'yellow', 'red', 'blue']],
  ] as const)('%i is applied before scaling, cropping and margins', async ([orientation, seen]) => {
    const source = await stored(orientation)
    for (const fit of ['inside', 'cover'] as const)
      expect(
        await quartersOf((await media.make(from(source), aRecipe({ width: 40, height: 30, fit }))).bytes),
      ).toEqual(seen)
    const { bytes } = await media.make(from(source), aRecipe({ width: 60, height: 20, fit: 'contain' }))
    expect(await colourAt(bytes, 0.02, 0.5)).toBe('nothing')
    expect(await colourAt(bytes, 0.45, 0.25)).toBe(seen[0])
    expect(await colourAt(bytes, 0.55, 0.75)).toBe(seen[3])
  })
})

describe('the metadata of the source', () => {
  it.for([...imageFormats])('is dropped in %s', async (format) => {
    const source = await specimens.turnedJpeg()
    expect(Buffer.from(source).toString('latin1')).toContain('Quire-Secret-Place')
    const { bytes } = await media.make(from(source), aRecipe({ format }))
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('Quire-Secret')
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif')
    expect(await sharp(bytes).metadata()).not.toHaveProperty('xmp')
  })
})

describe('colors', () => {
  it.for([...imageFormats])('of a wide profile retain values and profile in %s', async (format) => {
    const source = await specimens.wideJpeg()
    const { bytes } = await media.make(from(source), aRecipe({ format }))
    const { icc } = await sharp(source).metadata()
    expect((await sharp(bytes).metadata()).icc).toEqual(icc)
    const [before = [], after = []] = await Promise.all(
      [source, bytes].map((file) => pixelAt(file, 0.25, 0.25)),
    )
    for (const [index, value] of before.entries())
      expect(Math.abs(value - (after[index] ?? 0))).toBeLessThan(12)
  })

  it.for([...imageFormats])('in CMYK become sRGB in %s', async (format) => {
    const { bytes } = await media.make(specimens.cmykJpeg, aRecipe({ format }))
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', hasProfile: false })
    expect(await quartersOf(bytes)).toEqual(upright)
  })

  it('in CMYK with a profile become sRGB', async () => {
    const source = await sharp(await specimens.png())
      .withIccProfile('cmyk')
      .jpeg()
      .toBuffer()
    expect(await sharp(source).metadata()).toMatchObject({ space: 'cmyk', hasProfile: true })
    const { bytes } = await media.make(from(source), aRecipe())
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', hasProfile: false })
    expect(await quartersOf(bytes)).toEqual(upright)
  })

  it('of 16 bits retain their transparency, and are placed on white in JPEG', async () => {
    const source = await specimens.deepPng()
    const seen: Partial<Record<ImageFormat, readonly string[]>> = {}
    for (const format of ['webp', 'png', 'avif', 'jpeg'] as const) {
      const { bytes } = await media.make(from(source), aRecipe({ format }))
      seen[format] = [await colourAt(bytes, 0.99, 0.5)]
    }
    expect(seen).toEqual({ webp: ['nothing'], png: ['nothing'], avif: ['nothing'], jpeg: ['white'] })
  })
})

describe('fits', () => {
  const quarterAt = async (recipe: Partial<Recipe>) => {
    const { bytes } = await media.make(specimens.png, aRecipe(recipe))
    return new Set([...(await quartersOf(bytes)), await colourAt(bytes, 0.5, 0.5)])
  }

  it.for([
    [{ x: 0, y: 0.5 }, ['red', 'blue']],
    [{ x: 1, y: 0.5 }, ['green', 'yellow']],
    [{ x: 0.2, y: 0 }, ['red', 'blue']],
  ] as const)('cover shows the focal point %o', async ([focalPoint, seen]) => {
    expect(await quarterAt({ width: 20, height: 80, fit: 'cover', focalPoint })).toEqual(new Set(seen))
  })

  it.for([
    [{ x: 0.5, y: 0 }, ['red', 'green']],
    [{ x: 0.5, y: 1 }, ['blue', 'yellow']],
  ] as const)('cover shows the focal point %o of a wide strip', async ([focalPoint, seen]) => {
    expect(await quarterAt({ width: 120, height: 20, fit: 'cover', focalPoint })).toEqual(new Set(seen))
  })

  it('cover applies the focal point to the picture as displayed', async () => {
    const source = await specimens.turnedJpeg()
    const recipe = aRecipe({ width: 40, height: 20, fit: 'cover', focalPoint: { x: 0.5, y: 1 } })
    const { bytes } = await media.make(from(source), recipe)
    expect(await colourAt(bytes, 0.25, 0.5)).toBe('yellow')
    expect(await colourAt(bytes, 0.75, 0.5)).toBe('green')
  })

  it('cover shows the middle without a focal point', async () => {
    const { bytes } = await media.make(specimens.png, aRecipe({ width: 40, height: 40, fit: 'cover' }))
    expect(await quartersOf(bytes)).toEqual(upright)
  })

  it.for([
    ['webp', 'nothing'],
    ['png', 'nothing'],
    ['avif', 'nothing'],
    ['jpeg', 'white'],
  ] as const)('contain shows the whole picture between margins, in %s of %s', async ([format, margin]) => {
    const recipe = aRecipe({ width: 80, height: 80, fit: 'contain', format })
    const { bytes } = await media.make(specimens.png, recipe)
    expect(await colourAt(bytes, 0.5, 0.04)).toBe(margin)
    expect(await colourAt(bytes, 0.5, 0.96)).toBe(margin)
    expect(await quartersOf(bytes)).toEqual(upright)
  })
})
