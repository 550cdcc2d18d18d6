import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { textOf } from '../files/files.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { newPackage } from './package-steps.ts'
import type { Bench } from '../host.ts'
import {
  inSite,
  onSite,
  pagesOf,
  plainTemplates,
  publications,
  sectionsOf,
  sitesOf,
} from '../delivery/sites-steps.ts'

const configId = 'magazine'

/** Pages before and after a package, and where items are shown. */
export function pageDiffTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const publish = publications(bench)

  /** A site with a page that shows an article. */
  const visible = async (name: string) => {
    const { system } = bench()
    const site = await aSite()
    const section = await aSection(site, { name: 'News' })
    const item = await system.items.create(anArticle({ name, fields: { title: name } }))
    const page = await aPage(section, { name, itemId: item.id })
    return { site, section, item, page }
  }
  const compared = async (given: Parameters<Bench['api']['packages']['pageDiff']>[0]) => {
    const { api } = bench()
    const diff = await api.packages.pageDiff(given)
    return { diff, html: await textOf(api.packages.showPageDiff({ diffKey: diff.diffKey })) }
  }

  describe('the page diff of a package', () => {
    it('marks insertions and deletions in each changed page', async () => {
      const { api } = bench()
      const { item, section } = await visible('Oak galls')
      const { repo, packageName } = await newPackage(api)
      await api.items.update({ configId, packageName, id: item.id, name: 'Oak apples' })
      await aPage(section, { packageName, name: 'Fresh <page>' })
      const { diff, html } = await compared({ repo, packageName })
      expect(diff).toEqual({
        diffKey: expect.stringMatching(/^[\w-]{22,}$/),
        url: expect.stringContaining(`/api/content/management/page-diffs/${diff.diffKey}`),
        expiresInSeconds: 600,
      })
      expect(html).toMatch(/del&gt;galls|galls&lt;\/del/)
      expect(html).toMatch(/apples&lt;\/ins/)
      expect(html).toContain('Fresh &lt;page&gt;')
      expect(html).not.toContain('<script')
      expect(html).toContain('sandbox')
    })

    it('can be filtered by section, slug and change', async () => {
      const { api } = bench()
      const { site, section, page } = await visible('Staying')
      const other = await aSection(site, { name: 'Other' })
      const going = await aPage(other, { name: 'Going' })
      const { repo, packageName } = await newPackage(api)
      const inPackage = { packageName }
      await api.pages.update({ ...inSite(page), ...inPackage, name: 'Stays' })
      await api.items.update({ configId, ...inPackage, id: page.itemId ?? '', name: 'Stays' })
      await api.pages.delete({ ...inSite(going), ...inPackage })
      await aPage(section, { ...inPackage, name: 'Coming' })
      const names = async (given: object) => {
        const { html } = await compared({ repo, packageName, ...given })
        return ['Stays', 'Going', 'Coming'].filter((name) => html.includes(`name">${name}<`))
      }
      expect(await names({})).toEqual(['Stays', 'Going', 'Coming'])
      expect(await names({ sectionPath: '/other/' })).toEqual(['Going'])
      expect(await names({ pageSlug: 'coming' })).toEqual(['Coming'])
      expect(await names({ changeType: 'update' })).toEqual(['Stays'])
      expect(await names({ sectionPath: 'news', changeType: 'create' })).toEqual(['Coming'])
      expect(await names({ sectionPath: 'none' })).toEqual([])
      const refused = await failing(
        api.packages.pageDiff({ repo, packageName, changeType: 'odd' as never }),
        'invalid',
      )
      expect(refused.issues).toMatchObject([{ path: 'changeType' }])
    })

    it('includes pages that show a changed item next to their own, published or not', async () => {
      const { api, system } = bench()
      const templates = {
        ...plainTemplates,
        list: '{% for page in section.pages %}{% assign item = page.itemId | item %}<p>{{ item.name }}</p>{% endfor %}',
        teaser: '{% assign item = page.meta.shows | item %}<p>{{ item.name }}</p>',
        slow: '{{ page.name | none }}',
      }
      for (const isPublished of [true, false]) {
        const site = await aSite({ templates })
        const section = await aSection(site, { name: 'News' })
        const item = await system.items.create(anArticle({ name: 'Galls', fields: { title: 'Galls' } }))
        await system.items.publish({ configId, id: item.id })
        await aPage(section, { name: 'Own', itemId: item.id })
        await aPage(section, { name: 'List', template: 'list' })
        await aPage(section, { name: 'Teaser', template: 'teaser', meta: { shows: item.id } })
        const other = await aSection(site, { name: 'Other' })
        await aPage(other, { name: 'Alone', template: 'list' })
        if (isPublished) await publish(site)
        await aPage(other, { name: 'Broken', template: 'slow' })
        const { repo, packageName } = await newPackage(api)
        await api.items.update({ configId, packageName, id: item.id, name: 'Apples' })
        const { html } = await compared({ repo, packageName })
        const names = ['Own', 'List', 'Teaser', 'Alone', 'Broken']
        expect(names.filter((name) => html.includes(`name">${name}<`))).toEqual(names.slice(0, 3))
        const seer = await bench().as({
          permissions: {
            global: ['packages.diff.view', 'packages.view', 'items.read'],
            sites: { [site.id]: ['sites.view'] },
          },
        })
        const { diffKey } = await seer.packages.pageDiff({ repo, packageName, pageSlug: 'list' })
        expect(await textOf(seer.packages.showPageDiff({ diffKey }))).toContain('name">List<')
      }
    })

    it('includes pages that list a section in which a page becomes visible', async () => {
      const { api, system } = bench()
      const list =
        '{% for page in section.pages %}<p>{{ page.name }}: {{ page.itemId | item | map: "name" }}</p>{% endfor %}'
      const site = await aSite({ templates: { ...plainTemplates, list } })
      const section = await aSection(site, { name: 'News' })
      const item = await system.items.create(anArticle({ name: 'Draft', fields: { title: 'Draft' } }))
      await aPage(section, { name: 'Own', itemId: item.id })
      await aPage(section, { name: 'List', template: 'list' })
      await publish(site)
      const { repo, packageName } = await newPackage(api)
      await api.items.update({ configId, packageName, id: item.id, name: 'Less of a draft' })
      const { html } = await compared({ repo, packageName, pageSlug: 'list' })
      expect(html).toContain('name">List<')
    })

    it('is only for its creator, and expires', async () => {
      const { api, as, scope } = bench()
      const { repo, packageName } = await newPackage(api)
      const { diffKey } = await api.packages.pageDiff({ repo, packageName })
      const other = await as({ permissions: { global: ['packages.diff.view', 'packages.view'] } })
      await failing(other.packages.showPageDiff({ diffKey }), 'not_found')
      await failing(api.packages.showPageDiff({ diffKey: 'guessed' }), 'not_found')
      expect(await textOf(api.packages.showPageDiff({ diffKey }))).toContain('<!DOCTYPE html>')
      scope.clock.advance(600_000)
      await failing(api.packages.showPageDiff({ diffKey }), 'not_found')
    })

    it('shows nothing that the caller may not read', async () => {
      const { api, as, system } = bench()
      const role = await system.roles.create({ name: 'Few' })
      const { item, site } = await visible('Seen by few')
      await system.items.update({ configId, id: item.id, readPerm: [role.id] })
      const { repo, packageName } = await newPackage(api)
      await system.items.update({ configId, packageName, id: item.id, name: 'Canary' })
      const keys = ['packages.diff.view', 'packages.view', 'items.read', 'sites.view'] as const
      const blind = await as({ permissions: { global: [...keys] } })
      const { diffKey } = await blind.packages.pageDiff({ repo, packageName })
      const html = await textOf(blind.packages.showPageDiff({ diffKey }))
      expect(html).not.toContain('Canary')
      expect(html).not.toContain(site.name)
    })

    it('says which template fails', async () => {
      const { api } = bench()
      const { site } = await visible('Broken')
      const { repo, packageName } = await newPackage(api)
      const templates = { ...plainTemplates, page: '{{ item.name | none }}' }
      await api.sites.update({ ...onSite(site), packageName, templates })
      const { details } = await failing(api.packages.pageDiff({ repo, packageName }), 'invalid_state')
      expect(details).toMatchObject({ template: 'page', line: 1 })
      await failing(api.packages.pageDiff({ repo, packageName: 'none' }), 'not_found')
    })

    it('is made once per Idempotency-Key', async () => {
      const { api } = bench()
      const { repo, packageName } = await newPackage(api)
      const once = { idempotencyKey: `page-diff-${packageName}` }
      const first = await api.packages.pageDiff({ repo, packageName }, once)
      expect(await api.packages.pageDiff({ repo, packageName }, once)).toEqual(first)
      await failing(api.packages.pageDiff({ repo, packageName, pageSlug: 'x' }, once), 'idempotency_mismatch')
    })
  })

  describe('a merge', () => {
    it('that deletes a site stops serving it, and frees its address', async () => {
      const { api, system } = bench()
      const { site, item } = await visible('Ending')
      await system.items.publish({ configId, id: item.id })
      await publish(site)
      const { repo, packageName } = await newPackage(api)
      await api.sites.delete({ ...onSite(site), packageName, recursive: true })
      expect(await textOf(system.sites.serve({ siteSlug: site.slug, path: 'news/ending/' }))).toContain(
        'Ending',
      )
      await api.packages.merge({ repo, packageName })
      await failing(system.sites.serve({ siteSlug: site.slug, path: 'news/ending/' }), 'not_found')
      await aSite({ slug: site.slug })
    })

    it('names the published pages that show what it changed', async () => {
      const { api, system } = bench()
      const { site, item, page } = await visible('Named')
      await system.items.publish({ configId, id: item.id })
      await publish(site)
      const { repo, packageName } = await newPackage(api)
      await api.items.update({ configId, packageName, id: item.id, name: 'Renamed' })
      const report = await api.packages.merge({ repo, packageName, dryRun: true })
      expect(report.pages).toEqual([{ siteId: site.id, pageId: page.id, path: `news/${page.slug}` }])
    })
  })

  describe('the sites of an item', () => {
    it('are the pages that show it, or an item that refers to it', async () => {
      const { api, system } = bench()
      const { site, section, item, page } = await visible('Referred')
      await api.sections.update({ ...inSite(section), rootPageId: page.id })
      const inner = await aSection(site, { name: 'Inner', parentId: section.id })
      const second = await aPage(inner, { name: 'Second', itemId: item.id })
      const found = await api.references.sites({ configId, assetId: item.id })
      const news = { name: 'News', slug: 'news' }
      const ofSite = { siteId: site.id, siteName: site.name, packageName: null }
      expect(found).toEqual([
        {
          ...ofSite,
          sectionName: 'News',
          sectionSlug: 'news',
          path: [news],
          pageName: 'Referred',
          pageSlug: page.slug,
          isRoot: true,
        },
        {
          ...ofSite,
          sectionName: 'Inner',
          sectionSlug: 'inner',
          path: [news, { name: 'Inner', slug: 'inner' }],
          pageName: 'Second',
          pageSlug: second.slug,
          isRoot: false,
        },
      ])
      await failing(api.references.sites({ configId, assetId: 'CONT_none' }), 'not_found')
      const { id: unshown } = await system.items.create(anArticle({ name: 'Nowhere' }))
      expect(await api.references.sites({ configId, assetId: unshown })).toEqual([])
    })

    it('are those of the package if one is named, on sites that the caller may see', async () => {
      const { api, as } = bench()
      const { section, item, page } = await visible('In a package')
      const { packageName } = await newPackage(api)
      await api.pages.delete({ ...inSite(page), packageName })
      await aPage(section, { packageName, name: 'Only there', itemId: item.id })
      const there = await api.references.sites({ configId, packageName, assetId: item.id })
      expect(there).toMatchObject([{ pageName: 'Only there', packageName }])
      expect(await api.references.sites({ configId, assetId: item.id })).toMatchObject([
        { packageName: null },
      ])
      const reader = await as({ permissions: { global: ['items.read'] } })
      expect(await reader.references.sites({ configId, assetId: item.id })).toEqual([])
    })
  })
}
