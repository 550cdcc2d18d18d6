import type { Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { fileOf, prepareFiles, textFile, textOf } from '../files/files.ts'
import { anArticle } from './magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

/**
 * What everyone may read of a public repository: published content and nothing else (specification
 * 5.4, TRUST S06).
 */
export function publishedTests(bench: () => Bench): void {
  describe('published content', () => {
    let open: Item
    let drafted: Item
    let limited: Item

    beforeAll(async () => {
      const { system } = bench()
      await prepareFiles(system)
      await system.repositories.update({ id: configId, public: true })
      const role = await system.roles.create({ name: 'Inner circle' })
      const publish = async (article: Parameters<typeof anArticle>[0]) => {
        const { id } = await system.items.create(anArticle(article))
        return system.items.publish({ configId, id })
      }
      open = await publish({ name: 'Open', fields: { title: 'Open', price: 1, tags: ['a'] } })
      drafted = await publish({
        name: 'First',
        slug: 'first',
        fields: { title: 'First', price: 2, related: [open.id] },
      })
      limited = await publish({
        name: 'Limited',
        fields: { title: 'Limited', price: 3 },
        readPerm: [role.id],
      })
      await system.items.create(anArticle({ name: 'Never', fields: { title: 'Never', price: 4 } }))
      await system.items.update({
        configId,
        id: drafted.id,
        name: 'Draft',
        slug: 'draft',
        fields: { title: 'Secret draft', price: 99 },
      })
    })

    it('is read without a token, as it was published', async () => {
      const { published } = bench().anonymous
      const { items, count } = await published.items({ configId, sort: 'name' })
      expect(items.map(({ name }) => name)).toEqual(['First', 'Open'])
      expect(count).toBe(2)
      const item = await published.item({ configId, id: drafted.id })
      expect(item).toMatchObject({
        name: 'First',
        slug: 'first',
        currentVersion: 1,
        fields: { title: 'First' },
      })
      expect(await published.itemBySlug({ configId, slug: 'first' })).toEqual(item)
      expect(Object.keys(item).toSorted()).not.toContain('updatedByUser')
      expect(JSON.stringify(items)).not.toMatch(/updatedBy|createdBy|latestVersion|readPerm|Secret/)
    })

    it('is filtered, sorted, searched and included by published values, never by a draft', async () => {
      const { published } = bench().anonymous
      const names = async (input: object) =>
        (await published.items({ configId, sort: 'fields.price', ...input })).items.map(({ name }) => name)
      expect(await names({ type: 'article' })).toEqual(['Open', 'First'])
      expect(await names({ filter: { 'fields.price': { gt: 1 } }, type: 'article' })).toEqual(['First'])
      expect(await names({ filter: { 'fields.title': 'Secret draft' }, type: 'article' })).toEqual([])
      expect(await names({ text: 'secret', type: 'article' })).toEqual([])
      expect(await names({ text: 'first', type: 'article' })).toEqual(['First'])
      const [first] = (await published.items({ configId, filter: { slug: 'first' }, include: ['related'] }))
        .items
      expect(first?.included?.['related']?.map(({ name }) => name)).toEqual(['Open'])
      expect(await published.items({ configId, select: ['slug'], filter: { slug: 'first' } })).toMatchObject({
        items: [{ id: drafted.id, slug: 'first' }],
      })
      for (const name of ['status', 'updatedByUser.userName', 'latestVersion', 'isArchived'])
        expect(await invalidAt(published.items({ configId, filter: { [name]: 'x' } }))).toEqual([
          `filter.${name}`,
        ])
      expect(await invalidAt(published.items({ configId, sort: 'createdByUser.userName' }))).toEqual(['sort'])
      expect(await invalidAt(published.items({ configId, select: ['updatedByUser'] }))).toEqual(['select'])
    })

    it('is the published version and no other', async () => {
      const { published } = bench().anonymous
      const at = { configId, id: drafted.id }
      expect(await published.item({ ...at, version: 'latest' })).toMatchObject({ name: 'First' })
      expect(await published.item({ ...at, version: 'latestpublished' })).toMatchObject({ name: 'First' })
      expect(await published.item({ ...at, version: '1' })).toMatchObject({ name: 'First' })
      const hidden = [
        published.item({ ...at, version: '2' }),
        published.itemBySlug({ configId, slug: 'draft' }),
        published.item({ configId, id: limited.id }),
        published.itemBySlug({ configId, slug: 'never' }),
      ]
      await allFailing(hidden, 'not_found')
    })

    it('follows changes: published, unpublished, archived, deleted, limited', async () => {
      const { system, anonymous } = bench()
      const { id } = await system.items.create(anArticle({ name: 'Moving', fields: { title: 'Moving' } }))
      const visible = () =>
        anonymous.published.item({ configId, id }).then(
          ({ name }) => name,
          () => null,
        )
      const at = { configId, id }
      expect(await visible()).toBeNull()
      await system.items.publish(at)
      expect(await visible()).toBe('Moving')
      await system.items.update({ ...at, name: 'Moved' })
      expect(await visible()).toBe('Moving')
      await system.items.update({ ...at, name: 'Moved on' })
      expect(await visible()).toBe('Moving')
      await system.items.publish(at)
      expect(await visible()).toBe('Moved on')
      await system.items.update({ ...at, name: 'Third' })
      await system.items.archive(at)
      expect(await visible()).toBeNull()
      await system.items.unarchive(at)
      expect(await visible()).toBe('Moved on')
      const { id: role } = await system.roles.create({ name: 'Readers of drafts' })
      await system.items.update({ ...at, readPerm: [role] })
      expect(await visible()).toBeNull()
      await system.items.update({ ...at, readPerm: [] })
      expect(await visible()).toBe('Moved on')
      await system.items.delete(at)
      expect(await visible()).toBeNull()
      await system.items.undelete(at)
      expect(await visible()).toBe('Moved on')
      await system.items.unpublish(at)
      expect(await visible()).toBeNull()
    })

    it('keeps a slug that a draft changed until that draft is published', async () => {
      const { system, anonymous } = bench()
      const titled = (title: string) => anArticle({ name: title, slug: 'shared', fields: { title } })
      const first = await system.items.create(titled('Old'))
      const at = { configId, id: first.id }
      await system.items.publish(at)
      await system.items.update({ ...at, slug: 'moved' })
      const second = await system.items.create(titled('New'))
      await failing(system.items.publish({ configId, id: second.id }), 'slug_taken')
      expect(await anonymous.published.itemBySlug({ configId, slug: 'shared' })).toMatchObject({
        name: 'Old',
      })
      await system.items.publish(at)
      await system.items.publish({ configId, id: second.id })
      expect(await anonymous.published.itemBySlug({ configId, slug: 'shared' })).toMatchObject({
        name: 'New',
      })
      expect(await anonymous.published.itemBySlug({ configId, slug: 'moved' })).toMatchObject({ name: 'Old' })
    })

    it('of a private repository requires a token of a caller who may read it', async () => {
      const { anonymous, system, as } = bench()
      const elsewhere = { configId: 'elsewhere' }
      const article = {
        repositoryId: 'elsewhere',
        type: 'article',
        name: 'Private',
        fields: { title: 'Private' },
      }
      const { id } = await system.items.create(article)
      await system.items.publish({ ...elsewhere, id })
      const { published } = anonymous
      const url = `http://quire.test/api/embed/elsewhere/${id}`
      await allFailing(
        [
          published.items(elsewhere),
          published.item({ ...elsewhere, id }),
          published.itemBySlug({ ...elsewhere, slug: 'private' }),
          published.asset({ ...elsewhere, assetId: id, rendition: 'original' }),
          published.assetBySlug({ ...elsewhere, slug: 'private', rendition: 'original' }),
          published.embed({ ...elsewhere, assetId: id }),
          published.items({ configId: 'nowhere' }),
        ],
        'unauthorized',
      )
      await failing(published.oembed({ url: 'https://elsewhere.example/x' }), 'not_found')
      expect(url).toContain(id)
      const reader = await as({ bundles: ['bundle.viewer'] })
      expect((await reader.published.items(elsewhere)).items.map(({ name }) => name)).toEqual(['Private'])
      const stranger = await as({})
      await failing(stranger.published.items(elsewhere), 'not_found')
      expect((await stranger.published.items({ configId })).items.map(({ name }) => name)).toContain('Open')
      await system.repositories.update({ id: configId, public: false })
      await failing(published.items({ configId }), 'unauthorized')
      await failing(stranger.published.items({ configId }), 'not_found')
      await system.repositories.update({ id: configId, public: true })
    })

    it('gives access to nothing else', async () => {
      const { anonymous: api } = bench()
      const at = { configId, id: open.id }
      await allFailing(
        [
          api.items.get(at),
          api.items.list({ configId }),
          api.assets.get({ configId, assetId: open.id, rendition: 'original' }),
          api.assets.zip({ configId, ids: [open.id] }),
          api.items.getBySlug({ configId, packageName: 'p', slug: 'open' }),
          api.repositories.list(),
          api.user.me(),
        ],
        'unauthorized',
      )
    })
  })

  describe('a published asset', () => {
    let picture: Item
    let document: Item

    beforeAll(async () => {
      const { system } = bench()
      const create = async (name: string, file: File) => {
        const { id } = await system.assets.create({ configId, name, file })
        return system.items.publish({ configId, id })
      }
      picture = await create('Picture "<one>"', await fileOf('png', 'picture.png'))
      document = await create('Document', textFile('first'))
      await system.assets.replace({ configId, assetId: document.id, file: textFile('second') })
    })

    it('is served as it was published, even by its slug', async () => {
      const { published } = bench().anonymous
      const original = { configId, rendition: 'original' }
      expect(await textOf(published.asset({ ...original, assetId: document.id }))).toBe('first')
      expect(await textOf(published.assetBySlug({ ...original, slug: document.slug }))).toBe('first')
      const stale = { ifMatch: 'stale' }
      await failing(published.asset({ ...original, assetId: document.id }, stale), 'precondition_failed')
      await failing(published.assetBySlug({ ...original, slug: document.slug }, stale), 'precondition_failed')
      const thumbnail = await published.asset({
        configId,
        assetId: picture.id,
        rendition: 'thumbnail',
        format: 'webp',
      })
      expect(thumbnail.mimeType).toBe('image/webp')
      const { renditions = [] } = await published.item({ configId, id: picture.id })
      expect(renditions[0]?.url).toBe(`/api/published/assets/${picture.repositoryId}/${picture.id}/original`)
      const measured = { configId, assetId: picture.id, rendition: 'original', width: 10, quality: 1 }
      expect(await invalidAt(published.asset(measured))).toEqual(['width', 'quality'])
      expect((await bench().api.published.asset(measured)).mimeType).toMatch(/^image\//)
      await allFailing(
        [
          published.asset({ ...original, assetId: document.id, version: '2' }),
          published.assetBySlug({ ...original, slug: 'none' }),
          published.asset({ ...original, assetId: document.id, rendition: 'nothing' }),
          published.embed({ configId, assetId: 'CONT_1' }),
        ],
        'not_found',
      )
      const range = { start: 9_000_000 }
      const beyond = (call: Promise<{ bytes(): Promise<unknown> }>) => call.then((binary) => binary.bytes())
      await failing(
        beyond(published.asset({ ...original, assetId: document.id }, { range })),
        'range_not_satisfiable',
      )
      await failing(
        beyond(published.assetBySlug({ ...original, slug: document.slug }, { range })),
        'range_not_satisfiable',
      )
    })

    it('has an embed page without scripts, which oEmbed references', async () => {
      const { published } = bench().anonymous
      const page = await textOf(published.embed({ configId, assetId: picture.id }))
      expect(page).toContain('Picture &quot;&lt;one&gt;&quot;')
      expect(page).not.toMatch(/<script|<one>/)
      const base = new URL(/src="([^"]+)"/.exec(page)?.[1] ?? '').origin
      expect(await textOf(published.embed({ configId, assetId: document.id }))).toContain('<a href=')
      const url = `${base}/api/embed/${configId}/${picture.id}`
      const photo = await published.oembed({ url, maxwidth: 10 })
      expect(photo).toMatchObject({ version: '1.0', type: 'photo', title: picture.name, width: 10 })
      expect(photo.url).toMatch(/\/(original|thumbnail)$/)
      const bySlug = `${base}/api/published/assets/${configId}/slug/${document.slug}/original`
      const rich = await published.oembed({ url: bySlug, format: 'json' })
      expect(rich).toMatchObject({ type: 'rich', width: 640 })
      expect(rich.html).toContain(`${base}/api/embed/`)
      const other = `${base}/api/published/assets/${configId}/${picture.id}/large`
      expect(await published.oembed({ url: other })).toMatchObject({ type: 'photo' })
      for (const wrong of [`${base}/api/items/${configId}/x`, `${base}x/api/embed/${configId}/${picture.id}`])
        await failing(published.oembed({ url: wrong }), 'not_found')
    })
  })
}
