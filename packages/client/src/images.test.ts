import { limits } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore, fakeMedia } from '@quire/core/memory'
import { routes } from '@quire/contract/routes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageRoutes, imageUrl, objectPosition, srcset, type ImageRatio, type ImageWidth } from './images.ts'

const base = 'https://content.example.org/cms/'
const byId = { configId: 'magazine', assetId: 'CONT_1' } as const
const bySlug = { configId: 'magazine', slug: 'eichengallen ä' } as const

const widths = {
  32: 1,
  64: 1,
  128: 1,
  192: 1,
  256: 1,
  320: 1,
  480: 1,
  640: 1,
  800: 1,
  1024: 1,
  1280: 1,
  1600: 1,
  1920: 1,
  2560: 1,
  4000: 1,
  6000: 1,
} satisfies Record<ImageWidth, 1>
const ratios = {
  '1:4': 1 / 4,
  '1:3': 1 / 3,
  '1:2': 1 / 2,
  '9:16': 9 / 16,
  '2:3': 2 / 3,
  '3:4': 3 / 4,
  '4:5': 4 / 5,
  '1:1': 1,
  '5:4': 5 / 4,
  '4:3': 4 / 3,
  '3:2': 3 / 2,
  '16:9': 16 / 9,
  '2:1': 2,
  '3:1': 3,
  '4:1': 4,
  '6:1': 6,
} satisfies Record<ImageRatio, number>

describe('imageUrl', () => {
  it('is the address of a published asset, by id or by slug', () => {
    expect(imageUrl(base, { ...byId, rendition: 'card' })).toBe(
      'https://content.example.org/cms/api/published/assets/magazine/CONT_1/card',
    )
    expect(imageUrl(base, { ...bySlug, rendition: 'small', format: 'webp' })).toBe(
      'https://content.example.org/cms/api/published/assets/magazine/slug/eichengallen%20%C3%A4/small?format=webp',
    )
  })

  it('is the address of a draft, on main or in a package', () => {
    const draft = { ...byId, published: false } as const
    expect(imageUrl('/cms', { ...draft, rendition: 'original', width: 640 })).toBe(
      '/cms/api/assets/magazine/CONT_1/original?width=640',
    )
    expect(imageUrl('', { ...draft, packageName: 'winter', rendition: 'card' })).toBe(
      '/api/assets/magazine/_package/winter/CONT_1/card',
    )
  })

  it('refuses a part of the path that is empty', () => {
    expect(() => imageUrl(base, { ...byId, assetId: '', rendition: 'card' })).toThrow('assetId')
  })

  it('has the routes of the contract', () => {
    const { get } = routes.assets
    const { asset, assetBySlug } = routes.published
    expect(imageRoutes).toEqual({ draft: get, byId: asset, bySlug: assetBySlug })
  })

  it('accepts only what an address can have', () => {
    // @ts-expect-error -- no rendition
    const noRendition = () => imageUrl(base, byId)
    // @ts-expect-error -- drafts have no address by slug
    const draftBySlug = () => imageUrl(base, { ...bySlug, published: false, rendition: 'card' })
    // @ts-expect-error -- no such format
    const noFormat = () => imageUrl(base, { ...byId, rendition: 'card', format: 'bmp' })
    expect(noRendition).toThrow('rendition')
    expect(draftBySlug).toThrow('assetId')
    expect(noFormat()).toContain('format=bmp')
  })
})

describe('srcset', () => {
  it('offers the built-in presets with the widths of this file, and none beyond it', () => {
    const source = { width: 1000, height: 2000 }
    expect(srcset('', byId, { source, format: 'avif' })).toBe(
      [
        '/api/published/assets/magazine/CONT_1/thumbnail?format=avif 160w',
        '/api/published/assets/magazine/CONT_1/small?format=avif 320w',
        '/api/published/assets/magazine/CONT_1/medium?format=avif 640w',
        '/api/published/assets/magazine/CONT_1/large?format=avif 1000w',
      ].join(', '),
    )
    expect(srcset('', byId, { source: { width: 300, height: 200 } })).toBe(
      '/api/published/assets/magazine/CONT_1/thumbnail 300w',
    )
  })

  it('offers widths, cropped to a ratio', () => {
    const draft = { ...byId, published: false } as const
    const source = { width: 1500, height: 1000 }
    expect(srcset('', draft, { source, widths: [640, 1600], ratio: '16:9', quality: 60 })).toBe(
      '/api/assets/magazine/CONT_1/original?width=640&height=360&fit=cover&quality=60 640w, ' +
        '/api/assets/magazine/CONT_1/original?width=1600&height=900&fit=cover&quality=60 1500w',
    )
  })

  it.each([
    [1001, 333],
    [333, 1001],
    [5000, 4999],
    [40, 30],
  ])('has the widths of the pictures that the engine makes of %i × %i pixels', async (width, height) => {
    const made: number[] = []
    const media = fakeMedia()
    const make: typeof media.make = async (...given) => {
      const picture = await media.make(...given)
      made.push(picture.width)
      return picture
    }
    const quire = createQuire({ store: createMemoryStore(), media: { ...media, make } })
    const api = quire.as(systemIdentity('test'))
    await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'image', settings: { isAsset: true }, fields: [] })
    const wide = { name: 'wide', width: 800, height: 300, fit: 'cover' } as const
    await api.renditionPresets.create({ configId: 'magazine', ...wide })
    const { id, asset } = await api.assets.create({ configId: 'magazine', file: pngOf(width, height) })
    const at = { configId: 'magazine', assetId: id }
    const entries = [
      srcset('', at, { source: asset }),
      srcset('', at, { source: asset, presets: [wide] }),
      srcset('', at, { source: asset, widths: [32, 1024] }),
      srcset('', at, { source: asset, widths: [320, 1600], ratio: '16:9' }),
    ].flatMap((set) => set.split(', '))
    for (const entry of entries) {
      const { pathname, searchParams } = new URL(entry.split(' ')[0] ?? '', 'http://quire.test')
      const { width, height, fit } = Object.fromEntries(searchParams)
      const box = { ...(width && { width: Number(width) }), ...(height && { height: Number(height) }) }
      const rendition = pathname.split('/').at(-1) ?? ''
      const isCover = fit === 'cover' && { fit: 'cover' as const }
      // Without a format, an original that is large enough would be sent as it is.
      await api.assets.get({ ...at, rendition, ...box, ...isCover, format: 'webp' })
    }
    expect(made.map((pixels) => `${pixels}w`)).toEqual(entries.map((entry) => entry.split(' ')[1]))
    await quire.close()
  })

  it('is empty for a file that is not a picture', () => {
    expect(srcset('', byId, { source: { width: null, height: null } })).toBe('')
    expect(srcset('', byId, { source: null })).toBe('')
  })

  it('knows the widths and ratios that the service does not round', () => {
    expect(Object.keys(widths).map(Number)).toEqual(limits.renditionSteps)
    expect(Object.values(ratios)).toEqual(limits.renditionRatios)
  })

  it('has increasing widths, no wider than the file, and the same address only once', () => {
    const side = fc.integer({ min: 1, max: 10_000 })
    const input = fc.record({
      source: fc.record({ width: side, height: side }),
      widths: fc.subarray(
        Object.keys(widths).map((width) => Number(width) as ImageWidth),
        { minLength: 1 },
      ),
      ratio: fc.constantFrom(undefined, ...(Object.keys(ratios) as ImageRatio[])),
      isPreset: fc.boolean(),
    })
    fc.assert(
      fc.property(input, ({ source, widths, ratio, isPreset }) => {
        const sizes = isPreset ? {} : { widths, ...(ratio && { ratio }) }
        const entries = srcset('', byId, { source, ...sizes })
          .split(', ')
          .map((entry) => entry.split(' '))
        const pixels = entries.map(([, width = '']) => Number(width.slice(0, -1)))
        expect(pixels).toEqual([...new Set(pixels)].toSorted((a, b) => a - b))
        expect(pixels.every((width) => width >= 1 && width <= source.width)).toBe(true)
        expect(new Set(entries.map(([url]) => url)).size).toBe(entries.length)
      }),
    )
  })
})

describe('objectPosition', () => {
  it('is the focal point in percent, or the center', () => {
    expect(objectPosition({ focalPoint: { x: 0.2, y: 0.4567 } })).toBe('20% 45.7%')
    expect(objectPosition({ focalPoint: null })).toBe('50% 50%')
    expect(objectPosition(null)).toBe('50% 50%')
  })
})

/** The head of a PNG, which is all that the media of a test read. */
function pngOf(width: number, height: number): File {
  const bytes = new Uint8Array(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  view.setUint8(24, 8)
  return new File([bytes], 'picture.png')
}
