import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { bytesOf, prepareFiles, textOf } from '../files/files.ts'
import type { Bench } from '../host.ts'
import { everything } from '../host.ts'
import { registerIn } from '../people/registered.ts'
import { inSite, onSite, pagesOf, sectionsOf } from './sites-steps.ts'
import { publications, publishedArticles, sitesOf } from './sites-steps.ts'
import { zipEntries } from '../files/zip-entries.ts'

const configId = 'magazine'

/** Published sites: serving, download, and events. */
export function siteServingTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const anArticleOut = publishedArticles(bench)
  const publish = publications(bench)

  /** A site with a home page and a page in a section, published. */
  const aPublished = async (given: Parameters<typeof aSite>[0] = {}) => {
    const { api } = bench()
    const repository = given.configId ?? configId
    const site = await aSite(given)
    const home = await aSection(site, { configId: repository, name: 'Home' })
    const root = await aPage(home, { configId: repository, name: 'Welcome' })
    await api.sections.update({ ...inSite(home), configId: repository, rootPageId: root.id })
    await api.sites.update({ configId: repository, siteId: site.id, homeSectionId: home.id })
    const section = await aSection(site, { configId: repository, name: 'Größe' })
    const page = await aPage(section, { configId: repository, name: 'Ink' })
    return { site, section, page }
  }

  describe('a published site', () => {
    it('is served as pages, with an entity tag, and in ranges', async () => {
      const { api } = bench()
      const { site } = await aPublished()
      await publish(site)
      const siteSlug = site.slug
      const home = await api.sites.serve({ siteSlug })
      expect(home).toMatchObject({
        mimeType: 'text/html; charset=utf-8',
        etag: expect.any(String),
        range: null,
      })
      const html = await textOf(Promise.resolve(home))
      expect(html).toContain('<h1>Welcome</h1>')
      const part = await api.sites.serve({ siteSlug }, { range: { start: 1, end: 5 } })
      expect(part.range).toMatchObject({ start: 1, end: 5, total: home.size })
      expect(part.etag).toBe(home.etag)
      expect(await textOf(Promise.resolve(part))).toBe(html.slice(1, 6))
      const beyond = api.sites.serve({ siteSlug }, { range: { start: 9_000_000 } })
      await failing(beyond, 'range_not_satisfiable')
      expect(await textOf(api.sites.serve({ siteSlug, path: 'grosse/ink/' }))).toContain('<h1>Ink</h1>')
    })

    it('has a sitemap and a robots.txt', async () => {
      const { api } = bench()
      const { site } = await aPublished({ baseUrl: 'https://ink.example.com' })
      await publish(site)
      const siteSlug = site.slug
      const sitemap = await api.sites.serve({ siteSlug, path: 'sitemap.xml' })
      expect(sitemap.mimeType).toBe('application/xml')
      const locations = [...(await textOf(Promise.resolve(sitemap))).matchAll(/<loc>(.*?)<\/loc>/g)]
      expect(new Set(locations.map(([, location]) => location))).toEqual(
        new Set(['https://ink.example.com/', 'https://ink.example.com/grosse/ink/']),
      )
      expect(await textOf(api.sites.serve({ siteSlug, path: 'robots.txt' }))).toContain(
        'Sitemap: https://ink.example.com/sitemap.xml',
      )
      await failing(api.sites.serve({ siteSlug, path: 'robots.txt/' }), 'not_found')
    })

    it('has the date of the last change of a page or its item in the sitemap, even for unchanged pages', async () => {
      const { api, system, scope } = bench()
      const { site, page } = await aPublished({ baseUrl: 'https://ink.example.com' })
      const item = await anArticleOut('Dated')
      await api.pages.update({ ...inSite(page), itemId: item.id })
      await publish(site)
      const dates = async () => {
        const text = await textOf(api.sites.serve({ siteSlug: site.slug, path: 'sitemap.xml' }))
        const dated = text.matchAll(/<loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod>/g)
        return new Map(Array.from(dated, ([, address, date = '']) => [address, Date.parse(date)]))
      }
      const address = 'https://ink.example.com/grosse/ink/'
      const home = (await dates()).get('https://ink.example.com/')
      scope.clock.advance(3_600_000)
      const changed = await system.items.update({ configId, id: item.id, name: 'Changed' })
      scope.clock.advance(3_600_000)
      const { publishedDate } = await system.items.publish({ configId, id: item.id })
      expect(publishedDate).toBeGreaterThan(changed.updatedDate)
      for (const rendered of [1, 0]) {
        expect(await publish(site)).toMatchObject({ rendered })
        const seconds = Math.floor((publishedDate ?? 0) / 1000)
        expect((await dates()).get(address)).toBe(seconds * 1000)
        expect((await dates()).get('https://ink.example.com/')).toBe(home)
      }
    })

    it('of a private repository is served only to callers who may see it', async () => {
      const { anonymous, as } = bench()
      const { site } = await aPublished()
      await publish(site)
      const served = { siteSlug: site.slug }
      const nowhere = { siteSlug: 'nowhere' }
      const hidden = await failing(anonymous.sites.serve(served), 'unauthorized')
      const absent = await failing(anonymous.sites.serve(nowhere), 'unauthorized')
      expect(hidden.message).toBe(absent.message)
      const stranger = await as({ bundles: [], permissions: { global: ['items.read'] } })
      const unseen = await failing(stranger.sites.serve(served), 'not_found')
      const none = await failing(stranger.sites.serve(nowhere), 'not_found')
      expect(unseen.message.replace(site.slug, 'nowhere')).toBe(none.message)
      for (const permissions of [
        { sites: { [site.id]: ['sites.view' as const] } },
        { global: ['sites.view' as const] },
      ]) {
        const seer = await as({ permissions })
        expect(await textOf(seer.sites.serve(served))).toContain('Welcome')
      }
      const { site: other } = await aPublished()
      await publish(other)
      const seer = await as({ permissions: { sites: { [site.id]: ['sites.view'] } } })
      await failing(seer.sites.serve({ siteSlug: other.slug }), 'not_found')
    })

    it('of a public repository is served to everyone', async () => {
      const { api, anonymous, as, scope } = bench()
      const { id: repositoryId } = await api.repositories.create({ name: 'open', public: true })
      const { site } = await aPublished({ configId: 'open' })
      await failing(anonymous.sites.serve({ siteSlug: site.slug }), 'unauthorized')
      await api.sites.publish({ configId: 'open', siteId: site.id })
      await scope.quire.settled()
      expect(await textOf(anonymous.sites.serve({ siteSlug: site.slug }))).toContain('Welcome')
      expect(await textOf((await as({})).sites.serve({ siteSlug: site.slug }))).toContain('Welcome')
      await failing(anonymous.sites.list({ configId: 'open' }), 'unauthorized')
      await failing(anonymous.sites.serve({ siteSlug: site.slug, path: 'none' }), 'not_found')
      await api.repositories.update({ id: repositoryId, public: false })
      await failing(anonymous.sites.serve({ siteSlug: site.slug }), 'unauthorized')
    })

    it('can be downloaded as files that any host can serve', async () => {
      const { api } = bench()
      const { site, page } = await aPublished()
      const first = await publish(site)
      await api.pages.update({ ...inSite(page), slug: 'paper' })
      const second = await publish(site)
      const archive = async (id: string) => {
        const answer = await api.sites.export({ ...onSite(site), id })
        expect(answer).toMatchObject({ mimeType: 'application/zip', size: null })
        return zipEntries(new Uint8Array(await answer.bytes()))
      }
      const before = await archive(first.id)
      expect(new Set(before.keys())).toEqual(
        new Set(['index.html', 'grosse/ink/index.html', 'sitemap.xml', 'robots.txt']),
      )
      const now = await archive(second.id)
      const text = (name: string) => new TextDecoder().decode(now.get(name))
      expect(text('index.html')).toBe(await textOf(api.sites.serve({ siteSlug: site.slug })))
      expect(text('grosse/paper/index.html')).toContain('<h1>Ink</h1>')
      expect(text('grosse/ink/index.html')).toContain('url=../paper/')
    })

    it('can be downloaded by one caller at most twice at a time', async () => {
      const { as, inProcess } = bench()
      const { site } = await aPublished()
      const { id } = await publish(site)
      const api = await as(everything)
      const { sites } = await inProcess(api)
      const held = []
      for (let count = 0; count < 2; count++) {
        const reader = (await sites.export({ ...onSite(site), id })).stream().getReader()
        expect((await reader.read()).done).toBe(false)
        held.push(reader)
      }
      const third = () => bytesOf(api.sites.export({ ...onSite(site), id }))
      await failing(third(), 'too_many_requests')
      for (const reader of held) await reader.cancel()
      expect(zipEntries(await third()).size).toBeGreaterThan(0)
    })

    it('is reported in the log and to webhooks, with the site', async () => {
      const { api, scope } = bench()
      const url = 'https://hooks.example.com/sites'
      await registerIn(bench(), { url, events: ['SITE_PUBLISHED'] })
      await registerIn(bench(), { url: `${url}/typed`, events: ['SITE_PUBLISHED'], types: ['article'] })
      const { site } = await aPublished()
      const publication = await publish(site)
      await scope.quire.settled()
      const [reported] = (await api.activity.list({ configId, entityId: site.id })).items
      expect(reported).toMatchObject({
        event: 'SITE_PUBLISHED',
        entity: { kind: 'site', id: site.id, name: site.name, type: null },
      })
      expect(publication.createdByUser).toEqual(reported?.user)
      const sent = scope.outbound.sent.filter((request) => request.url.startsWith(url))
      expect(sent.map((request) => request.url)).toEqual([url])
      const body = JSON.parse(String(sent[0]?.body))
      expect(body).toMatchObject({ event: 'SITE_PUBLISHED' })
      expect(body.data).toEqual(await api.sites.get(onSite(site)))
    })

    it('does not change while the site is edited', async () => {
      const { api, system } = bench()
      const item = await anArticleOut('Served')
      const { site, page } = await aPublished()
      await api.pages.update({ ...inSite(page), itemId: item.id })
      await publish(site)
      await system.items.update({ configId, id: item.id, name: 'Changed' })
      await system.items.publish({ configId, id: item.id })
      await api.pages.delete(inSite(page))
      await api.sites.update({ ...onSite(site), name: 'Renamed' })
      const html = await textOf(api.sites.serve({ siteSlug: site.slug, path: 'grosse/ink/' }))
      expect(html).toBe(`<title>${site.name}</title><h1>Served</h1>`)
    })
  })
}
