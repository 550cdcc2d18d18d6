import type { CallOptions } from '@quire/contract'
import { specimens } from '@quire/testkit'
import { fixedClock } from '@quire/core/memory'
import { expect, it } from 'vitest'
import { systemIdentity } from '../../engine/access/identity.ts'
import { createShared } from '../../engine/shared.ts'
import { createMemoryStore, fakeMedia, memoryBlobs } from '../../memory/index.ts'
import {
  BlobCorrupt,
  type Blobs,
  BlobsUnavailable,
  type DerivedName,
  type Media,
  MediaRefused,
} from '../../ports/index.ts'
import { createQuire } from '../../quire.ts'

/** Blobs whose derived blobs may be damaged, or refused for lack of space. */
function frailBlobs() {
  const stored = memoryBlobs()
  const { derived } = stored
  const damaged = new Set<string>()
  const state = { isFull: false }
  const keyOf = ({ source, recipe }: DerivedName) => `${source} ${recipe}`
  const blobs: Blobs = {
    ...stored,
    derived: {
      ...derived,
      async retain(name, bytes) {
        if (state.isFull) throw new BlobsUnavailable('full', 'No room is left.')
        damaged.delete(keyOf(name))
        return derived.retain(name, bytes)
      },
      async read(name, range) {
        // A range of truncated bytes may be out of bounds, and none of it was verified.
        if (damaged.has(keyOf(name)))
          throw range ? new RangeError('beyond the end') : new BlobCorrupt(name.hash)
        return derived.read(name, range)
      },
    },
  }
  return { blobs, state, damage: (name: DerivedName) => damaged.add(keyOf(name)) }
}

/** A media port that counts the images it makes. */
function countingMedia(changed: Partial<Media> = {}) {
  const inner = { ...fakeMedia(), ...changed }
  const state = { made: 0 }
  const media: Media = {
    ...inner,
    make(source, recipe) {
      state.made += 1
      return inner.make(source, recipe)
    },
  }
  return { media, state }
}

async function openPicture(blobs: Blobs, media: Media) {
  const clock = fixedClock(Date.now())
  const quire = createQuire({ store: createMemoryStore(), blobs, media, clock })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'picture', fields: [], settings: { isAsset: true } })
  const file = new File([Uint8Array.from(await specimens.png())], 'a.png')
  const { id, asset } = await api.assets.create({ configId: 'magazine', file })
  const get = (options: CallOptions = {}) =>
    api.assets.get({ configId: 'magazine', assetId: id, rendition: 'thumbnail' }, options)
  const hash = asset?.hash ?? ''
  const names = async () => {
    const all: DerivedName[] = []
    for await (const { source, recipe } of blobs.derived.list()) all.push({ source, recipe })
    return all
  }
  const stored = () =>
    expect.poll(async () => {
      const found = await Promise.all((await names()).map((name) => blobs.derived.find(name)))
      return found.map((one) => one?.hash)
    })
  /** The only stored rendition. */
  const only = async () => {
    const [name, ...more] = await names()
    if (!name || more.length > 0) throw new Error('There is not one picture.')
    return name
  }
  return { get, stored, only, clock, source: hash }
}

it.for(['lost', 'damaged'])('a rendition that is %s is made again and stored', async (how) => {
  const { blobs, damage } = frailBlobs()
  const { media, state } = countingMedia()
  const { get, stored, only } = await openPicture(blobs, media)
  const first = await get()
  const bytes = await first.bytes()
  const hash = first.etag ?? ''
  await stored().toEqual([hash])
  const served = await get({ range: { start: 1, end: 3 } })
  if (how === 'lost') await blobs.derived.remove(await only())
  else damage(await only())
  const part = served.bytes()
  const all = await Promise.all(Array.from({ length: 5 }, async () => (await get()).bytes()))
  expect(all).toEqual(Array.from({ length: 5 }, () => bytes))
  expect(await part).toEqual(bytes.slice(1, 4))
  await stored().toEqual([hash])
  const name = { ...(await only()), hash }
  await expect.poll(async () => (await blobs.derived.read(name).catch(() => null)) !== null).toBe(true)
  expect(await (await get()).bytes()).toEqual(bytes)
  expect(state.made).toBe(2)
})

it('a rendition with other bytes after being made again is sent to the next request, with its own tag', async () => {
  const { blobs } = frailBlobs()
  let version = 0
  const { media } = countingMedia({
    make: async () => ({ bytes: Uint8Array.of(version), width: 1, height: 1 }),
  })
  const { get, stored, only } = await openPicture(blobs, media)
  const hash = (await get()).etag ?? ''
  await stored().toEqual([hash])
  await blobs.derived.remove(await only())
  version = 1
  await expect((await get()).bytes()).rejects.toMatchObject({ code: 'unavailable' })
  const next = await get()
  expect(next.etag).not.toBe(hash)
  expect(await next.bytes()).toEqual(Uint8Array.of(1))
})

it('a missing source is reported as such', async () => {
  const { blobs } = frailBlobs()
  const { get, source } = await openPicture(blobs, fakeMedia())
  await blobs.delete(source)
  await expect(get()).rejects.toThrow('restore it from a backup')
})

it('a rendition that cannot be stored is served from memory for a minute, then made again', async () => {
  const { blobs, state: disk } = frailBlobs()
  const { media, state } = countingMedia()
  const { get, stored, clock } = await openPicture(blobs, media)
  disk.isFull = true
  const bytes = await (await get()).bytes()
  for (let time = 0; time < 3; time += 1) {
    expect(await (await get()).bytes()).toEqual(bytes)
    clock.advance(19_000)
  }
  expect(state.made).toBe(1)
  disk.isFull = false
  clock.advance(4_000)
  const { etag } = await get()
  expect(state.made).toBe(2)
  await stored().toEqual([etag])
})

it('a rendition in memory is not affected by what a reader does to its bytes', async () => {
  const { blobs, state } = frailBlobs()
  const { get } = await openPicture(blobs, fakeMedia())
  state.isFull = true
  const bytes = await (await get()).bytes()
  const { value } = await (await get()).stream().getReader().read()
  structuredClone(value?.fill(0), { transfer: value ? [value.buffer] : [] })
  expect(await (await get()).bytes()).toEqual(bytes)
})

it.for([
  ['slow', 'not_found', 1],
  ['unreadable', 'not_found', 1],
  ['large', 'not_found', 1],
  ['busy', 'unavailable', 3],
] as const)('a rendition refused as %s is %s, of three requests tried in %i', async ([kind, code, tries]) => {
  const { media, state } = countingMedia({
    make: () => Promise.reject(new MediaRefused(kind, 'Not this one.')),
  })
  const { get, clock } = await openPicture(memoryBlobs(), media)
  for (let time = 0; time < 3; time += 1) await expect(get()).rejects.toMatchObject({ code })
  expect(state.made).toBe(tries)
  clock.advance(5 * 60_000)
  await expect(get()).rejects.toMatchObject({ code })
  expect(state.made).toBe(tries + 1)
})

it('renditions in memory never exceed 64 MB together', () => {
  const { unstored } = createShared()
  const aPicture = (size: number) => ({ hash: '', size, bytes: new Uint8Array(size), until: 0 })
  for (let count = 0; count < 9; count += 1) unstored.set(`picture ${count}`, aPicture(8_000_000))
  expect([...unstored.keys()]).toHaveLength(8)
  unstored.set('large', aPicture(64_000_001))
  expect(unstored.has('large')).toBe(false)
})

it('a file is temporarily refused while too many images are being inspected', async () => {
  const { media } = countingMedia({ probe: () => Promise.reject(new MediaRefused('busy', 'Too many.')) })
  await expect(openPicture(memoryBlobs(), media)).rejects.toMatchObject({ code: 'unavailable' })
})
