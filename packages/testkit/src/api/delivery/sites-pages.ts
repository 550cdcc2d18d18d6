import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { eventsOf } from '../files/files.ts'
import { anArticle, prepareMagazine } from './magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { inSite, onSite, pagesOf, sectionsOf, sitesOf } from './sites-steps.ts'

const configId = 'magazine'
const absent = 'PAGE_01JB2Q5B8D0F2H4K6M8P0R2T4V'

export function sitePageTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const anItem = (given: object = {}) => bench().system.items.create(anArticle({ name: 'Shown', ...given }))

  describe('a page of a site', () => {
    it('is created, found, described and read in old versions', async () => {
      const { api } = bench()
      const section = await aSection(await aSite(), { name: 'Articles' })
      const { id: itemId } = await anItem()
      const page = await aPage(section, { name: 'Ink on Paper', itemId, meta: { wide: true } })
      expect(page).toMatchObject({
        siteId: section.siteId,
        sectionId: section.id,
        name: 'Ink on Paper',
        slug: 'ink-on-paper',
        itemId,
        template: 'page',
        order: 0,
        visible: true,
        meta: { wide: true },
        currentVersion: 1,
        path: [{ id: section.id, name: 'Articles' }],
      })
      expect(page.id).toMatch(/^PAGE_/)
      expect(await api.pages.get(inSite(page))).toEqual(page)
      const change = { name: 'Paper', itemId: null, visible: false, template: 'other', order: 3, meta: {} }
      const changed = await api.pages.update({ ...inSite(page), ...change })
      expect(changed).toMatchObject({ name: 'Paper', slug: 'ink-on-paper', itemId: null, visible: false })
      expect(changed).toMatchObject({ template: 'other', order: 3, currentVersion: 2 })
      expect(await api.pages.update({ ...inSite(page), ...change })).toEqual(changed)
      await api.pages.delete(inSite(page))
      await failing(api.pages.get(inSite(page)), 'not_found')
      expect(await eventsOf(bench(), page.id)).toEqual(['PAGE_CREATED', 'PAGE_UPDATED', 'PAGE_DELETED'])
      expect((await api.items.get({ configId, id: itemId })).name).toBe('Shown')
    })

    it('has a slug made from its name, unique in its section', async () => {
      const { api } = bench()
      const site = await aSite()
      const [section, other] = [await aSection(site), await aSection(site)]
      const page = await aPage(section, { name: 'Žluťoučký kůň' })
      expect(page.slug).toBe('zlutoucky-kun')
      await failing(aPage(section, { slug: page.slug }), 'slug_taken')
      const elsewhere = await aPage(other, { slug: page.slug })
      await failing(api.pages.move({ ...inSite(elsewhere), sectionId: section.id }), 'slug_taken')
      const beside = await aPage(section)
      await failing(api.pages.update({ ...inSite(beside), slug: page.slug }), 'slug_taken')
      const moved = await api.pages.move({
        ...inSite(elsewhere),
        sectionId: section.id,
        slug: 'free',
        order: 4,
      })
      expect(moved).toMatchObject({ sectionId: section.id, slug: 'free', order: 4 })
      expect(await invalidAt(aPage(section, { name: '!?' }))).toEqual(['slug'])
    })

    it('can only be in a section of its site', async () => {
      const { api } = bench()
      const site = await aSite()
      const section = await aSection(site)
      const foreign = await aSection(await aSite())
      const page = await aPage(section)
      for (const sectionId of [foreign.id, absent]) {
        expect(await invalidAt(api.pages.move({ ...inSite(page), sectionId }))).toEqual(['sectionId'])
        expect(await invalidAt(aPage(section, { sectionId }))).toEqual(['sectionId'])
      }
      expect(await api.pages.get(inSite(page))).toEqual(page)
    })

    it('can only show an existing item that its author may read', async () => {
      const { api, limited, system, as } = bench()
      const section = await aSection(await aSite())
      const gone = await anItem()
      await api.items.delete({ configId, id: gone.id })
      const role = await system.roles.create({ name: 'Readers of the hidden' })
      const hidden = await anItem({ readPerm: [role.id] })
      for (const itemId of [gone.id, absent])
        expect(await invalidAt(aPage(section, { itemId }))).toEqual(['itemId'])
      const page = await aPage(section)
      expect(await invalidAt(limited.pages.update({ ...inSite(page), itemId: hidden.id }))).toEqual([
        'itemId',
      ])
      const writer = await as({ permissions: { global: ['sites.view', 'sites.update'] } })
      const open = await anItem()
      expect(await invalidAt(writer.pages.update({ ...inSite(page), itemId: open.id }))).toEqual(['itemId'])
      await api.pages.update({ ...inSite(page), itemId: open.id })
      expect((await writer.pages.update({ ...inSite(page), name: 'Renamed' })).itemId).toBe(open.id)
    })

    it('is not found if it does not exist', async () => {
      const { api } = bench()
      const site = await aSite()
      const section = await aSection(site)
      const page = await aPage(section)
      const wrong = [
        { ...onSite(site), id: absent },
        { ...onSite(await aSite()), id: page.id },
        { ...inSite(page), configId: 'nowhere' },
      ]
      for (const where of wrong)
        await allFailing(
          [
            api.pages.get(where),
            api.pages.update({ ...where, name: 'x' }),
            api.pages.move({ ...where, sectionId: section.id }),
            api.pages.delete(where),
          ],
          'not_found',
        )
      await allFailing(
        [aPage({ ...section, siteId: absent }), api.pages.list({ configId, siteId: absent })],
        'not_found',
      )
    })

    it('is created once per Idempotency-Key, and changed with a current tag', async () => {
      const { api } = bench()
      const section = await aSection(await aSite())
      const { siteId, id: sectionId } = section
      const create = (name: string) =>
        api.pages.create({ configId, siteId, sectionId, name }, { idempotencyKey: `page ${sectionId}` })
      const page = await create('Once')
      expect(await create('Once')).toEqual(page)
      await failing(create('Twice'), 'idempotency_mismatch')
      await allFailing(
        [
          api.pages.update({ ...inSite(page), name: 'x' }, { ifMatch: 'stale' }),
          api.pages.move({ ...inSite(page), sectionId, order: 3 }, { ifMatch: 'stale' }),
          api.pages.delete(inSite(page), { ifMatch: 'stale' }),
        ],
        'precondition_failed',
      )
      expect(await api.pages.get(inSite(page))).toEqual(page)
    })

    it('cannot be changed in a merged package', async () => {
      const { api } = bench()
      const section = await aSection(await aSite())
      const page = await aPage(section)
      const { repo, packageName } = await newPackage(api)
      await api.pages.update({ ...inSite(page), packageName, name: 'Merged' })
      await api.packages.merge({ repo, packageName })
      const here = { ...inSite(page), packageName }
      await allFailing(
        [
          aPage(section, { packageName }),
          api.pages.update({ ...here, name: 'x' }),
          api.pages.move({ ...here, sectionId: section.id, order: 9 }),
          api.pages.delete(here),
        ],
        'invalid_state',
      )
    })

    it('is listed by name, by site, by section, by words and page by page', async () => {
      const { api } = bench()
      const site = await aSite()
      const [section, other] = [await aSection(site), await aSection(site)]
      for (const name of ['Delta quokka', 'Alpha']) await aPage(section, { name })
      await aPage(other, { name: 'Bravo quokka' })
      const names = async (given: object) =>
        (await api.pages.list({ ...onSite(site), ...given })).items.map(({ name }) => name)
      expect(await names({})).toEqual(['Alpha', 'Bravo quokka', 'Delta quokka'])
      expect(await names({ sectionId: section.id })).toEqual(['Alpha', 'Delta quokka'])
      expect(await names({ text: 'quok' })).toEqual(['Bravo quokka', 'Delta quokka'])
      const first = await api.pages.list({ ...onSite(site), limit: 2 })
      expect(first.count).toBe(3)
      expect(await names({ limit: 2, cursor: first.nextCursor, skipCount: true })).toEqual(['Delta quokka'])
      expect(await invalidAt(api.pages.list({ ...onSite(site), cursor: 'x' }))).toEqual(['cursor'])
    })
  })
}
