import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { fileOf, prepareFiles, textOf } from '../files/files.ts'
import { anArticle } from './magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { inSite, onSite, pagesOf, plainTemplates, sectionsOf, sitesOf } from './sites-steps.ts'

const configId = 'magazine'

export function sitePreviewTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const anItem = (given: Partial<Parameters<typeof anArticle>[0]> = {}) =>
    bench().system.items.create(anArticle({ name: 'Draft <1>', ...given }))

  /** A site with one page, which shows a draft. */
  const drafted = async (given: Parameters<typeof anItem>[0] = {}) => {
    const { system } = bench()
    const site = await aSite()
    const section = await aSection(site, { name: 'Drafts' })
    const item = await anItem(given)
    const named = { ...onSite(site), sectionId: section.id, name: 'Draft', itemId: item.id }
    const page = await system.pages.create(named)
    return { site, section, item, page, ref: { ...onSite(site), path: 'drafts/draft' } }
  }

  describe('the preview of a site', () => {
    it('shows heads, including drafts and hidden pages, and publishes nothing', async () => {
      const { api } = bench()
      const { site, page, item, ref } = await drafted()
      const answer = await api.sites.preview(ref)
      expect(answer).toMatchObject({ mimeType: 'text/html; charset=utf-8', etag: expect.any(String) })
      expect(await textOf(Promise.resolve(answer))).toBe(
        `<title>${site.name}</title><h1>Draft &lt;1&gt;</h1>`,
      )
      await api.items.update({ configId, id: item.id, name: 'Newer' })
      await api.pages.update({ ...inSite(page), visible: false })
      expect(await textOf(api.sites.preview({ ...ref, path: 'drafts/draft/' }))).toContain('Newer')
      expect((await api.sites.publications(onSite(site))).count).toBe(0)
      await failing(api.sites.serve({ siteSlug: site.slug, path: 'drafts/draft/' }), 'not_found')
    })

    it('shows a package as if it were merged', async () => {
      const { api } = bench()
      const { site, page, item, section, ref } = await drafted()
      const { packageName } = await newPackage(api)
      await api.items.update({ configId, packageName, id: item.id, name: 'In the package' })
      await api.sites.update({ ...onSite(site), packageName, name: 'Site of the package' })
      await api.pages.update({ ...inSite(page), packageName, slug: 'moved' })
      await aPage(section, { packageName, name: 'New there' })
      const preview = (path: string) => textOf(api.sites.preview({ ...ref, packageName, path }))
      expect(await preview('drafts/moved')).toBe('<title>Site of the package</title><h1>In the package</h1>')
      expect(await preview('drafts/new-there')).toContain('New there')
      await failing(preview('drafts/draft'), 'not_found')
      expect(await textOf(api.sites.preview(ref))).toContain('Draft')
      await failing(api.sites.preview({ ...ref, path: 'drafts/moved' }), 'not_found')
    })

    it('shows a page as it was, and as it will be', async () => {
      const { api, scope } = bench()
      const { item, page, ref } = await drafted({ name: 'Then' })
      const preview = (at: number, path = ref.path) => textOf(api.sites.preview({ ...ref, path, at }))
      scope.clock.advance(1000)
      const then = scope.clock.now()
      scope.clock.advance(1000)
      await api.items.update({ configId, id: item.id, name: 'Now' })
      await api.pages.update({ ...inSite(page), slug: 'moved' })
      const { packageName } = await newPackage(api)
      await api.items.update({ configId, packageName, id: item.id, name: 'Next year' })
      const mergeAt = scope.clock.now() + 3_600_000
      await api.packages.merge({ repo: configId, packageName, mergeAt })
      expect(await preview(then)).toContain('<h1>Then</h1>')
      await failing(preview(then, 'drafts/moved'), 'not_found')
      expect(await preview(mergeAt - 1, 'drafts/moved')).toContain('<h1>Now</h1>')
      expect(await preview(mergeAt, 'drafts/moved')).toContain('<h1>Next year</h1>')
      await api.items.update({ configId, id: item.id, description: 'meanwhile' })
      await failing(preview(mergeAt, 'drafts/moved'), 'merge_conflict')
      await api.packages.merge({ repo: configId, packageName, mergeAt: null })
      await api.types.create({ name: 'short-memory', settings: { versionLimit: 1 } })
      const short = await api.items.create({ repositoryId: configId, type: 'short-memory', name: 'One' })
      await api.pages.update({ ...inSite(page), itemId: short.id })
      scope.clock.advance(1000)
      const forgotten = scope.clock.now()
      scope.clock.advance(1000)
      for (const name of ['Two', 'Three', 'Four']) await api.items.update({ configId, id: short.id, name })
      await failing(preview(forgotten, 'drafts/moved'), 'version_forgotten')
    })

    it('shows the pages that a package brings, moves and removes by then', async () => {
      const { api, scope } = bench()
      const { page, section, ref } = await drafted({ name: 'Stays' })
      const { packageName } = await newPackage(api)
      const item = await api.items.create({ ...anArticle({ name: 'Campaign' }), packageName })
      const added = await aPage(section, { packageName, name: 'Campaign', itemId: item.id })
      await api.pages.update({ ...inSite(page), packageName, slug: 'moved' })
      const mergeAt = scope.clock.now() + 3_600_000
      await api.packages.merge({ repo: configId, packageName, mergeAt })
      const preview = (path: string, at = mergeAt) => textOf(api.sites.preview({ ...ref, path, at }))
      expect(await preview('drafts/moved')).toContain('<h1>Stays</h1>')
      await failing(preview('drafts/draft'), 'not_found')
      expect(await preview(`drafts/${added.slug}`)).toContain('<h1>Campaign</h1>')
      await failing(preview(`drafts/${added.slug}`, mergeAt - 1), 'not_found')
      await api.pages.update({ ...inSite(page), name: 'Meanwhile' })
      await failing(preview('drafts/moved'), 'merge_conflict')
      await api.packages.merge({ repo: configId, packageName, mergeAt: null })
    })

    it('shows only items that the caller may read', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: 'Proofreaders' })
      const { site, ref } = await drafted({ name: 'For few', readPerm: [role.id] })
      const blind = await as({
        permissions: { global: ['items.read'], sites: { [site.id]: ['sites.view'] } },
      })
      const html = await textOf(blind.sites.preview(ref))
      expect(html).not.toContain('For few')
      expect(html).toContain('<h1>Draft</h1>')
      const without = await as({ permissions: { sites: { [site.id]: ['sites.view'] } } })
      const open = await drafted()
      await system.sites.update({ ...onSite(open.site), name: 'Open' })
      await failing(without.sites.preview(open.ref), 'forbidden')
      const seer = await as({ permissions: { sites: { [open.site.id]: ['sites.view'] } } })
      expect(await textOf(seer.sites.preview(open.ref))).toContain('<h1>Draft</h1>')
      expect(await textOf(system.sites.preview(ref))).toContain('For few')
    })

    it('says which template fails, and where', async () => {
      const { api } = bench()
      const { site, page, ref } = await drafted()
      const broken = { ...plainTemplates, layout: '<b>\n\n {{ content | no_such_filter }}' }
      await api.sites.update({ ...onSite(site), templates: broken })
      const { message, details } = await failing(api.sites.preview(ref), 'invalid_state')
      expect(message).toContain('no_such_filter')
      expect(details).toMatchObject({ pageId: page.id, template: 'layout', line: 3 })
      await api.sites.update({ ...onSite(site), templates: plainTemplates })
      await api.pages.update({ ...inSite(page), template: 'none' })
      const missing = await failing(api.sites.preview(ref), 'invalid_state')
      expect(missing.message).toContain('none')
    })

    it('links to files at addresses that the caller can fetch', async () => {
      const { api, system } = bench()
      const { site, section } = await drafted()
      const file = await fileOf('png', 'ink.png')
      const picture = await system.assets.create({ configId, name: 'Picture', file })
      await aPage(section, { name: 'Picture', itemId: picture.id })
      const templates = { page: '<img src="{{ item | rendition: \'card\' }}">' }
      await api.sites.update({ ...onSite(site), layoutTemplate: null, templates })
      const html = await textOf(api.sites.preview({ ...onSite(site), path: 'drafts/picture' }))
      expect(html).toMatch(new RegExp(`<img src="[^"]*/api/assets/[^"]+/${picture.id}/card">`))
    })
  })
}
