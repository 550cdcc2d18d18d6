import { beforeAll, describe, expect, it } from 'vitest'
import { specimens } from '../../media/specimens.ts'
import { bytesOf, eventsOf, fileOf, hashOf, picturesIn, scopeOf, prepareFiles, textFile } from './files.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

/** Assets: items with a file. */
export function assetTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const picture = picturesIn(bench)

  describe('an asset', () => {
    it('is an item that describes its file', async () => {
      const { api } = bench()
      const file = await fileOf('png', 'Oak & galls.PNG', 'text/html')
      const item = await api.assets.create({ configId, file, fields: { alt: 'Galls' } })
      const hash = await hashOf(await specimens.png())
      const url = `/api/assets/${item.repositoryId}/${item.id}`
      expect(item).toMatchObject({
        name: 'Oak & galls',
        slug: 'oak-galls',
        type: 'picture',
        status: 'draft',
        currentVersion: 1,
        packageName: null,
        fields: { alt: 'Galls' },
        fileExtension: 'png',
        originalFileName: 'Oak & galls.PNG',
        storage: { objectName: hash, storageVersionId: null, objectStorageName: expect.any(String) },
        asset: { mimeType: 'image/png', size: file.size, hash, width: 120, height: 80, pages: 1 },
      })
      expect(item.asset?.focalPoint).toBeNull()
      const names = ['original', 'thumbnail', 'small', 'medium', 'large', 'card']
      expect(item.renditions.map(({ name }) => name)).toEqual(names)
      expect(item.renditions.slice(0, 2)).toEqual([
        {
          name: 'original',
          type: 'original',
          format: 'png',
          url: `${url}/original`,
          mimeType: 'image/png',
          size: file.size,
          fileName: 'Oak & galls.PNG',
        },
        {
          name: 'thumbnail',
          type: 'preset',
          format: 'auto',
          url: `${url}/thumbnail`,
          mimeType: 'image/png',
          fileName: 'Oak & galls.png',
        },
      ])
      const { item: at } = scopeOf(item)
      expect(await api.items.get(at)).toEqual(item)
      expect(await api.items.getBySlug({ configId, slug: item.slug })).toEqual(item)
      const { items } = await api.items.list({ configId, text: 'galls' })
      expect(items.map(({ id }) => id)).toEqual([item.id])
      expect(await eventsOf(bench(), item.id)).toEqual(['ITEM_CREATED'])
    })

    it('accepts members like any item, and items without a file list nothing to fetch', async () => {
      const { api } = bench()
      const role = await bench().system.roles.create({ name: 'Photographers' })
      const item = await api.assets.create({
        configId,
        name: 'Said',
        slug: 'said-so',
        description: 'By hand',
        writePerm: [role.id],
        file: await fileOf('pdf', 'x.pdf'),
      })
      expect(item).toMatchObject({ name: 'Said', slug: 'said-so', description: 'By hand', type: 'document' })
      expect(item.asset).toMatchObject({
        mimeType: 'application/pdf',
        width: null,
        height: null,
        pages: null,
      })
      expect(item.renditions.map(({ name }) => name)).toEqual(['original'])
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'Plain' })
      expect(article).toMatchObject({
        fileExtension: null,
        originalFileName: null,
        storage: null,
        asset: null,
        renditions: [],
      })
    })

    it('has a plain file name, whatever path or text direction it was sent with', async () => {
      const { api } = bench()
      const names = {
        '../../etc/passwd.png': 'passwd.png',
        'C:\\fotos\\a.png': 'a.png',
        'a\u202Egnp.exe': 'agnp.exe',
        'Cafe\u0301.png': 'Caf\u00e9.png',
        '..': 'file',
      }
      for (const [sent, stored] of Object.entries(names)) {
        const { originalFileName } = await api.assets.create({ configId, file: await fileOf('png', sent) })
        expect(originalFileName).toBe(stored)
      }
      const item = await api.assets.create({ configId, file: await fileOf('png', `${'x'.repeat(400)}.png`) })
      expect(item.name).toBe('x'.repeat(200))
    })

    it('is recognized as text by its name, and can be empty', async () => {
      const { api } = bench()
      const csv = await api.assets.create({ configId, file: textFile('a,b', 'data.csv') })
      expect(csv).toMatchObject({ fileExtension: 'csv', asset: { mimeType: 'text/csv', size: 3 } })
      const file = await fileOf('empty', 'nothing.txt')
      const empty = await api.assets.create({ configId, file })
      expect(empty.asset).toMatchObject({ mimeType: 'text/plain', size: 0 })
      const { asset } = scopeOf(empty)
      expect(await bytesOf(api.assets.get({ ...asset, rendition: 'original' }))).toHaveLength(0)
    })

    it('gets the only type that accepts its file; with several or none it is refused', async () => {
      const { api } = bench()
      const film = await fileOf('mp4', 'film.mp4')
      const binary = new File([Uint8Array.of(0, 1, 2)], 'x.bin')
      expect(await invalidAt(api.assets.create({ configId, file: film }))).toEqual(['type'])
      expect(await invalidAt(api.assets.create({ configId, file: binary }))).toEqual(['type'])
      expect(await invalidAt(api.assets.create({ configId, type: 'nope', file: film }))).toEqual(['type'])
      expect((await api.assets.create({ configId, type: 'film', file: film })).type).toBe('film')
      expect((await api.assets.create({ configId, type: 'clip', file: film })).type).toBe('clip')
      await bench().system.repositories.create({
        name: 'films-only',
        settings: { allowedTypes: ['film', 'article'] },
      })
      const there = await api.assets.create({ configId: 'films-only', file: film })
      expect(there.type).toBe('film')
      const refused = api.assets.create({ configId: 'films-only', type: 'clip', file: film })
      expect(await invalidAt(refused)).toEqual(['type'])
    })

    it('is checked by its bytes, whatever its name', async () => {
      const { api } = bench()
      const before = await api.items.list({ configId })
      const html = await fileOf('html', 'a.png', 'image/png')
      const type = 'picture'
      expect(await invalidAt(api.assets.create({ configId, type, file: html }))).toEqual(['file'])
      const article = { configId, type: 'article', file: html }
      expect(await invalidAt(api.assets.create(article))).toEqual(['file'])
      const long = textFile('x'.repeat(2001))
      const document = { configId, type: 'document', file: long }
      expect(await invalidAt(api.assets.create(document))).toEqual(['file'])
      expect(await invalidAt(api.assets.create({ configId, file: long }))).toEqual(['type'])
      const fields = { alt: 'x'.repeat(101) }
      const wordy = { configId, file: await fileOf('png', 'a.png'), fields }
      expect(await invalidAt(api.assets.create(wordy))).toEqual(['fields.alt'])
      expect(await api.items.list({ configId })).toEqual(before)
      const named = await api.assets.create({ configId, file: html })
      expect(named).toMatchObject({
        type: 'document',
        asset: { mimeType: 'text/html' },
        fileExtension: 'html',
      })
    })

    it('is refused for a slug in use, and in an absent repository or package', async () => {
      const { api } = bench()
      const file = await fileOf('png', 'a.png')
      await api.assets.create({ configId, slug: 'only-one', file })
      await failing(api.assets.create({ configId, slug: 'only-one', file }), 'slug_taken')
      await failing(api.assets.create({ configId: 'nowhere', file }), 'not_found')
      await failing(api.assets.create({ configId, packageName: 'nowhere', file }), 'not_found')
    })

    it('is created once per Idempotency-Key, which applies to that file only', async () => {
      const { api } = bench()
      const once = { idempotencyKey: 'asset-1' }
      const file = await fileOf('png', 'once.png')
      const made = await api.assets.create({ configId, file }, once)
      expect(await api.assets.create({ configId, file }, once)).toEqual(made)
      const other = await fileOf('animatedGif', 'once.png')
      await failing(api.assets.create({ configId, file: other }, once), 'idempotency_mismatch')
    })
  })

  describe('the focal point', () => {
    it('can be set when assets are created or changed, and on nothing else', async () => {
      const { api } = bench()
      const focalPoint = { x: 0.25, y: 1 }
      const made = await api.assets.create({ configId, focalPoint, file: await fileOf('png', 'f.png') })
      expect(made.asset?.focalPoint).toEqual(focalPoint)
      const { item } = scopeOf(made)
      const moved = await api.items.update({ ...item, focalPoint: { x: 0, y: 0.5 } })
      expect(moved).toMatchObject({ currentVersion: 2, asset: { focalPoint: { x: 0, y: 0.5 } } })
      expect((await api.items.update({ ...item, name: 'Other' })).asset).toEqual(moved.asset)
      expect((await api.items.update({ ...item, focalPoint: null })).asset?.focalPoint).toBeNull()
      const outside = api.items.update({ ...item, focalPoint: { x: 2, y: 0 } })
      expect(await invalidAt(outside)).toEqual(['focalPoint.x'])
      const article = { repositoryId: configId, type: 'article', name: 'No file' }
      expect(await invalidAt(api.items.create({ ...article, focalPoint }))).toEqual(['focalPoint'])
      const { id } = await api.items.create(article)
      expect(await invalidAt(api.items.update({ configId, id, focalPoint }))).toEqual(['focalPoint'])
      await api.items.update({ configId, id, focalPoint: null })
    })
  })

  describe('replacing the file', () => {
    it('makes a version; the old one keeps its bytes', async () => {
      const { api } = bench()
      const made = await picture('Replaced')
      const { asset, item } = scopeOf(made)
      await api.items.update({ ...item, focalPoint: { x: 1, y: 1 } })
      await api.items.publish(item)
      const gif = await fileOf('animatedGif', 'Ignored.gif')
      const replaced = await api.assets.replace({ ...asset, file: gif })
      expect(replaced).toMatchObject({
        name: 'Replaced',
        slug: made.slug,
        currentVersion: 3,
        isPublished: true,
        isLatestPublished: false,
        originalFileName: 'Replaced.gif',
        asset: { mimeType: 'image/gif', width: 60, height: 40, pages: 3, focalPoint: { x: 1, y: 1 } },
      })
      const read = (version?: string) =>
        bytesOf(
          api.assets.get({ ...asset, rendition: 'original', ...(version !== undefined && { version }) }),
        )
      expect(await read()).toEqual(await specimens.animatedGif())
      expect(await read('latest')).toEqual(await specimens.animatedGif())
      for (const version of ['1', '2', 'latestpublished'])
        expect(await read(version)).toEqual(await specimens.png())
      expect((await api.items.get({ ...item, version: '1' })).asset).toEqual(made.asset)
      const events = ['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_PUBLISHED', 'ITEM_UPDATED']
      expect(await eventsOf(bench(), made.id)).toEqual(events)
      const restored = await api.items.restore({ ...item, version: 1 })
      expect(restored).toMatchObject({ currentVersion: 4, asset: made.asset })
      expect(await read()).toEqual(await specimens.png())
    })

    it('uses the given name, or else the old one', async () => {
      const { api } = bench()
      const { id } = await api.assets.create({ configId, file: textFile('a,b', 'data.csv') })
      const at = { configId, assetId: id }
      const more = await api.assets.replace({ ...at, file: textFile('a,b,c', 'other.txt') })
      expect(more).toMatchObject({ originalFileName: 'data.csv', asset: { mimeType: 'text/csv', size: 5 } })
      const file = textFile('<p>x')
      const named = await api.assets.replace({ ...at, fileName: '../new.md', file: textFile('# x') })
      expect(named).toMatchObject({ originalFileName: 'new.md', asset: { mimeType: 'text/markdown' } })
      const html = await api.assets.replace({ ...at, file })
      expect(html).toMatchObject({ originalFileName: 'new.html', asset: { mimeType: 'text/html' } })
    })

    it('is refused for an unsuitable file, without changing anything', async () => {
      const { api } = bench()
      const made = await picture('Stays')
      const { asset, item } = scopeOf(made)
      const file = await fileOf('html', 'x.png')
      expect(await invalidAt(api.assets.replace({ ...asset, file }))).toEqual(['file'])
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'No file' })
      const of = { configId, assetId: article.id, file }
      expect(await invalidAt(api.assets.replace(of))).toEqual(['file'])
      const png = await fileOf('png', 'x.png')
      await allFailing(
        [
          api.assets.replace({ ...asset, assetId: nowhere, file: png }),
          api.assets.replace({ ...asset, configId: 'elsewhere', file: png }),
        ],
        'not_found',
      )
      const stale = { ifMatch: `${made.id}.9` }
      await failing(api.assets.replace({ ...asset, file: png }, stale), 'precondition_failed')
      const original = { ...asset, rendition: 'original' }
      await failing(api.assets.get(original, stale), 'precondition_failed')
      const { etag } = await api.assets.get(original)
      expect((await api.assets.get(original, { ifMatch: etag ?? '' })).etag).toBe(etag)
      expect(await api.items.get(item)).toEqual(made)
      await api.assets.replace({ ...asset, file: png }, { ifMatch: `${made.id}.1` })
    })

    it('also adds the first file to an item without one', async () => {
      const { api } = bench()
      const made = await api.items.create({ repositoryId: configId, type: 'picture', name: 'Later' })
      const { asset, item } = scopeOf(made)
      expect(made).toMatchObject({ asset: null, renditions: [] })
      const { issues } = await failing(api.items.publish(item), 'not_publishable')
      expect(issues).toMatchObject([{ path: 'asset' }])
      await failing(api.assets.get({ ...asset, rendition: 'original' }), 'not_found')
      await api.assets.replace({ ...asset, file: await fileOf('png', 'x.png'), fileName: 'Later.png' })
      expect(await api.items.publish(item)).toMatchObject({
        originalFileName: 'Later.png',
        isPublished: true,
      })
    })
  })
}
