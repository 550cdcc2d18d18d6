import { createHash } from 'node:crypto'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { fakeMedia } from '@quire/core/memory'
import type { Blobs, DerivedName, Media, Recipe } from '@quire/core/ports'
import { specimens } from '@quire/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { derivedKey } from './damageable.ts'
import { locations, type TestEngine } from './engine.ts'

const configId = 'magazine'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

// The size of a picture, and the space that it uses on disk: five blocks, and one for its name.
const pictureBytes = 20_000
const pictureRoom = 6 * 4096

let location: TestEngine
afterEach(() => location.close())

/** The bytes for a recipe. They have the same length for all recipes, but different content. */
function bytesBy(recipe: Recipe, size = pictureBytes): Uint8Array<ArrayBuffer> {
  const seed = createHash('sha256').update(JSON.stringify(recipe)).digest()
  return Uint8Array.from({ length: size }, (_, at) => (seed[at % 32] ?? 0) ^ (at >> 5))
}

/** Media that count the renditions of each width. */
function countingMedia(sizeOf: (recipe: Recipe) => number = () => pictureBytes) {
  const made = new Map<number | null, number>()
  const media: Media = {
    ...fakeMedia(),
    async make(_source, recipe) {
      made.set(recipe.width, (made.get(recipe.width) ?? 0) + 1)
      return { bytes: bytesBy(recipe, sizeOf(recipe)), width: 1, height: 1 }
    },
  }
  return { media, made }
}

interface PictureRequest {
  readonly width: number
  readonly quality?: number
  readonly format?: 'webp' | 'png'
}

const recipeOf = ({ width, quality = 80, format = 'webp' }: PictureRequest): Recipe => ({
  width,
  height: null,
  fit: 'inside',
  format,
  quality,
  focalPoint: null,
})

/**
 * Opens an asset whose renditions can be requested in any size, with a cache for a number of
 * pictures.
 */
async function openPicture(open: (typeof locations)[number][1], pictures: number, media: Media) {
  location = await open({ media, renditionCacheBytes: pictures * pictureRoom })
  await location.api.repositories.create({ name: configId })
  await location.api.types.create({ name: 'picture', settings: { isAsset: true }, fields: [] })
  const file = new File([Uint8Array.from(await specimens.png())], 'a.png')
  const { id: assetId, asset } = await location.api.assets.create({ configId, file })
  const ask = async (asked: PictureRequest, api: Api = location.api) => {
    const { width, quality = 80, format = 'webp' } = asked
    const at = { configId, assetId, rendition: 'original', width, quality, format } as const
    return api.assets.get(at)
  }
  const right = async (asked: PictureRequest) => {
    const served = await ask(asked)
    const bytes = bytesBy(recipeOf(asked))
    expect(served.etag).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(Buffer.compare(await served.bytes(), bytes)).toBe(0)
  }
  return { ask, right, source: asset?.hash ?? '', assetId }
}

async function stored(): Promise<readonly (DerivedName & { readonly size: number })[]> {
  await location.quire.settled()
  const all = []
  for await (const one of location.blobs.derived.list()) all.push(one)
  return all
}

const room = async () => (await stored()).length * pictureRoom
const widthsStored = async () =>
  (await stored()).map(({ recipe }) => Number(/_(\d+)x/.exec(recipe)?.[1])).toSorted((a, b) => a - b)

describe.each(locations)('the rendition cache %s', (_name, open) => {
  it('stays within its limit and gives correct answers, however many sizes are requested concurrently', async () => {
    const { media } = countingMedia()
    const { right } = await openPicture(open, 20, media)
    const widths = [32, 64, 128, 192, 256, 320, 480, 640, 800, 1024]
    const asked = widths.flatMap((width) =>
      [10, 20, 30, 40, 50, 60, 70, 80].flatMap((quality) => [
        { width, quality, format: 'webp' } as const,
        { width, quality, format: 'png' } as const,
      ]),
    )
    let most = 0
    for (let at = 0; at < asked.length; at += 4) {
      const some = asked.slice(at, at + 4)
      // Two readers of each rendition, and two of renditions that may just have been evicted.
      const before = asked.slice(Math.max(0, at - 30), Math.max(0, at - 30) + 2)
      await Promise.all([...some, ...some, ...before].map(right))
      most = Math.max(most, await room())
      location.clock.advance(20_000)
    }
    expect(most).toBeLessThanOrEqual(20 * pictureRoom)
    // The cache was full, and was not cleared completely.
    expect(most).toBeGreaterThan(15 * pictureRoom)
    expect((await stored()).length).toBeGreaterThan(10)
  })

  it('evicts the least recently used renditions, and recreates them identically on request', async () => {
    const { media, made } = countingMedia()
    const { right } = await openPicture(open, 5, media)
    for (const width of [32, 64, 128, 192, 256]) {
      await right({ width })
      await location.quire.settled()
      location.clock.advance(2 * minuteMs)
    }
    // Uses the oldest rendition again.
    await right({ width: 32 })
    location.clock.advance(2 * minuteMs)
    await right({ width: 320 })
    expect(await widthsStored()).toEqual([32, 128, 192, 256, 320])
    await right({ width: 64 })
    await right({ width: 32 })
    expect([made.get(32), made.get(64)]).toEqual([1, 2])
  })

  it('is listed at most once a minute, and renditions beyond the limit are served from memory', async () => {
    const { media, made } = countingMedia()
    const { right } = await openPicture(open, 3, media)
    let listings = 0
    const { derived } = location.blobs
    const list = derived.list.bind(derived)
    Object.assign(derived, { list: () => ((listings += 1), list()) })
    for (const width of [32, 64, 128, 192, 256, 320]) await right({ width })
    await location.quire.settled()
    // The first listing finds enough space, so nothing has to be evicted.
    expect(listings).toBe(1)
    Object.assign(derived, { list })
    expect(await stored()).toHaveLength(3)
    for (const width of [32, 64, 128, 192, 256, 320]) await right({ width })
    expect([...made.values()]).toEqual([1, 1, 1, 1, 1, 1])
    location.clock.advance(minuteMs + 1)
    await right({ width: 256 })
    expect(await widthsStored()).toContain(256)
  })

  it('does not store a rendition that is too large, and evicts nothing for it', async () => {
    const { media } = countingMedia(({ width }) => (width === 1024 ? 10 * pictureBytes : pictureBytes))
    const { ask, right } = await openPicture(open, 3, media)
    await right({ width: 32 })
    expect(await (await ask({ width: 1024 })).bytes()).toHaveLength(10 * pictureBytes)
    location.clock.advance(2 * minuteMs)
    expect(await (await ask({ width: 1024 })).bytes()).toHaveLength(10 * pictureBytes)
    expect(await widthsStored()).toEqual([32])
  })

  it('makes space for a rendition that is nearly as large as the cache', async () => {
    const large = 3 * pictureRoom - 4096
    const { media } = countingMedia(({ width }) => (width === 1024 ? large : pictureBytes))
    const { ask, right } = await openPicture(open, 3, media)
    for (const width of [32, 64]) await right({ width })
    await location.quire.settled()
    location.clock.advance(2 * minuteMs)
    expect(await (await ask({ width: 1024 })).bytes()).toHaveLength(large)
    expect(await widthsStored()).toEqual([1024])
  })

  it('stores nothing with a limit of 0', async () => {
    const { media } = countingMedia()
    const { right } = await openPicture(open, 0, media)
    for (const width of [32, 64, 32]) await right({ width })
    expect(await stored()).toEqual([])
  })

  it('never evicts an uploaded file, even one with the same bytes as a rendition', async () => {
    const { media } = countingMedia()
    const { right, source } = await openPicture(open, 2, media)
    await right({ width: 32 })
    const bytes = bytesBy(recipeOf({ width: 32 }))
    const { id, asset } = await location.api.assets.create({ configId, file: new File([bytes], 'same.webp') })
    for (const width of [64, 128, 192]) {
      location.clock.advance(2 * minuteMs)
      await right({ width })
      await location.quire.settled()
    }
    expect(await widthsStored()).not.toContain(32)
    const original = await location.api.assets.get({ configId, assetId: id, rendition: 'original' })
    expect(Buffer.compare(await original.bytes(), bytes)).toBe(0)
    for (const hash of [source, asset?.hash ?? '']) expect(await location.blobs.verify(hash)).toBe('sound')
  })

  it('can evict a rendition that is being read, and the reader gets it completely', async () => {
    const size = 9 * 1024 * 1024
    const { media } = countingMedia(() => size)
    location = await open({ media, renditionCacheBytes: 10 * 1024 * 1024 })
    await location.api.repositories.create({ name: configId })
    await location.api.types.create({ name: 'picture', settings: { isAsset: true }, fields: [] })
    const file = new File([Uint8Array.from(await specimens.png())], 'a.png')
    const { id: assetId } = await location.api.assets.create({ configId, file })
    const at = { configId, assetId, rendition: 'original', format: 'webp' } as const
    await (await location.api.assets.get({ ...at, width: 32 })).bytes()
    await location.quire.settled()
    const reader = (await location.api.assets.get({ ...at, width: 32 })).stream().getReader()
    const pieces = [(await reader.read()).value]
    location.clock.advance(2 * minuteMs)
    await (await location.api.assets.get({ ...at, width: 64 })).bytes()
    expect(await widthsStored()).toEqual([64])
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value)
    const all = Buffer.concat(pieces.map((piece) => piece ?? new Uint8Array()))
    expect(all.equals(bytesBy({ ...recipeOf({ width: 32 }), quality: 80 }, size))).toBe(true)
  })

  it('is also trimmed by the daily sweep of another process', async () => {
    const { media } = countingMedia()
    const { right } = await openPicture(open, 20, media)
    for (const width of [32, 64, 128, 192, 256, 320]) await right({ width })
    expect(await stored()).toHaveLength(6)
    const { store, clock, blobs } = location
    const lasting = { ...store, close: async () => undefined }
    const small = createQuire({ store: lasting, clock, blobs, media, renditionCacheBytes: 2 * pictureRoom })
    clock.advance(2 * dayMs)
    await small.as(systemIdentity('small')).repositories.list()
    small.work()
    await expect.poll(async () => (await stored()).length).toBe(1)
    await small.settled()
    const [job] = await store.jobs.list({ kind: 'blobs.sweep', limit: 1 })
    expect(job?.result).toMatchObject({ pictures: 5, pictureBytes: 5 * pictureBytes })
    await small.close()
    await right({ width: 32 })
  })

  it('does not delay the shutdown of a service that is listing it', async () => {
    const { media } = countingMedia()
    const { right } = await openPicture(open, 20, media)
    let listed = 0
    async function* endless() {
      for (; ; listed += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        yield { source: 'a'.repeat(64), recipe: 'small', size: 1, usedDate: 0 }
      }
    }
    Object.assign(location.blobs.derived, { list: endless })
    await right({ width: 32 })
    await expect.poll(() => listed).toBeGreaterThan(2)
    const begun = performance.now()
    await location.quire.close()
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  it('records the use of a rendition once a day', async () => {
    const { media } = countingMedia()
    const { right } = await openPicture(open, 20, media)
    const reported: string[] = []
    const { derived } = location.blobs
    const use = derived.use.bind(derived)
    Object.assign(derived, {
      use: async (name: DerivedName) => (reported.push(derivedKey(name)), use(name)),
    } satisfies Partial<Blobs['derived']>)
    for (const width of [32, 64]) await right({ width })
    await location.quire.settled()
    location.clock.advance(dayMs - minuteMs)
    await right({ width: 32 })
    expect(reported).toEqual([])
    location.clock.advance(2 * minuteMs)
    for (let time = 0; time < 3; time += 1) await right({ width: 32 })
    await location.quire.settled()
    expect(reported).toEqual([expect.stringContaining('_32x')])
  })
})
