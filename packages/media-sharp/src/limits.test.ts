import { monitorEventLoopDelay } from 'node:perf_hooks'
import { MediaRefused } from '@quire/core/ports'
import { specimens } from '@quire/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { aRecipe } from '../test/recipe.ts'
import { from } from '../test/source.ts'
import { sharpMedia } from './sharp-media.ts'

const media = sharpMedia()
const thumbnail = aRecipe({ width: 400, format: 'webp' })
const slowly = aRecipe({ width: 1_600, format: 'avif', quality: 90 })

/** The kind of the refusal; `made` when the call succeeded. */
async function kindOf(making: Promise<unknown>): Promise<string> {
  return making.then(
    () => 'made',
    (error: unknown) => (error instanceof MediaRefused ? error.kind : String(error)),
  )
}

/**
 * The cost of work for the process: its time, the peak of the memory growth, and how long the event
 * loop was blocked (TRUST S14).
 */
async function costOf(work: () => Promise<unknown>) {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let highest = before
  const sampler = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 2)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const started = performance.now()
  await work()
  const milliseconds = performance.now() - started
  delay.disable()
  clearInterval(sampler)
  highest = Math.max(highest, process.memoryUsage.rss())
  return { milliseconds, megabytes: (highest - before) / 2 ** 20, loopDelay: delay.max / 1e6 }
}

describe('bombs', () => {
  it.for([
    ['pngBomb', 'large', 'large'],
    ['gifBomb', 'large', 'large'],
    ['tiffBomb', 'large', 'large'],
    ['svgBomb', 'unreadable', 'made'],
    ['truncatedJpeg', 'unreadable', 'made'],
  ] as const)('the specimen %s is refused as %s, quickly and cheaply', async ([name, kind, probed]) => {
    const bytes = await specimens[name]()
    const cost = await costOf(async () => {
      expect(await kindOf(media.make(from(bytes), thumbnail))).toBe(kind)
      expect(await kindOf(media.probe(from(bytes)))).toBe(probed)
    })
    expect(cost.milliseconds).toBeLessThan(1_000)
    expect(cost.megabytes).toBeLessThan(100)
    expect(cost.loopDelay).toBeLessThan(200)
  })

  it('are refused with advice', async () => {
    await expect(media.make(specimens.pngBomb, thumbnail)).rejects.toThrow(
      'The picture has too many pixels or too many pages: make it smaller.',
    )
  })
})

describe('the limits of a source', () => {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png()
      .toBuffer()

  it('accept a picture of 50 megapixels, and none with one more row', async () => {
    const [most, over] = await Promise.all([plain(10_000, 5_000), plain(10_000, 5_001)])
    expect(await media.make(from(most), thumbnail)).toMatchObject({ width: 400, height: 200 })
    expect(await kindOf(media.make(from(over), thumbnail))).toBe('large')
    expect(await kindOf(media.probe(from(over)))).toBe('large')
  })

  it('count the pixels of all frames', async () => {
    const source = await specimens.animatedGif()
    const pixels = 60 * 40 * 3
    expect(await kindOf(sharpMedia({ pixels }).make(from(source), thumbnail))).toBe('made')
    expect(await kindOf(sharpMedia({ pixels: pixels - 1 }).make(from(source), thumbnail))).toBe('large')
    expect(await kindOf(sharpMedia({ pixels: pixels - 1 }).make(from(source), aRecipe()))).toBe('large')
  })

  it('accept the most frames, and not one more', async () => {
    const source = await specimens.animatedGif()
    expect(await sharpMedia({ pages: 3 }).probe(from(source))).toMatchObject({ pages: 3 })
    expect(await kindOf(sharpMedia({ pages: 2 }).probe(from(source)))).toBe('large')
  })

  it('refuse renditions that are too large', async () => {
    expect(await kindOf(media.make(specimens.png, aRecipe({ width: 6_001 })))).toBe('large')
  })
})

describe('readers that are not needed', () => {
  it.for([
    ['PNM', 'P3 1 1 255 1 2 3'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ['CSV', '1;2\n3;4'],
    ['Radiance', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x01\x01\x01\x01'],
  ] as const)('never run: %s', async ([, text]) => {
    expect(await media.probe(from(new TextEncoder().encode(text)))).toBeNull()
    expect(await kindOf(media.make(from(new TextEncoder().encode(text)), aRecipe()))).toBe('unreadable')
  })
})

describe('pictures that take too long', () => {
  it('are refused as slow when their time is over, and hold their slot until they have ended', async () => {
    const hasty = sharpMedia({ seconds: 0.05, parallel: 1, queue: 0 })
    const photo = await specimens.photo()
    const started = performance.now()
    expect(await kindOf(hasty.make(from(photo), slowly))).toBe('slow')
    expect(performance.now() - started).toBeLessThan(1_000)
    const small = aRecipe({ width: 10, height: 10, format: 'png' })
    expect(await kindOf(hasty.make(specimens.png, small))).toBe('busy')
    await expect.poll(async () => kindOf(hasty.make(specimens.png, small)), { timeout: 15_000 }).toBe('made')
  })
})

describe('AVIF', () => {
  it('of 24 megapixels is made in time', { timeout: 30_000 }, async () => {
    const source = await sharp(await specimens.photo())
      .resize(6_000, 4_000)
      .jpeg()
      .toBuffer()
    expect(await kindOf(media.make(from(source), aRecipe({ format: 'avif' })))).toBe('made')
  })
})

describe('pictures made at the same time', () => {
  it('are refused as busy when the queue is full, and accepted again afterwards', async () => {
    const small = sharpMedia({ parallel: 1, queue: 2 })
    const photo = await specimens.photo()
    const kinds = await Promise.all(
      Array.from({ length: 5 }, () => kindOf(small.make(from(photo), thumbnail))),
    )
    expect(kinds).toEqual(['made', 'made', 'made', 'busy', 'busy'])
    expect(await kindOf(small.make(from(photo), thumbnail))).toBe('made')
  })

  it.for(['make', 'probe'] as const)('load their source when they leave the queue: %s', async (name) => {
    const small = sharpMedia({ parallel: 1, queue: 2 })
    let loaded = 0
    let held: (() => void) | undefined
    const source = async () => {
      loaded += 1
      await new Promise<void>((resolve) => (held = resolve))
      return specimens.png()
    }
    const ask = () => kindOf(name === 'make' ? small.make(source, thumbnail) : small.probe(source))
    const kinds = Promise.all(Array.from({ length: 3 }, ask))
    const past = name === 'make' ? await ask() : 'busy'
    for (let slot = 1; slot <= 3; slot += 1) {
      await expect.poll(() => loaded).toBe(slot)
      held?.()
    }
    expect(past).toBe('busy')
    expect(await kinds).toEqual(['made', 'made', 'made'])
    expect(loaded).toBe(3)
  })

  it('release their slot when they are refused', async () => {
    const small = sharpMedia({ parallel: 1, queue: 0 })
    for (let time = 0; time < 3; time += 1)
      expect(await kindOf(small.make(specimens.truncatedJpeg, thumbnail))).toBe('unreadable')
  })

  it('never exceed the limit when a hundred are requested', async () => {
    const two = sharpMedia({ parallel: 2, queue: 98 })
    const photo = await specimens.photo()
    let most = 0
    // libuv has four threads for them.
    const sampler = setInterval(() => {
      most = Math.max(most, sharp.counters().process)
    }, 1)
    const makes = Array.from({ length: 100 }, () => kindOf(two.make(from(photo), thumbnail)))
    expect(new Set(await Promise.all(makes))).toEqual(new Set(['made']))
    clearInterval(sampler)
    expect(most).toBe(2)
  })
})

describe('the cost of a rendition', () => {
  // The minimum of many runs shows the cost of the work itself, even while other tests run.
  it('is within 1.2 of that of sharp alone', { retry: 2 }, async () => {
    const photo = await specimens.photo()
    const ours: number[] = []
    const alone: number[] = []
    for (let time = 0; time < 15; time += 1) {
      ours.push((await costOf(() => media.make(from(photo), thumbnail))).milliseconds)
      alone.push((await costOf(() => sharp(photo).resize(400).webp({ quality: 80 }).toBuffer())).milliseconds)
    }
    expect(Math.min(...ours)).toBeLessThan(1.2 * Math.min(...alone))
  })
})
