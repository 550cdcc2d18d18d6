import type { Api, Item } from '@quire/contract'
import { ServedBytes, systemIdentity } from '@quire/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { specimens, type Specimen } from '../../media/specimens.ts'
import { bytesOf, fileOf, hashOf, picturesIn, scopeOf, prepareFiles, textFile, textOf } from './files.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'
const original = { rendition: 'original' }
const thumbnail = { rendition: 'thumbnail' }

type Get = Parameters<Api['assets']['get']>[0]

/** Fetching the bytes of assets. */
export function assetReadTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const picture = picturesIn(bench)
  const at = (item: Item) => scopeOf(item).asset
  const asset = async (specimen: Specimen, name: string) =>
    bench().api.assets.create({ configId, file: await fileOf(specimen, name) })

  /** What a transport gets in addition to the bytes. */
  const served = async (input: Get) => {
    const principal = systemIdentity('suite')
    const answer = await bench().scope.quire.run({ group: 'assets', operation: 'get', principal, input })
    return answer instanceof ServedBytes ? answer.source : expect.unreachable('it answers bytes')
  }

  describe('the original of an asset', () => {
    it('is the unchanged file, with its hash as entity tag', async () => {
      const { api } = bench()
      const item = await picture('As it came')
      const answer = await api.assets.get({ ...at(item), ...original })
      const hash = await hashOf(await specimens.png())
      expect(answer).toMatchObject({
        mimeType: 'image/png',
        fileName: 'As it came.bin',
        size: item.asset?.size,
        etag: hash,
        range: null,
      })
      expect(new Uint8Array(await answer.bytes())).toEqual(await specimens.png())
      let etag: string | null = ''
      const onAnswer = (about: { etag: string | null }) => (etag = about.etag)
      const again = await api.assets.get({ ...at(item), ...original }, { onAnswer })
      expect(await hashOf(new Uint8Array(await new Response(again.stream()).arrayBuffer()))).toBe(hash)
      expect(etag).toBe(hash)
    })

    it('can be read in ranges', async () => {
      const { api } = bench()
      const item = await picture('In parts', 'photo')
      const all = await specimens.photo()
      const total = all.length
      for (const [range, start, end] of [
        [{ start: 0, end: 0 }, 0, 0],
        [{ start: 100_000, end: 100_099 }, 100_000, 100_099],
        [{ start: total - 7 }, total - 7, total - 1],
        [{ start: total - 7, end: total + 7 }, total - 7, total - 1],
        [{ start: 0 }, 0, total - 1],
      ] as const) {
        const part = await api.assets.get({ ...at(item), ...original }, { range })
        expect(part).toMatchObject({
          range: { start, end, total },
          size: end - start + 1,
          etag: await hashOf(all),
        })
        expect(await hashOf(new Uint8Array(await part.bytes()))).toBe(await hashOf(all.slice(start, end + 1)))
      }
      const beyond = api.assets.get({ ...at(item), ...original }, { range: { start: total } })
      await failing(beyond, 'range_not_satisfiable')
      const part = await bytesOf(
        api.assets.get({ ...at(item), ...thumbnail }, { range: { start: 0, end: 1 } }),
      )
      expect(part).toHaveLength(2)
    })

    it('is downloaded, not shown, unless a browser cannot run it', async () => {
      const files: Partial<Record<Specimen, string>> = {
        svg: 'image/svg+xml',
        html: 'text/html',
        pdf: 'application/pdf',
        png: 'image/png',
        animatedGif: 'image/gif',
      }
      for (const [specimen, mimeType] of Object.entries(files)) {
        const item = await asset(specimen as Specimen, 'innocent.png')
        const answer = await served({ ...at(item), ...original })
        const isVisible = mimeType === 'image/png' || mimeType === 'image/gif'
        expect(answer).toMatchObject({ mimeType, disposition: isVisible ? 'inline' : 'attachment' })
      }
      const item = await picture('Shown')
      for (const download of [true, '', '0', '1', 'false'] as const) {
        const disposition = 'attachment'
        expect(await served({ ...at(item), ...original, download })).toMatchObject({ disposition })
        expect(await served({ ...at(item), ...thumbnail, download })).toMatchObject({ disposition })
      }
    })

    it('is immutable only under a version number', async () => {
      const item = await picture('Numbered')
      expect(await served({ ...at(item), ...original, version: '1' })).toMatchObject({ isImmutable: true })
      for (const version of ['latest', 'latestpublished', undefined]) {
        await bench().api.items.publish(scopeOf(item).item)
        const input = { ...at(item), ...original, ...(version !== undefined && { version }) }
        expect(await served(input)).toMatchObject({ isImmutable: false })
      }
      const derived = await served({ ...at(item), ...thumbnail, version: '1' })
      expect(derived).toMatchObject({ isImmutable: false, isNegotiated: true })
      const asked = await served({ ...at(item), ...thumbnail, format: 'png' })
      expect(asked).toMatchObject({ isNegotiated: false })
    })

    it('has a file name that may contain any letters', async () => {
      const { api } = bench()
      const fileName = 'a"; filename=evil.html \u00fc \u{1F98A}.txt'
      const file = textFile('x', 'g\u00e4nge \u{1F98A}.txt')
      const item = await api.assets.create({ configId, file })
      expect(item.originalFileName).toBe(file.name)
      await api.assets.replace({ ...at(item), fileName, file })
      expect((await api.assets.get({ ...at(item), ...original })).fileName).toBe(fileName)
    })
  })

  describe('a version', () => {
    it('is the published one while a draft is newer', async () => {
      const { api } = bench()
      const { id } = await api.assets.create({ configId, file: textFile('one', 'v.txt') })
      const item = { configId, id }
      const read = (version: string) =>
        textOf(api.assets.get({ configId, assetId: id, ...original, version }))
      await failing(read('latestpublished'), 'not_found')
      await api.items.publish(item)
      await api.assets.replace({ configId, assetId: id, file: textFile('two') })
      expect(await read('latestpublished')).toBe('one')
      expect(await read('latest')).toBe('two')
      expect(await read('2')).toBe('two')
      await failing(read('3'), 'not_found')
      expect(await invalidAt(read('newest'))).toEqual(['version'])
      await api.items.archive(item)
      await failing(read('latestpublished'), 'not_found')
      expect(await read('latest')).toBe('two')
      await api.items.unarchive(item)
      await api.items.delete(item)
      await failing(read('latest'), 'not_found')
      await failing(read('1'), 'not_found')
    })

    it('has its own renditions', async () => {
      const { api } = bench()
      const item = await picture('Own')
      const first = await api.assets.get({ ...at(item), ...thumbnail, format: 'png' })
      await api.assets.replace({ ...at(item), file: await fileOf('pdf', 'x.pdf') }).catch(() => undefined)
      await api.assets.replace({ ...at(item), file: await fileOf('animatedGif', 'x.gif') })
      const old = await api.assets.get({ ...at(item), ...thumbnail, format: 'png', version: '1' })
      expect(old.etag).toBe(first.etag)
      expect((await api.assets.get({ ...at(item), ...thumbnail })).mimeType).toBe('image/webp')
    })
  })

  describe('a rendition', () => {
    it('is made in the requested format, or the best that the caller accepts', async () => {
      const { api } = bench()
      const item = await picture('Formats')
      const gif = await picture('Moves', 'animatedGif')
      const browser = 'image/avif,image/webp,image/*,*/*;q=0.8'
      for (const [of, given, mimeType] of [
        [item, {}, 'image/png'],
        [item, { accept: browser }, 'image/avif'],
        [item, { accept: 'image/avif;q=0, image/webp' }, 'image/webp'],
        [item, { accept: 'image/*' }, 'image/png'],
        [item, { accept: 'image/jpeg' }, 'image/jpeg'],
        [item, { accept: browser, format: 'jpg' as const }, 'image/jpeg'],
        [item, { format: 'jpeg' as const }, 'image/jpeg'],
        [item, { format: 'avif' as const }, 'image/avif'],
        [gif, { accept: browser }, 'image/webp'],
        [gif, { format: 'png' as const }, 'image/png'],
      ] as const) {
        const { accept, ...input } = { accept: undefined, ...given }
        const options = accept === undefined ? {} : { accept }
        const answer = await api.assets.get({ ...at(of), ...thumbnail, ...input }, options)
        const extension = mimeType === 'image/jpeg' ? 'jpg' : mimeType.slice(6)
        expect(answer).toMatchObject({ mimeType, fileName: `${of.name}.${extension}` })
        const bytes = new Uint8Array(await answer.bytes())
        expect(typeOf(bytes)).toBe(mimeType)
        expect(answer).toMatchObject({ size: bytes.length, etag: await hashOf(bytes) })
      }
      const wrong = { format: 'bmp' } as unknown as { format: 'png' }
      expect(await invalidAt(api.assets.get({ ...at(item), ...thumbnail, ...wrong }))).toEqual(['format'])
    })

    it('is made once, and is the same for concurrent requests', async () => {
      const { api } = bench()
      const item = await picture('Once')
      const asked = Array.from({ length: 10 }, () => api.assets.get({ ...at(item), rendition: 'card' }))
      expect(new Set((await Promise.all(asked)).map(({ etag }) => etag)).size).toBe(1)
    })

    it('is made in custom sizes as far as the repository permits', async () => {
      const { api } = bench()
      const item = await picture('To measure')
      const get = (given: object) => api.assets.get({ ...at(item), ...thumbnail, ...given })
      for (const given of [
        { width: 60 },
        { width: 60, height: 20, fit: 'cover' },
        { height: 10, fit: 'contain', width: 10 },
        { quality: 10, format: 'webp' },
        { rendition: 'original', width: 40, format: 'jpeg' },
        { rendition: 'original', format: 'webp' },
      ])
        expect((await get(given)).size).toBeGreaterThan(0)
      const tags = async (...all: object[]) =>
        new Set(await Promise.all(all.map(async (given) => (await get(given)).etag)))
      expect((await tags({ width: 33 }, { width: 47 }, { width: 64 }, { width: 64, quality: 71 })).size).toBe(
        1,
      )
      expect(await invalidAt(get({ width: 4001 }))).toEqual(['width'])
      expect(await invalidAt(get({ width: 0 }))).toEqual(['width'])
      expect(await invalidAt(get({ height: 6001, quality: 101 }))).toEqual(['height', 'quality'])
      await api.repositories.create({ name: 'presets-only', settings: { assets: { adHoc: false } } })
      const strict = await api.assets.create({ configId: 'presets-only', file: await fileOf('png', 'a.png') })
      const there = { configId: 'presets-only', assetId: strict.id }
      expect(await invalidAt(api.assets.get({ ...there, ...thumbnail, width: 10 }))).toEqual(['width'])
      expect((await api.assets.get({ ...there, ...thumbnail, format: 'webp' })).mimeType).toBe('image/webp')
    })

    it('is not found if it does not exist', async () => {
      const { api } = bench()
      const item = await picture('There')
      const pdf = await asset('pdf', 'x.pdf')
      const svg = await asset('svg', 'x.svg')
      const broken = await api.assets.create({ configId, type: 'document', file: textFile('x') })
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'No file' })
      await allFailing(
        [
          api.assets.get({ ...at(item), rendition: 'nothing' }),
          api.assets.get({ ...at(item), assetId: nowhere, ...thumbnail }),
          api.assets.get({ ...at(item), configId: 'elsewhere', ...original }),
          api.assets.get({ ...at(item), configId: 'nowhere', ...original }),
          api.assets.get({ ...at(pdf), ...thumbnail }),
          api.assets.get({ ...at(pdf), ...original, format: 'png' }),
          api.assets.get({ ...at(svg), rendition: 'card' }),
          api.assets.get({ ...at(broken), ...original, width: 10 }),
          api.assets.get({ ...at(article), ...original }),
        ],
        'not_found',
      )
      const path = api.assets.get({ ...at(item), rendition: 'Not Kebab' })
      expect(await invalidAt(path)).toEqual(['rendition'])
    })
  })
}

/** The MIME type of a picture by its first bytes. */
function typeOf(bytes: Uint8Array): string {
  const text = Array.from(bytes.subarray(0, 12), (byte) => String.fromCharCode(byte)).join('')
  if (text.startsWith('\u0089PNG')) return 'image/png'
  if (text.startsWith('\u00FF\u00D8')) return 'image/jpeg'
  if (text.endsWith('WEBP')) return 'image/webp'
  return text.includes('ftypavif') ? 'image/avif' : text
}
