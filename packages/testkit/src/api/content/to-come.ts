import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { newPackage } from '../branches/package-steps.ts'
import { anArticle } from '../delivery/magazine.ts'
import { prepareFiles } from '../files/files.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const hour = 3_600_000

/** Items and structure as they will be. */
export function toComeTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  describe('an item at a time to come', () => {
    it('is as it will be after what is scheduled for it', async () => {
      const { api, scope } = bench()
      const { id } = await api.items.create(anArticle({ name: 'Advent' }))
      const now = scope.clock.now()
      const one = { configId, id }
      await api.items.publish({ ...one, at: now + hour })
      await api.items.unpublish({ ...one, at: now + 3 * hour })
      const seen = async (hours: number) => {
        const { status, isPublished, publishedDate } = await api.items.get({ ...one, at: now + hours * hour })
        return [status, isPublished, publishedDate]
      }
      expect(await seen(0.5)).toEqual(['draft', false, null])
      expect(await seen(1)).toEqual(['published', true, now + hour])
      expect(await seen(3)).toEqual(['draft', false, null])
      expect(await api.items.get(one)).toMatchObject({ status: 'draft', isPublished: false })
      const published = { ...one, version: 'latestpublished' as const }
      expect(await api.items.get({ ...published, at: now + hour })).toMatchObject({ currentVersion: 1 })
      await failing(api.items.get({ ...published, at: now + 3 * hour }), 'not_found')
      let etag: string | null = ''
      await api.items.get({ ...one, at: now + hour }, { onAnswer: (about) => (etag = about.etag) })
      expect(etag).toBeNull()
      await api.items.publish({ ...one, at: null })
      await api.items.unpublish({ ...one, at: null })
      expect(await seen(1)).toEqual(['draft', false, null])
    })

    it('is as the packages make it that merge until then, or a conflict', async () => {
      const { api, scope, as } = bench()
      const { id } = await api.items.create(anArticle({ name: 'Before', fields: { title: 'Before' } }))
      const one = { configId, id }
      const at = (hours: number) => ({ ...one, at: scope.clock.now() + hours * hour })
      const { packageName } = await newPackage(api)
      await api.items.update({ ...one, packageName, name: 'After' })
      expect((await api.items.get(at(9))).name).toBe('Before')
      const due = { repo: configId, packageName }
      await api.packages.merge({ ...due, mergeAt: at(2).at })
      expect((await api.items.get(at(1))).name).toBe('Before')
      expect(await api.items.get(at(2))).toMatchObject({ name: 'After', packageName })
      const viewer = await as({ permissions: { global: ['items.read'] } })
      expect((await viewer.items.get(at(2))).name).toBe('Before')
      await api.items.update({ ...one, description: 'meanwhile' })
      await failing(api.items.get(at(2)), 'merge_conflict')
      expect((await api.items.get(at(1))).description).toBe('meanwhile')
      await api.packages.merge({ ...due, mergeAt: null })
      expect((await api.items.get(at(2))).name).toBe('Before')
    })

    it('includes the items of the same moment', async () => {
      const { api, scope } = bench()
      const author = (name: string) =>
        api.items.create({ repositoryId: configId, type: 'author', name, fields: { title: name } })
      const ada = await author('Ada')
      const { id } = await api.items.create(
        anArticle({ name: 'Notes', fields: { title: 'N', author: ada.id } }),
      )
      const then = scope.clock.now()
      scope.clock.advance(1000)
      await api.items.update({ configId, id: ada.id, name: 'Ada Lovelace' })
      const { packageName } = await newPackage(api)
      await api.items.update({ configId, id: ada.id, packageName, name: 'Countess' })
      const bea = await api.items.create({
        repositoryId: configId,
        packageName,
        type: 'author',
        name: 'Bea',
        fields: { title: 'Bea' },
      })
      const other = anArticle({ name: 'More', fields: { title: 'M', author: bea.id } })
      const more = await api.items.create({ ...other, packageName })
      const mergeAt = scope.clock.now() + hour
      await api.packages.merge({ repo: configId, packageName, mergeAt })
      const seen = async (at?: number) => {
        const { included } = await api.items.get({ configId, id, include: ['author'], ...(at && { at }) })
        return included?.['author']?.map(({ name }) => name)
      }
      expect(await seen(then)).toEqual(['Ada'])
      expect(await seen()).toEqual(['Ada Lovelace'])
      expect(await seen(mergeAt)).toEqual(['Countess'])
      const filter = { name: { eq: 'Notes' } }
      const { items } = await api.items.list({ configId, at: then, filter, include: ['author'] })
      expect(items.map(({ included }) => included?.['author']?.[0]?.name)).toEqual(['Ada'])
      await failing(api.items.get({ configId, id: more.id, at: mergeAt }), 'not_found')
      await api.packages.merge({ repo: configId, packageName, mergeAt: null })
    })

    it('is gone when such a package deletes it', async () => {
      const { api, scope } = bench()
      const { id } = await api.items.create(anArticle({ name: 'Short-lived' }))
      const one = { configId, id }
      const { packageName } = await newPackage(api)
      await api.items.delete({ ...one, packageName })
      const mergeAt = scope.clock.now() + hour
      await api.packages.merge({ repo: configId, packageName, mergeAt })
      await failing(api.items.get({ ...one, at: mergeAt }), 'not_found')
      expect((await api.items.get({ ...one, at: mergeAt - 1 })).name).toBe('Short-lived')
      await api.packages.merge({ repo: configId, packageName, mergeAt: null })
    })
  })

  describe('what structures content, at a time to come,', () => {
    it('is as the packages make it that merge until then, or a conflict', async () => {
      const { api, scope } = bench()
      const folder = await api.folders.create({ configId, name: 'Now' })
      const taxonomy = await api.taxonomies.create({ configId, name: 'Now' })
      const inTaxonomy = { configId, taxonomyId: taxonomy.id }
      const category = await api.categories.create({ ...inTaxonomy, name: 'Now' })
      const site = await api.sites.create({ configId, name: 'Now', slug: 'to-come' })
      const inSite = { configId, siteId: site.id }
      const section = await api.sections.create({ ...inSite, name: 'Now', slug: 'now' })
      const page = await api.pages.create({ ...inSite, sectionId: section.id, name: 'Now', slug: 'page' })
      const ways = [
        [api.folders, { configId, id: folder.id }],
        [api.taxonomies, { configId, id: taxonomy.id }],
        [api.categories, { ...inTaxonomy, id: category.id }],
        [api.sites, { configId, siteId: site.id }],
        [api.sections, { ...inSite, id: section.id }],
        [api.pages, { ...inSite, id: page.id }],
      ] as const
      // Each way has the same two operations, with a reference of its own.
      const all = ways as unknown as readonly (readonly [
        Record<'get' | 'update', (input: object) => Promise<{ name: string }>>,
        object,
      ])[]
      const { packageName } = await newPackage(api)
      for (const [way, ref] of all) await way.update({ ...ref, packageName, name: 'Then' })
      const mergeAt = scope.clock.now() + hour
      await api.packages.merge({ repo: configId, packageName, mergeAt })
      for (const [way, ref] of all) {
        expect((await way.get({ ...ref, at: mergeAt - 1 })).name).toBe('Now')
        expect((await way.get({ ...ref, at: mergeAt })).name).toBe('Then')
        await way.update({ ...ref, name: 'Meanwhile' })
        await failing(way.get({ ...ref, at: mergeAt }), 'merge_conflict')
      }
      await failing(api.sites.tree({ ...inSite, at: mergeAt }), 'merge_conflict')
      await api.packages.merge({ repo: configId, packageName, mergeAt: null })
    })
  })
}
