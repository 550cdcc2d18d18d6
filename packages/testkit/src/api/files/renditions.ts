import type { Item } from '@quire/contract'
import { ServedBytes, systemIdentity } from '@quire/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { specimens } from '../../media/specimens.ts'
import { bytesOf, eventsOf, fileOf, picturesIn, scopeOf, prepareFiles, textFile, textOf } from './files.ts'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'
const builtIn = ['thumbnail', 'small', 'medium', 'large', 'card']

/** Renditions of assets, uploaded or made from presets. */
export function renditionTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const picture = picturesIn(bench)
  const at = (item: Item) => scopeOf(item).asset

  describe('the renditions of an asset', () => {
    it('are its original, uploaded renditions, and for a picture every preset', async () => {
      const { api } = bench()
      const item = await picture('Listed')
      const hero = await api.renditionPresets.create({ configId, name: 'hero-listed', width: 1600 })
      const { count, items } = await api.renditions.list(at(item))
      expect(items.map(({ name }) => name)).toEqual(['original', ...builtIn, 'hero-listed'])
      expect(count).toBe(items.length)
      expect(items[0]).toEqual({ ...item.renditions[0], width: 120, height: 80 })
      expect(items[1]).toEqual({ ...item.renditions[1], width: null, height: null })
      const pdf = await api.assets.create({ configId, file: await fileOf('pdf', 'x.pdf') })
      expect((await api.renditions.list(at(pdf))).items.map(({ name }) => name)).toEqual(['original'])
      await api.renditionPresets.delete({ configId, name: hero.name })
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'No file' })
      await allFailing(
        [
          api.renditions.list({ configId, assetId: nowhere }),
          api.renditions.list({ configId: 'elsewhere', assetId: item.id }),
          api.renditions.list(at(article)),
        ],
        'not_found',
      )
    })

    it('can be uploaded: a new version has it, the old one does not', async () => {
      const { api } = bench()
      const item = await picture('By hand')
      const poster = { ...at(item), rendition: 'poster' }
      await failing(api.assets.get(poster), 'not_found')
      const made = await api.renditions.upload({ ...poster, file: await fileOf('animatedGif', 'x.gif') })
      expect(made).toMatchObject({ currentVersion: 2, asset: item.asset, originalFileName: 'By hand.bin' })
      const [, custom] = made.renditions
      expect(custom).toEqual({
        name: 'poster',
        type: 'custom',
        format: 'gif',
        url: `/api/assets/${item.repositoryId}/${item.id}/poster`,
        mimeType: 'image/gif',
        size: (await specimens.animatedGif()).length,
        fileName: 'By hand.gif',
      })
      const { items } = await api.renditions.list(at(item))
      expect(items[1]).toEqual({ ...custom, width: 60, height: 40 })
      expect(await bytesOf(api.assets.get(poster))).toEqual(await specimens.animatedGif())
      expect((await api.assets.get({ ...poster, format: 'png' })).mimeType).toBe('image/png')
      expect((await api.assets.get({ ...poster, width: 10 })).mimeType).toMatch(/^image\//)
      await failing(api.assets.get({ ...poster, version: '1' }), 'not_found')
      expect(await eventsOf(bench(), item.id)).toEqual(['ITEM_CREATED', 'ITEM_UPDATED'])
      await api.renditions.upload({ ...poster, file: textFile('WEBVTT') })
      expect(await textOf(api.assets.get(poster))).toBe('WEBVTT')
      await failing(api.assets.get({ ...poster, width: 10 }), 'not_found')
      expect(await bytesOf(api.assets.get({ ...poster, version: '2' }))).toEqual(
        await specimens.animatedGif(),
      )
    })

    it('never change under a version number on main, but may be uploaded again in a package', async () => {
      const { api, scope } = bench()
      const item = await picture('Numbered again')
      const poster = { ...at(item), rendition: 'poster' }
      await api.renditions.upload({ ...poster, file: textFile('main') })
      const packageName = 'Numbers'
      await api.packages.create({ repo: configId, name: packageName })
      const there = { ...poster, packageName }
      await api.renditions.upload({ ...there, file: textFile('first') })
      const { currentVersion } = await api.items.get({ ...scopeOf(item).item, packageName })
      const version = String(currentVersion)
      const isImmutable = async (input: Parameters<typeof api.assets.get>[0]) => {
        const principal = systemIdentity('suite')
        const answer = await scope.quire.run({ group: 'assets', operation: 'get', principal, input })
        return answer instanceof ServedBytes && answer.source.isImmutable
      }
      for (const rendition of ['poster', 'original']) {
        expect(await isImmutable({ ...poster, rendition, version: '2' })).toBe(true)
        expect(await isImmutable({ ...there, rendition, version })).toBe(false)
      }
      expect(await textOf(api.assets.get({ ...there, version }))).toBe('first')
      await api.packages.removeChange({ repo: configId, packageName, entityId: item.id })
      await api.renditions.upload({ ...there, file: textFile('second') })
      expect(await textOf(api.assets.get({ ...there, version }))).toBe('second')
    })

    it('can replace a preset until they are removed or the file is replaced', async () => {
      const { api } = bench()
      const item = await picture('In place')
      const card = { ...at(item), rendition: 'card' }
      const made = await api.renditions.upload({ ...card, file: textFile('a card') })
      expect(made.renditions.map(({ name, type }) => `${name} ${type}`)).toEqual([
        'original original',
        'card custom',
        'thumbnail preset',
        'small preset',
        'medium preset',
        'large preset',
      ])
      expect(await textOf(api.assets.get(card))).toBe('a card')
      const removed = await api.renditions.remove(card)
      expect(removed).toMatchObject({ currentVersion: 3, renditions: item.renditions })
      expect((await api.assets.get(card)).mimeType).toBe('image/png')
      await failing(api.renditions.remove(card), 'not_found')
      await api.renditions.upload({ ...card, file: textFile('another card') })
      const replaced = await api.assets.replace({ ...at(item), file: await fileOf('wideJpeg', 'x.jpg') })
      expect(replaced.renditions.map(({ type }) => type)).not.toContain('custom')
      expect(await textOf(api.assets.get({ ...card, version: '4' }))).toBe('another card')
      expect((await api.assets.get(card)).mimeType).toBe('image/jpeg')
    })

    it('are refused when they are unsuitable, without changing anything', async () => {
      const { api } = bench()
      const item = await picture('Refused')
      const before = await api.items.get(scopeOf(item).item)
      const article = await api.items.create({ repositoryId: configId, type: 'article', name: 'No file' })
      const file = textFile('x')
      const of = (rendition: string) => ({ ...at(item), rendition })
      expect(await invalidAt(api.renditions.upload({ ...of('original'), file }))).toEqual(['rendition'])
      expect(await invalidAt(api.renditions.upload({ ...of('No_Kebab'), file }))).toEqual(['rendition'])
      await allFailing(
        [
          api.renditions.upload({ ...of('poster'), assetId: nowhere, file }),
          api.renditions.upload({ ...of('poster'), configId: 'elsewhere', file }),
          api.renditions.upload({ ...of('poster'), assetId: article.id, file }),
          api.renditions.remove({ ...of('poster'), assetId: nowhere }),
          api.renditions.remove(of('poster')),
          api.renditions.remove(of('original')),
          api.renditions.remove(of('thumbnail')),
        ],
        'not_found',
      )
      const stale = { ifMatch: `${item.id}.9` }
      await failing(api.renditions.upload({ ...of('poster'), file }, stale), 'precondition_failed')
      expect(await api.items.get(scopeOf(item).item)).toEqual(before)
      await api.renditions.upload({ ...of('poster'), file }, { ifMatch: `${item.id}.1` })
      await failing(api.renditions.remove(of('poster'), stale), 'precondition_failed')
      expect(await textOf(api.assets.get(of('poster')))).toBe('x')
    })

    it('include at most 50 uploaded ones', async () => {
      const { api } = bench()
      const item = await picture('Many')
      const upload = (number: number) =>
        api.renditions.upload({ ...at(item), rendition: `hand-${number}`, file: textFile(String(number)) })
      for (let number = 0; number < 50; number++) await upload(number)
      expect(await invalidAt(upload(50))).toEqual(['rendition'])
      expect((await upload(7)).latestVersion).toBe(52)
    })
  })

  describe('rendition presets', () => {
    it('are created, read, used, changed, listed and deleted', async () => {
      const { api, scope } = bench()
      const hero = await api.renditionPresets.create({
        configId,
        name: 'hero',
        width: 1600,
        height: 600,
        fit: 'cover',
      })
      expect(hero).toMatchObject({
        id: expect.stringMatching(/^PRST_/),
        name: 'hero',
        format: null,
        quality: 80,
        focal: true,
      })
      expect(await api.renditionPresets.get({ configId, name: 'hero' })).toEqual(hero)
      const item = await picture('Hero')
      const get = () => api.assets.get({ ...at(item), rendition: 'hero' })
      expect((await get()).mimeType).toBe('image/png')
      const changed = await api.renditionPresets.update({
        configId,
        name: 'hero',
        format: 'jpg',
        quality: 70,
      })
      expect(changed).toMatchObject({ width: 1600, height: 600, fit: 'cover', format: 'jpg', quality: 70 })
      expect((await get()).mimeType).toBe('image/jpeg')
      const focalPoint = { x: 0, y: 1 }
      await api.items.update({ ...scopeOf(item).item, focalPoint })
      expect((await get()).mimeType).toBe('image/jpeg')
      expect(await api.renditionPresets.list({ configId })).toEqual({ count: 1, items: [changed] })
      expect(await api.renditionPresets.list({ configId: 'elsewhere' })).toEqual({ count: 0, items: [] })
      await failing(api.renditionPresets.get({ configId: 'elsewhere', name: 'hero' }), 'not_found')
      await api.renditionPresets.delete({ configId, name: 'hero' })
      await failing(get(), 'not_found')
      const rows = await scope.store.journal.read({ after: 0, limit: 10, entityId: hero.id })
      expect(rows.map(({ event, repositoryId }) => `${event} ${repositoryId}`)).toEqual(
        ['CREATED', 'UPDATED', 'DELETED'].map((event) => `RENDITION_PRESET_${event} ${item.repositoryId}`),
      )
    })

    it('have a unique name and at least one side', async () => {
      const { api } = bench()
      const { renditionPresets } = api
      const draft = { configId, name: 'own', width: 10 }
      await renditionPresets.create(draft)
      for (const name of ['own', 'original', ...builtIn])
        await failing(renditionPresets.create({ ...draft, name }), 'name_taken')
      const there = await renditionPresets.create({ ...draft, configId: 'elsewhere' })
      expect(there.repositoryId).not.toBe((await renditionPresets.get(draftName)).repositoryId)
      const invalid = (given: object) =>
        invalidAt(renditionPresets.create({ ...draft, name: 'bad', ...given }))
      expect(await invalid({ width: null })).toEqual(['width'])
      expect(await invalid({ fit: 'cover' })).toEqual(['height'])
      expect(await invalid({ fit: 'contain', width: null, height: 5 })).toEqual(['width'])
      expect(await invalid({ name: 'Not Kebab' })).toEqual(['name'])
      expect(await invalid({ width: 6001, quality: 0 })).toEqual(['width', 'quality'])
      const update = (given: object) => invalidAt(renditionPresets.update({ ...draftName, ...given }))
      expect(await update({ fit: 'cover' })).toEqual(['height'])
      expect(await update({ width: null })).toEqual(['width'])
      expect(await renditionPresets.get(draftName)).toMatchObject({ width: 10, fit: 'inside' })
    })

    it('refuse stale changes, are not found if absent, and are created once per Idempotency-Key', async () => {
      const { renditionPresets } = bench().api
      const stale = { ifMatch: 'PRST_x.9' }
      await renditionPresets.create({ configId, name: 'stale', width: 10 })
      const on = { configId, name: 'stale' }
      await allFailing(
        [renditionPresets.update({ ...on, quality: 1 }, stale), renditionPresets.delete(on, stale)],
        'precondition_failed',
      )
      const none = { configId, name: 'none' }
      await allFailing(
        [
          renditionPresets.list({ configId: 'nowhere' }),
          renditionPresets.create({ configId: 'nowhere', name: 'x', width: 1 }),
          renditionPresets.get(none),
          renditionPresets.update({ ...none, quality: 1 }),
          renditionPresets.delete(none),
        ],
        'not_found',
      )
      const once = { idempotencyKey: 'preset-1' }
      const made = await renditionPresets.create({ configId, name: 'once', width: 10 }, once)
      expect(await renditionPresets.create({ configId, name: 'once', width: 10 }, once)).toEqual(made)
      const other = renditionPresets.create({ configId, name: 'once', width: 11 }, once)
      await failing(other, 'idempotency_mismatch')
    })

    it('are for administrators only, and are deleted with their repository', async () => {
      const { api, as } = bench()
      const editor = await as({ bundles: ['bundle.editor'] })
      await failing(editor.renditionPresets.create({ configId, name: 'mine', width: 1 }), 'forbidden')
      const gone = await api.repositories.create({ name: 'soon-gone' })
      const { id } = await api.renditionPresets.create({ configId: gone.id, name: 'with-it', width: 1 })
      expect((await editor.renditionPresets.get({ configId: gone.id, name: 'with-it' })).id).toBe(id)
      await api.repositories.delete({ id: gone.id })
      expect(await bench().scope.store.records.get('renditionPreset', id)).toBeNull()
    })
  })
}

const draftName = { configId, name: 'own' }
