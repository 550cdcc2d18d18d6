import type { MergeConflict, Page } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { anArticle, prepareMagazine } from './magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { inSite, onSite, pagesOf, sectionsOf, sitesOf } from './sites-steps.ts'

const configId = 'magazine'

/** Sites, sections and pages in packages. */
export function siteMergeTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const conflictsOf = async (merging: Promise<unknown>) => {
    const { conflicts = [] } = await failing(merging, 'merge_conflict')
    return conflicts.map((conflict) => {
      const { entity, path, kind } = conflict as MergeConflict
      return [entity.id, path, kind]
    })
  }
  /** A site with two sections and a page in the first one, and a package. */
  const another = async () => {
    const site = await aSite()
    const [a, b] = [await aSection(site, { name: 'A' }), await aSection(site, { name: 'B' })]
    const page = await aPage(a, { name: 'Page' })
    const ref = await newPackage(bench().api)
    const { packageName } = ref
    const here = (one: Pick<Page, 'id' | 'siteId'>) => ({ ...inSite(one), packageName })
    const mainOf = () => bench().api.sites.tree(onSite(site))
    return { site, a, b, page, ref, packageName, here, mainOf }
  }

  describe('a package that changes a site', () => {
    it('is visible only there until it is merged, as a whole', async () => {
      const { api, system } = bench()
      const { site, a, b, page, ref, packageName, here, mainOf } = await another()
      const before = [await mainOf(), await api.sites.get(onSite(site))]
      const gone = await aPage(b)
      const main = await mainOf()
      const item = await system.items.create(anArticle({ name: 'There', packageName }))
      const made = await aSection(site, { packageName, name: 'Made', parentId: a.id })
      expect(made.packageName).toBe(packageName)
      const visible = await aPage(made, { packageName, name: 'Shown', itemId: item.id })
      await api.pages.move({ ...here(page), sectionId: b.id, slug: 'moved' })
      await api.pages.delete(here(gone))
      await api.sections.update({ ...here(made), rootPageId: visible.id })
      await api.sites.update({ ...onSite(site), packageName, name: 'Changed', homeSectionId: b.id })
      const own = await aSite({ packageName, name: 'Own' })
      expect(await mainOf()).toEqual(main)
      expect(await api.sites.get(onSite(site))).toEqual(before[1])
      await failing(api.sites.get(onSite(own)), 'not_found')
      const there = await api.sites.tree({ ...onSite(site), packageName })
      expect(there.items.map(({ path }) => path)).toEqual(['a', 'a/made', 'a/made', '', 'moved'])
      await api.packages.merge(ref)
      expect(await mainOf()).toEqual(there)
      expect(await api.sites.get(onSite(site))).toMatchObject({ name: 'Changed', packageName: null })
      expect(await api.sites.get(onSite(own))).toMatchObject({ name: 'Own', packageName: null })
      expect((await api.pages.get(inSite(visible))).itemId).toBe(item.id)
    })

    it('lists its changes for callers who may see the site', async () => {
      const { api, as } = bench()
      const { site, a, page, ref, packageName, here } = await another()
      await api.pages.update({ ...here(page), name: 'Renamed' })
      await api.sections.update({ ...here(a), order: 4 })
      await api.sites.update({ ...onSite(site), packageName, settings: { tone: 'dark' } })
      const { items } = await api.packages.diff(ref)
      const reported = items.map(({ entity, kind, changes }) => [
        entity.kind,
        kind,
        changes.map(({ path }) => path),
      ])
      expect(new Map(reported.map(([kind, ...others]) => [kind, others]))).toEqual(
        new Map([
          ['page', ['update', ['name']]],
          ['section', ['update', ['order']]],
          ['site', ['update', ['settings.tone']]],
        ]),
      )
      const blind = await as({
        permissions: { global: ['items.read', 'packages.view', 'packages.diff.view'] },
      })
      expect(await blind.packages.changes(ref)).toEqual({ count: 0, items: [] })
      const seer = await as({
        permissions: {
          global: ['packages.view', 'packages.diff.view'],
          sites: { [site.id]: ['sites.view'] },
        },
      })
      expect((await seer.packages.changes(ref)).count).toBe(3)
    })

    it('merges with other changes to the site on main', async () => {
      const { api } = bench()
      const { b, page, ref, here } = await another()
      await api.pages.update({ ...here(page), name: 'Named in the package' })
      await api.pages.move({ ...inSite(page), sectionId: b.id })
      await api.pages.update({ ...inSite(page), meta: { wide: true } })
      await api.packages.merge(ref)
      expect(await api.pages.get(inSite(page))).toMatchObject({
        name: 'Named in the package',
        sectionId: b.id,
        meta: { wide: true },
      })
    })

    it('merges the texts of templates by line', async () => {
      const { api } = bench()
      const { site, ref, packageName } = await another()
      const branches = ['<main>', '{{ content }}', '<hr>', '<p>end</p>', '</main>']
      const layout = (...changed: [number, string][]) =>
        branches.map((branch, index) => new Map(changed).get(index) ?? branch).join('\n')
      const on = onSite(site)
      await api.sites.update({ ...on, templates: { page: 'x', layout: layout() } })
      const second = await newPackage(api)
      const templatesOf = (text: string) => ({ templates: { page: 'x', layout: text } })
      await api.sites.update({
        ...on,
        packageName: second.packageName,
        ...templatesOf(layout([0, '<main id="m">'])),
      })
      await api.sites.update({ ...on, ...templatesOf(layout([3, '<p>the end</p>'])) })
      await api.packages.merge(second)
      expect((await api.sites.get(on)).templates['layout']).toBe(
        layout([0, '<main id="m">'], [3, '<p>the end</p>']),
      )
      await api.sites.update({ ...on, packageName, ...templatesOf(layout([0, '<main class="x">'])) })
      await api.sites.update({ ...on, ...templatesOf(layout([0, '<main class="y">'])) })
      expect(await conflictsOf(api.packages.merge(ref))).toEqual([[site.id, 'templates.layout', 'changed']])
    })

    it('conflicts when both renamed a page, or one deleted it', async () => {
      const { api } = bench()
      const { a, page, ref, here, mainOf } = await another()
      const other = await aPage(a)
      await api.pages.update({ ...here(page), name: 'Ours' })
      await api.pages.update({ ...inSite(page), name: 'Theirs' })
      await api.pages.delete(here(other))
      await api.pages.update({ ...inSite(other), meta: { stored: true } })
      const before = await mainOf()
      const conflicts = await conflictsOf(api.packages.merge(ref))
      expect(conflicts).toEqual(
        expect.arrayContaining([
          [page.id, 'name', 'changed'],
          [other.id, '', 'deleted_in_package'],
        ]),
      )
      expect(conflicts).toHaveLength(2)
      expect(await mainOf()).toEqual(before)
      await api.packages.merge({
        ...ref,
        resolutions: [
          { id: page.id, path: 'name', use: 'ours' },
          { id: other.id, path: '', use: 'theirs' },
        ],
      })
      expect((await api.pages.get(inSite(page))).name).toBe('Ours')
      expect((await api.pages.get(inSite(other))).meta).toEqual({ stored: true })
    })

    it('conflicts when main gave the slug to another one meanwhile', async () => {
      const { api } = bench()
      const { site, a, page, ref, here, packageName } = await another()
      await api.pages.update({ ...here(page), slug: 'wanted' })
      await aPage(a, { slug: 'wanted' })
      const own = await aSite({ packageName, slug: `${site.slug}-wanted` })
      await aSite({ slug: `${site.slug}-wanted` })
      const conflicts = await conflictsOf(api.packages.merge(ref))
      expect(new Set(conflicts.map(String))).toEqual(
        new Set([String([page.id, 'slug', 'value_taken']), String([own.id, 'slug', 'value_taken'])]),
      )
      const resolutions = [
        { id: page.id, path: 'slug', value: 'settled' },
        { id: own.id, path: 'slug', value: `${site.slug}-settled` },
      ]
      await api.packages.merge({ ...ref, resolutions })
      expect((await api.pages.get(inSite(page))).slug).toBe('settled')
      expect((await api.sites.get(onSite(own))).slug).toBe(`${site.slug}-settled`)
    })

    it.for(['pages', 'sections'] as const)(
      'conflicts when it brings two %s together that have the same slug on main',
      async (group) => {
        const { api } = bench()
        const { site, a, b, page, ref, here } = await another()
        const into = await aSection(site, { name: 'Into' })
        const isOfPages = group === 'pages'
        const two = isOfPages
          ? [page, await aPage(b)]
          : [await aSection(site, { parentId: a.id }), await aSection(site, { parentId: b.id })]
        for (const one of two) {
          await (isOfPages
            ? api.pages.move({ ...here(one), sectionId: into.id })
            : api.sections.move({ ...here(one), parentId: into.id }))
          await api[group].update({ ...inSite(one), slug: 'wanted' })
        }
        const merge = { ...ref, dryRun: true }
        const [[id = '', ...opposed] = []] = await conflictsOf(api.packages.merge(merge))
        expect(opposed).toEqual(['slug', 'value_taken'])
        expect(two.map((one) => one.id)).toContain(id)
        expect((await api.packages.conflicts(ref)).items).toMatchObject([{ entity: { id }, path: 'slug' }])
        expect(await conflictsOf(api.packages.merge(ref))).toEqual([[id, ...opposed]])
        await api.packages.merge({ ...ref, resolutions: [{ id, path: 'slug', value: 'settled' }] })
        const slugs = await Promise.all(two.map(async (one) => (await api[group].get(inSite(one))).slug))
        expect(slugs.toSorted()).toEqual(['settled', 'wanted'])
      },
    )

    it('conflicts when main deleted the target section of a page, and never creates a cycle of sections', async () => {
      const { api } = bench()
      const { a, b, page, ref, here } = await another()
      const made = await aPage(b, { packageName: ref.packageName })
      await api.sections.delete(inSite(b))
      expect(await conflictsOf(api.packages.merge(ref))).toEqual([[made.id, 'sectionId', 'missing_target']])
      await api.packages.merge({ ...ref, resolutions: [{ id: made.id, path: 'sectionId', value: a.id }] })
      expect((await api.pages.get(inSite(made))).sectionId).toBe(a.id)
      expect((await api.pages.get(inSite(page))).sectionId).toBe(a.id)
      const second = await another()
      const into = await aSection(second.site, { name: 'Into' })
      await api.sections.move({ ...second.here(second.a), parentId: into.id })
      await api.sections.move({ ...inSite(into), parentId: second.a.id })
      expect(await conflictsOf(api.packages.merge(second.ref))).toEqual([[second.a.id, 'parentId', 'cycle']])
      expect(here(page).packageName).toBe(ref.packageName)
    })

    it('can be reverted completely', async () => {
      const { api } = bench()
      const { site, a, b, page, ref, packageName, here, mainOf } = await another()
      const before = await mainOf()
      await api.pages.move({ ...here(page), sectionId: b.id, slug: 'moved' })
      await aPage(a, { packageName })
      await api.sites.update({ ...onSite(site), packageName, homeSectionId: a.id })
      await api.packages.merge(ref)
      expect(await mainOf()).not.toEqual(before)
      const { name } = await api.packages.revert(ref)
      await api.packages.merge({ repo: configId, packageName: name })
      expect(await mainOf()).toEqual(before)
      expect((await api.sites.get(onSite(site))).homeSectionId).toBeNull()
    })
  })
}
