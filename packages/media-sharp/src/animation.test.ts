import { specimens } from '@quire/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { colourAt } from '../test/pixels.ts'
import { aRecipe } from '../test/recipe.ts'
import { from } from '../test/source.ts'
import { sharpMedia } from './sharp-media.ts'

const media = sharpMedia()

async function framesOf(bytes: Uint8Array): Promise<string[]> {
  const { pages = 1 } = await sharp(bytes).metadata()
  const frames = Array.from({ length: pages }, (_, page) => sharp(bytes, { page }).png().toBuffer())
  return Promise.all(frames.map(async (frame) => colourAt(await frame, 0.5, 0.5)))
}

describe.for(['animatedGif', 'animatedWebp'] as const)('an animation, the specimen %s', (name) => {
  it.for(['inside', 'cover', 'contain'] as const)('stays animated in WebP: %s', async (fit) => {
    const made = await media.make(specimens[name], aRecipe({ format: 'webp', width: 30, height: 30, fit }))
    expect(await media.probe(from(made.bytes))).toMatchObject({
      width: made.width,
      height: made.height,
      pages: 3,
    })
    expect(await sharp(made.bytes).metadata()).toMatchObject({ delay: [80, 120, 160], loop: 0 })
    expect(await framesOf(made.bytes)).toEqual(['red', 'green', 'blue'])
  })

  it.for(['png', 'jpeg', 'avif'] as const)('becomes its first frame in %s', async (format) => {
    const { bytes, ...size } = await media.make(specimens[name], aRecipe({ format, width: 30 }))
    expect(await media.probe(from(bytes))).toMatchObject({ ...size, pages: 1 })
    expect(await framesOf(bytes)).toEqual(['red'])
  })
})

it('makes a still picture of an animation that must be rotated', async () => {
  const source = await sharp(await specimens.animatedWebp(), { animated: true })
    .withMetadata({ orientation: 6 })
    .webp()
    .toBuffer()
  const { bytes, ...size } = await media.make(from(source), aRecipe({ format: 'webp' }))
  expect(size).toEqual({ width: 40, height: 60 })
  expect(await media.probe(from(bytes))).toMatchObject({ ...size, pages: 1 })
})

it('makes the first page of a document', async () => {
  const source = await sharp(await specimens.animatedGif(), { animated: true })
    .tiff()
    .toBuffer()
  expect(await media.probe(from(source))).toMatchObject({ width: 60, height: 40, pages: 3 })
  const { bytes } = await media.make(from(source), aRecipe({ format: 'webp' }))
  expect(await framesOf(bytes)).toEqual(['red'])
})
