import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { prepareMagazine } from './magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { inSite, onSite, pagesOf, publishing, sectionsOf, sitesOf } from './sites-steps.ts'

/** The tree of a site, and the deletion of its parts. */
export function siteTreeTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const publish = publishing(bench)

  /** A site with a nested section, and a page in each section. */
  const full = async () => {
    const site = await aSite()
    const top = await aSection(site, { name: 'Top' })
    const inner = await aSection(site, { name: 'Inner', parentId: top.id })
    const pages = [await aPage(top, { name: 'Of the top' }), await aPage(inner, { name: 'Of the inner' })]
    return { site, top, inner, pages }
  }

  describe('the tree of a site', () => {
    it('has each section with its pages, in order, with their addresses', async () => {
      const { api } = bench()
      const { site, top, inner, pages } = await full()
      const [ofTop] = pages
      await aPage(top, { name: 'Before', order: -1 })
      await aSection(site, { name: 'Empty', order: 5, slug: 'last' })
      await api.sections.update({ ...inSite(top), rootPageId: ofTop?.id ?? null })
      const { count, items } = await api.sites.tree(onSite(site))
      expect(count).toBe(6)
      expect(items.find(({ name }) => name === 'Before')).toMatchObject({ order: -1 })
      expect(items.find(({ name }) => name === 'Empty')).toMatchObject({ order: 5 })
      expect(items.map(({ kind, name, path, depth, isRoot }) => [kind, name, path, depth, isRoot])).toEqual([
        ['section', 'Top', 'top', 1, false],
        ['page', 'Before', 'top/before', 2, false],
        ['page', 'Of the top', 'top', 2, true],
        ['section', 'Inner', 'top/inner', 2, false],
        ['page', 'Of the inner', 'top/inner/of-the-inner', 3, false],
        ['section', 'Empty', 'last', 1, false],
      ])
      expect(items.map(({ parentId }) => parentId)).toEqual([null, top.id, top.id, top.id, inner.id, null])
    })

    it('omits the slug of the home section from addresses', async () => {
      const { api } = bench()
      const { site, top, pages } = await full()
      const [ofTop] = pages
      await api.sites.update({ ...onSite(site), homeSectionId: top.id })
      const paths = async () => (await api.sites.tree(onSite(site))).items.map(({ path }) => path)
      expect(await paths()).toEqual(['', 'of-the-top', 'inner', 'inner/of-the-inner'])
      await api.sections.update({ ...inSite(top), rootPageId: ofTop?.id ?? null })
      expect(await paths()).toEqual(['', '', 'inner', 'inner/of-the-inner'])
    })

    it('is that of the package if one is named', async () => {
      const { api } = bench()
      const { site, top, inner } = await full()
      const { packageName } = await newPackage(api)
      await api.sections.move({ ...inSite(inner), packageName, parentId: null })
      await aPage(top, { packageName, name: 'Of the package' })
      const paths = async (branch: object) =>
        (await api.sites.tree({ ...onSite(site), ...branch })).items.map(({ path }) => path)
      expect(await paths({ packageName })).toEqual([
        'inner',
        'inner/of-the-inner',
        'top',
        'top/of-the-package',
        'top/of-the-top',
      ])
      expect(await paths({})).toEqual(['top', 'top/of-the-top', 'top/inner', 'top/inner/of-the-inner'])
    })

    it('with two pages at one address cannot be published, and the error names both', async () => {
      const { api } = bench()
      const { site, top, inner, pages } = await full()
      const twin = await aPage(top, { name: 'Twin', slug: 'inner' })
      await api.sections.update({ ...inSite(inner), rootPageId: pages[1]?.id ?? null })
      const { state, error } = await publish(site)
      expect(state).toBe('failed')
      for (const text of ['Twin', 'Of the inner', '"top/inner"'])
        expect(JSON.stringify(error)).toContain(text.replaceAll('"', '\\"'))
      expect((await api.sites.publications(onSite(site))).count).toBe(0)
      await api.pages.update({ ...inSite(twin), visible: false })
      expect((await publish(site)).state).toBe('succeeded')
    })
  })

  describe('the content of a site', () => {
    it('prevents its deletion, unless everything is to be deleted', async () => {
      const { api } = bench()
      const { site, top, inner, pages } = await full()
      expect((await failing(api.sites.delete(onSite(site)), 'referenced')).details).toEqual({
        sections: 2,
        pages: 2,
      })
      expect((await failing(api.sections.delete(inSite(top)), 'referenced')).details).toEqual({
        sections: 1,
        pages: 2,
      })
      const before = await api.sites.tree(onSite(site))
      const would = await api.sites.delete({ ...onSite(site), recursive: true, dryRun: true })
      expect(would?.deleted).toEqual(site)
      expect(would?.sections.map(({ id }) => id)).toEqual([top.id, inner.id])
      expect(new Set(would?.pages.map(({ id }) => id))).toEqual(new Set(pages.map(({ id }) => id)))
      const partly = await api.sections.delete({ ...inSite(inner), recursive: true, dryRun: true })
      expect(partly).toMatchObject({ deleted: { id: inner.id }, sections: [], pages: [{ id: pages[1]?.id }] })
      expect(await api.pages.delete({ ...inSite(pages[0] ?? top), dryRun: true })).toEqual({
        deleted: pages[0],
      })
      expect(await api.sites.tree(onSite(site))).toEqual(before)
      await api.sections.delete({ ...inSite(inner), recursive: true })
      const left = await api.sites.tree(onSite(site))
      expect(left.items.map(({ name }) => name)).toEqual(['Top', 'Of the top'])
      await api.sites.delete({ ...onSite(site), recursive: true })
      await failing(api.pages.get(inSite(pages[0] ?? top)), 'not_found')
      await failing(api.sites.tree(onSite(site)), 'not_found')
    })

    it('can be deleted in a package without affecting main until it is merged', async () => {
      const { api } = bench()
      const { site, top } = await full()
      const { repo, packageName } = await newPackage(api)
      const before = await api.sites.tree(onSite(site))
      await api.sections.delete({ ...inSite(top), packageName, recursive: true })
      expect((await api.sites.tree({ ...onSite(site), packageName })).count).toBe(0)
      expect(await api.sites.tree(onSite(site))).toEqual(before)
      const late = await aPage(top)
      await failing(api.packages.merge({ repo, packageName }), 'merge_conflict')
      await api.pages.delete(inSite(late))
      await api.packages.merge({ repo, packageName })
      expect((await api.sites.tree(onSite(site))).count).toBe(0)
    })
  })
}
