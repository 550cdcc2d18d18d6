import type { AnswerInfo, Site } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { eventsOf } from '../files/files.ts'
import { prepareMagazine } from './magazine.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { onSite, sectionsOf, sitesOf } from './sites-steps.ts'

const configId = 'magazine'
const nowhere = { configId, siteId: 'SITE_01JB2Q5B8D0F2H4K6M8P0R2T4V' }

export function siteTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)

  describe('a site', () => {
    it('is created, found, described and read in old versions', async () => {
      const { api } = bench()
      const site = await aSite({
        name: ' Ink ',
        slug: 'ink',
        settings: { tagline: 'Type', most: 3, on: true },
      })
      expect(site).toMatchObject({
        name: 'Ink',
        slug: 'ink',
        description: '',
        baseUrl: '',
        layoutTemplate: 'layout',
        homeSectionId: null,
        settings: { tagline: 'Type', most: 3, on: true },
        currentVersion: 1,
        packageName: null,
      })
      expect(site.id).toMatch(/^SITE_/)
      expect(await api.sites.get(onSite(site))).toEqual(site)
      const baseUrl = 'https://ink.example.com/'
      const changed = await api.sites.update({ ...onSite(site), name: 'Paper', baseUrl })
      expect(changed).toMatchObject({
        name: 'Paper',
        slug: 'ink',
        baseUrl: 'https://ink.example.com',
        templates: site.templates,
        currentVersion: 2,
      })
      expect(await eventsOf(bench(), site.id)).toEqual(['SITE_CREATED', 'SITE_UPDATED'])
      await api.sites.delete(onSite(site))
      await failing(api.sites.get(onSite(site)), 'not_found')
      expect(await eventsOf(bench(), site.id)).toContain('SITE_DELETED')
    })

    it('gets no new version from a change without effect', async () => {
      const site = await aSite({ description: 'Same' })
      const same = { name: site.name, description: 'Same', settings: {}, layoutTemplate: 'layout' }
      expect(await bench().api.sites.update({ ...onSite(site), ...same })).toEqual(site)
    })

    it('starts with default templates', async () => {
      const { templates, layoutTemplate } = await bench().api.sites.create({
        configId,
        name: 'Plain',
        slug: 'plain',
      })
      expect(Object.keys(templates).toSorted()).toEqual(['layout', 'page'])
      expect(layoutTemplate).toBe('layout')
      expect((await aSite({ templates: { page: 'x' } })).layoutTemplate).toBeNull()
    })

    it('has a unique slug in its repository', async () => {
      const { api } = bench()
      const site = await aSite({ slug: 'taken' })
      const other = await aSite()
      const { details } = await failing(aSite({ slug: 'taken' }), 'slug_taken')
      expect(details).toEqual({ slug: 'taken' })
      await failing(api.sites.update({ ...onSite(other), slug: 'taken' }), 'slug_taken')
      await api.repositories.create({ name: 'elsewhere' })
      await aSite({ configId: 'elsewhere', slug: 'taken' })
      await api.sites.delete(onSite(site))
      await api.sites.update({ ...onSite(other), slug: 'taken' })
    })

    it('can only name existing entities', async () => {
      const { api } = bench()
      const site = await aSite()
      const foreign = await aSection(await aSite())
      expect(await invalidAt(aSite({ layoutTemplate: 'none' }))).toEqual(['layoutTemplate'])
      const changes = {
        layoutTemplate: { layoutTemplate: 'none' },
        homeSectionId: { homeSectionId: foreign.id },
        slug: { slug: 'Not Kebab' },
        baseUrl: { baseUrl: 'ftp://example.com' },
        name: { name: 'a/b' },
      }
      for (const [path, change] of Object.entries(changes))
        expect(await invalidAt(api.sites.update({ ...onSite(site), ...change }))).toEqual([path])
      expect(await invalidAt(api.sites.update({ ...onSite(site), templates: { page: 'x' } }))).toEqual([
        'layoutTemplate',
      ])
      expect(await api.sites.get(onSite(site))).toEqual(site)
      const section = await aSection(site)
      const home = await api.sites.update({ ...onSite(site), homeSectionId: section.id })
      expect(home.homeSectionId).toBe(section.id)
      const bare = await api.sites.update({ ...onSite(site), layoutTemplate: null, homeSectionId: null })
      expect(bare).toMatchObject({ layoutTemplate: null, homeSectionId: null })
    })

    it('is not found if it does not exist', async () => {
      const { api } = bench()
      const elsewhere = { ...nowhere, configId: 'nowhere' }
      for (const where of [nowhere, elsewhere])
        await allFailing(
          [
            api.sites.get(where),
            api.sites.update({ ...where, name: 'x' }),
            api.sites.delete(where),
            api.sites.tree(where),
            api.sites.publish(where),
            api.sites.publications(where),
            api.sites.preview(where),
            api.sites.rollback({ ...where, id: 'PUBL_1' }),
            api.sites.export({ ...where, id: 'PUBL_1' }),
          ],
          'not_found',
        )
      const site = await aSite()
      await allFailing(
        [
          api.sites.list({ configId: 'nowhere' }),
          aSite({ configId: 'nowhere' }),
          aSite({ packageName: 'nowhere' }),
          api.sites.get({ ...onSite(site), packageName: 'nowhere' }),
          api.sites.preview(onSite(site)),
          api.sites.rollback({ ...onSite(site), id: 'PUBL_1' }),
          api.sites.export({ ...onSite(site), id: 'PUBL_1' }),
          api.sites.serve({ siteSlug: site.slug }),
        ],
        'not_found',
      )
    })

    it('is changed with a current If-Match only', async () => {
      const { api } = bench()
      const site = await aSite()
      const reported: AnswerInfo[] = []
      await api.sites.get(onSite(site), { onAnswer: (about) => void reported.push(about) })
      const ifMatch = reported[0]?.etag ?? ''
      const changed = await api.sites.update({ ...onSite(site), name: 'By the tag' }, { ifMatch })
      await allFailing(
        [
          api.sites.update({ ...onSite(site), name: 'x' }, { ifMatch }),
          api.sites.delete(onSite(site), { ifMatch }),
        ],
        'precondition_failed',
      )
      expect(await api.sites.get(onSite(site))).toEqual(changed)
    })

    it('is created once per Idempotency-Key', async () => {
      const create = (slug: string) =>
        bench().api.sites.create({ configId, name: 'Once', slug }, { idempotencyKey: 'a site once' })
      expect(await create('once')).toEqual(await create('once'))
      await failing(create('twice'), 'idempotency_mismatch')
    })

    it('cannot be changed in a merged package', async () => {
      const { api } = bench()
      const site = await aSite()
      const { repo, packageName } = await newPackage(api)
      await api.sites.update({ ...onSite(site), packageName, name: 'Merged' })
      await api.packages.merge({ repo, packageName })
      await allFailing(
        [
          aSite({ packageName }),
          api.sites.update({ ...onSite(site), packageName, name: 'x' }),
          api.sites.delete({ ...onSite(site), packageName }),
        ],
        'invalid_state',
      )
    })
  })

  describe('the sites of a repository', () => {
    const names = async (answer: Promise<{ items: readonly Site[] }>) =>
      (await answer).items.map(({ name }) => name)
    /** A repository with three sites. */
    const three = async (repository: string) => {
      const { api } = bench()
      await api.repositories.create({ name: repository })
      const made = []
      for (const [name, description] of [
        ['Delta', 'quokka'],
        ['Alpha', ''],
        ['Bravo quokka', ''],
      ] as const)
        made.push(await aSite({ configId: repository, name, description }))
      return made
    }

    it('are listed by name, page by page, and by words', async () => {
      const { api } = bench()
      await three('listed')
      const all = { configId: 'listed' }
      expect(await names(api.sites.list(all))).toEqual(['Alpha', 'Bravo quokka', 'Delta'])
      expect(await names(api.sites.list({ ...all, text: 'quok' }))).toEqual(['Bravo quokka', 'Delta'])
      const first = await api.sites.list({ ...all, limit: 2 })
      expect(first.count).toBe(3)
      const cursor = first.nextCursor ?? ''
      const second = await api.sites.list({ ...all, limit: 2, cursor, skipCount: true })
      expect(second).toEqual({ items: [expect.objectContaining({ name: 'Delta' })] })
      expect(await invalidAt(api.sites.list({ ...all, cursor: 'x' }))).toEqual(['cursor'])
    })

    it('are those that the caller may see', async () => {
      const { as } = bench()
      const [delta, alpha] = await three('limited')
      const all = { configId: 'limited' }
      const seer = await as({ permissions: { sites: { [delta?.id ?? '']: ['sites.view'] } } })
      expect(await seer.sites.list(all)).toMatchObject({ count: 1, items: [{ id: delta?.id }] })
      expect(await names(seer.sites.list({ ...all, text: 'quokka' }))).toEqual(['Delta'])
      const seen = { ...all, siteId: delta?.id ?? '' }
      const unseen = { ...all, siteId: alpha?.id ?? '' }
      expect(await seer.sites.get(seen)).toEqual(delta)
      expect((await seer.sites.tree(seen)).count).toBe(0)
      await failing(seer.sites.update({ ...seen, name: 'x' }), 'forbidden')
      await failing(seer.sites.publish(seen), 'forbidden')
      const codes = [seer.sites.get(unseen), seer.sites.get({ ...all, siteId: nowhere.siteId })]
      const answers = await Promise.all(codes.map((call) => call.catch(({ code }) => code)))
      expect(new Set(answers).size).toBe(1)
      const writer = await as({
        permissions: { sites: { [delta?.id ?? '']: ['sites.view', 'sites.update'] } },
      })
      expect((await writer.sites.update({ ...seen, description: 'By who may' })).description).toBe(
        'By who may',
      )
      const section = await writer.sections.create({ ...seen, name: 'By who may' })
      await writer.pages.create({ ...seen, sectionId: section.id, name: 'By who may' })
      await failing(writer.sections.create({ ...unseen, name: 'x' }), 'not_found').catch(() =>
        failing(writer.sections.create({ ...unseen, name: 'x' }), 'forbidden'),
      )
      await failing(writer.sites.create({ ...all, name: 'x', slug: 'x' }), 'forbidden')
    })

    it('require the key', async () => {
      const { as, anonymous } = bench()
      const site = await aSite()
      const stranger = await as({ permissions: { global: ['items.read'] } })
      await failing(stranger.sites.list({ configId }), 'forbidden')
      await failing(stranger.sites.get(onSite(site)), 'forbidden')
      await failing(anonymous.sites.list({ configId }), 'unauthorized')
    })
  })
}
