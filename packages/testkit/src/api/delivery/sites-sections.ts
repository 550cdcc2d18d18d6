import type { Section } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { eventsOf } from '../files/files.ts'
import { prepareMagazine } from './magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { inSite, onSite, pagesOf, sectionsOf, sitesOf } from './sites-steps.ts'

const configId = 'magazine'
const absent = 'SECT_01JB2Q5B8D0F2H4K6M8P0R2T4V'

export function siteSectionTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)

  describe('a section of a site', () => {
    it('is created, found, described and read in old versions', async () => {
      const { api } = bench()
      const site = await aSite()
      const top = await aSection(site, { name: ' Über uns ' })
      expect(top).toMatchObject({
        siteId: site.id,
        parentId: null,
        name: 'Über uns',
        slug: 'uber-uns',
        order: 0,
        rootPageId: null,
        layoutTemplate: null,
        currentVersion: 1,
        path: [],
      })
      expect(top.id).toMatch(/^SECT_/)
      const section = await aSection(site, { parentId: top.id, name: 'Team', order: 2 })
      expect(section.path).toEqual([{ id: top.id, name: 'Über uns' }])
      expect(await api.sections.get(inSite(section))).toEqual(section)
      const change = { name: 'People', layoutTemplate: 'layout', order: -1 }
      expect(await api.sections.update({ ...inSite(section), ...change })).toMatchObject({
        ...change,
        slug: 'team',
        currentVersion: 2,
      })
      expect(await eventsOf(bench(), section.id)).toEqual(['SECTION_CREATED', 'SECTION_UPDATED'])
    })

    it('has a slug made from its name, in any script', async () => {
      const site = await aSite()
      const slugs = []
      for (const name of ['Tinte & Papier', 'Новости', '日本語', '#2'])
        slugs.push((await aSection(site, { name })).slug)
      expect(slugs[0]).toBe('tinte-papier')
      expect(slugs[3]).toBe('2')
      for (const slug of slugs) expect(slug).toMatch(/^[\p{L}\p{N}-]+$/u)
      expect(await invalidAt(aSection(site, { name: '!!!' }))).toEqual(['slug'])
      for (const slug of ['A', 'a b', '-a', 'a/b', ''])
        expect(await invalidAt(aSection(site, { slug }))).toEqual(['slug'])
      expect((await aSection(site, { slug: 'größe-日本' })).slug).toBe('größe-日本')
    })

    it('has a slug that every system accepts as the name of a folder', async () => {
      const { api } = bench()
      const site = await aSite()
      const section = await aSection(site, { slug: 'ж'.repeat(120) })
      for (const slug of ['con', 'nul', 'aux', 'prn', 'com1', 'lpt9', 'ж'.repeat(121), 'a'.repeat(241)]) {
        expect(await invalidAt(aSection(site, { slug }))).toEqual(['slug'])
        expect(await invalidAt(aPage(section, { slug }))).toEqual(['slug'])
        expect(await invalidAt(api.sections.update({ ...inSite(section), slug }))).toEqual(['slug'])
      }
      const { issues } = await failing(aPage(section, { name: 'NUL' }), 'invalid')
      expect(issues).toMatchObject([{ path: 'slug', message: expect.stringContaining('"nul"') }])
      for (const slug of ['com', 'com10', 'console', 'con-1'])
        expect((await aSection(site, { slug })).slug).toBe(slug)
    })

    it('has a unique slug among its siblings', async () => {
      const { api } = bench()
      const site = await aSite()
      const [top, other] = [await aSection(site), await aSection(site)]
      const first = await aSection(site, { parentId: top.id, slug: 'taken' })
      await failing(aSection(site, { parentId: top.id, name: 'Taken' }), 'slug_taken')
      const elsewhere = await aSection(site, { parentId: other.id, slug: 'taken' })
      await aSection(await aSite(), { slug: top.slug })
      await failing(api.sections.move({ ...inSite(elsewhere), parentId: top.id }), 'slug_taken')
      const beside = await aSection(site, { parentId: top.id })
      await failing(api.sections.update({ ...inSite(beside), slug: 'taken' }), 'slug_taken')
      await api.sections.move({ ...inSite(elsewhere), parentId: top.id, slug: 'free' })
      await api.sections.delete(inSite(first))
      await api.sections.update({ ...inSite(beside), slug: 'taken' })
    })

    it('can only be in a section of its site, never in itself', async () => {
      const { api } = bench()
      const site = await aSite()
      const foreign = await aSection(await aSite())
      const chain = [await aSection(site)]
      for (let depth = 0; depth < 3; depth++)
        chain.push(await aSection(site, { parentId: chain.at(-1)?.id ?? null }))
      const [top] = chain
      for (const parentId of [...chain.map(({ id }) => id), foreign.id, absent])
        expect(await invalidAt(api.sections.move({ ...inSite(top ?? foreign), parentId }))).toEqual([
          'parentId',
        ])
      for (const parentId of [foreign.id, absent])
        expect(await invalidAt(aSection(site, { parentId }))).toEqual(['parentId'])
      const last = chain.at(-1) ?? foreign
      const moved = await api.sections.move({ ...inSite(last), parentId: null, order: 7, slug: 'up' })
      expect(moved).toMatchObject({ parentId: null, order: 7, slug: 'up', path: [] })
    })

    it('has at most fifty levels', async () => {
      const { api } = bench()
      const site = await aSite()
      const deep = [await aSection(site)]
      while (deep.length < 50) deep.push(await aSection(site, { parentId: deep.at(-1)?.id ?? null }))
      const parentId = deep.at(-1)?.id ?? null
      expect(await invalidAt(aSection(site, { parentId }))).toEqual(['parentId'])
      const top = await aSection(site)
      await aSection(site, { parentId: top.id })
      const under = (depth: number) => ({ ...inSite(top), parentId: deep[depth - 1]?.id ?? null })
      expect(await invalidAt(api.sections.move(under(49)))).toEqual(['parentId'])
      await api.sections.move(under(48))
      const page = await aPage(deep.at(-1) ?? top)
      expect(page.path).toHaveLength(50)
    })

    it('can only have one of its own pages as root page', async () => {
      const { api } = bench()
      const site = await aSite()
      const [section, other] = [await aSection(site), await aSection(site)]
      const [page, foreign] = [await aPage(section), await aPage(other)]
      for (const rootPageId of [foreign.id, absent])
        expect(await invalidAt(api.sections.update({ ...inSite(section), rootPageId }))).toEqual([
          'rootPageId',
        ])
      expect((await api.sections.update({ ...inSite(section), rootPageId: page.id })).rootPageId).toBe(
        page.id,
      )
      expect((await api.sections.update({ ...inSite(section), rootPageId: null })).rootPageId).toBeNull()
    })

    it('is not found if it does not exist', async () => {
      const { api } = bench()
      const site = await aSite()
      const section = await aSection(site)
      const elsewhere = await aSite()
      const wrong = [
        { ...onSite(site), id: absent },
        { ...onSite(elsewhere), id: section.id },
        { ...inSite(section), configId: 'nowhere' },
        { ...inSite(section), siteId: absent },
      ]
      for (const where of wrong)
        await allFailing(
          [
            api.sections.get(where),
            api.sections.update({ ...where, name: 'x' }),
            api.sections.move({ ...where, parentId: null }),
            api.sections.delete(where),
          ],
          'not_found',
        )
      await allFailing(
        [aSection({ id: absent }), api.sections.list({ configId, siteId: absent })],
        'not_found',
      )
    })

    it('is created once per Idempotency-Key, and moved with a current tag', async () => {
      const { api } = bench()
      const site = await aSite()
      const create = (name: string) =>
        api.sections.create({ ...onSite(site), name }, { idempotencyKey: `section ${site.id}` })
      const section = await create('Once')
      expect(await create('Once')).toEqual(section)
      await failing(create('Twice'), 'idempotency_mismatch')
      await allFailing(
        [
          api.sections.update({ ...inSite(section), name: 'x' }, { ifMatch: 'stale' }),
          api.sections.move({ ...inSite(section), parentId: null, order: 3 }, { ifMatch: 'stale' }),
          api.sections.delete(inSite(section), { ifMatch: 'stale' }),
        ],
        'precondition_failed',
      )
      expect(await api.sections.get(inSite(section))).toEqual(section)
    })

    it('cannot be changed in a merged package', async () => {
      const { api } = bench()
      const site = await aSite()
      const section = await aSection(site)
      const { repo, packageName } = await newPackage(api)
      await api.sections.update({ ...inSite(section), packageName, name: 'Merged' })
      await api.packages.merge({ repo, packageName })
      const here = { ...inSite(section), packageName }
      await allFailing(
        [
          aSection(site, { packageName }),
          api.sections.update({ ...here, name: 'x' }),
          api.sections.move({ ...here, parentId: null, order: 9 }),
          api.sections.delete(here),
        ],
        'invalid_state',
      )
    })

    it('is listed by name, by site, by section, at the top level, by words and page by page', async () => {
      const { api } = bench()
      const site = await aSite()
      const top = await aSection(site, { name: 'Top' })
      for (const name of ['Delta quokka', 'Alpha', 'Bravo quokka'])
        await aSection(site, { name, parentId: top.id })
      await aSection(await aSite(), { name: 'Foreign quokka' })
      const names = async (given: object) =>
        (await api.sections.list({ ...onSite(site), ...given })).items.map(({ name }: Section) => name)
      expect(await names({})).toEqual(['Alpha', 'Bravo quokka', 'Delta quokka', 'Top'])
      expect(await names({ parentId: top.id })).toEqual(['Alpha', 'Bravo quokka', 'Delta quokka'])
      expect(await names({ parentId: 'none' })).toEqual(['Top'])
      expect(await names({ text: 'quok' })).toEqual(['Bravo quokka', 'Delta quokka'])
      const first = await api.sections.list({ ...onSite(site), limit: 3 })
      expect(first.count).toBe(4)
      expect(await names({ limit: 3, cursor: first.nextCursor })).toEqual(['Top'])
      expect(await invalidAt(api.sections.list({ ...onSite(site), cursor: 'x' }))).toEqual(['cursor'])
    })
  })
}
