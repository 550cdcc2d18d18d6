import { PageNotFound } from '@quire/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { bytesOf, fileOf, prepareFiles, textOf } from '../files/files.ts'
import { newPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { inSite, onSite, pagesOf, plainTemplates, publishing, sectionsOf } from './sites-steps.ts'
import { publications, sitesOf } from './sites-steps.ts'
import { zipEntries } from '../files/zip-entries.ts'

const configId = 'magazine'

const notFound =
  '<h1>{{ page.name }}</h1><a href="{{ site.url }}">Home</a>' +
  '{% for one in site.sections %}<a href="{{ one.url }}">{{ one.name }}</a>{% endfor %}' +
  '[{{ item.name }}{{ section.name }}{{ page.url }}{{ page.id }}]'

/** The not-found page of a site. */
export function siteNotFoundTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const run = publishing(bench)
  const publish = publications(bench)

  /** A site with a not-found page, and a section with a root page. */
  const aSiteWith = async (templates: object = {}, given: Parameters<typeof aSite>[0] = {}) => {
    const { api } = bench()
    const site = await aSite({
      ...given,
      templates: { ...plainTemplates, 'not-found': notFound, ...templates },
    })
    const section = await aSection(site, { name: 'News', layoutTemplate: 'page' })
    const page = await aPage(section, { name: 'All news' })
    await api.sections.update({ ...inSite(section), rootPageId: page.id })
    return { site, section, page }
  }

  /** What a browser, which accepts pages, is shown. */
  const visible = async (asked: (options: { accept: string }) => Promise<unknown>) => {
    const error = await failing(asked({ accept: 'text/html,*/*;q=0.8' }), 'not_found')
    if (!(error instanceof PageNotFound)) throw new TypeError('There is no not-found page.')
    return error
  }
  const served = ({ slug: siteSlug }: { slug: string }, path: string) =>
    visible((options) => bench().system.sites.serve({ siteSlug, path }, options))

  const archive = async (site: { id: string }, id: string) => {
    const entries = zipEntries(await bytesOf(bench().api.sites.export({ ...onSite(site), id })))
    return (name: string) => entries.get(name) && new TextDecoder().decode(entries.get(name))
  }

  describe('the not-found page of a site', () => {
    it('is rendered with the publication, in the layout of the site, and is not one of its pages', async () => {
      const { api } = bench()
      const { site } = await aSiteWith()
      expect(await publish(site)).toMatchObject({ pages: 1, rendered: 1, files: 4 })
      const html = (root: string) =>
        `<title>${site.name}</title><h1>Not found</h1><a href="${root}">Home</a><a href="${root}news/">News</a>[]`
      for (const path of ['nope', 'nope/', 'a/b/c/nope', 'news/nope.css', '404.html'])
        expect([path, (await served(site, path)).html]).toEqual([path, html(`/sites/${site.slug}/`)])
      for (const path of ['nope', '404.html'])
        await failing(api.sites.serve({ siteSlug: site.slug, path }), 'not_found')
      const sitemap = await textOf(api.sites.serve({ siteSlug: site.slug, path: 'sitemap.xml' }))
      expect(sitemap).not.toContain('404')
      expect(await publish(site)).toMatchObject({ rendered: 0, files: 4 })
      expect((await served(site, 'nope')).html).toBe(html(`/sites/${site.slug}/`))
    })

    it('is a file in the archive, with links from the root of the future address', async () => {
      const { api } = bench()
      const { site } = await aSiteWith()
      const first = await publish(site)
      await api.sites.update({ ...onSite(site), baseUrl: 'https://ink.example.com/mag/' })
      const second = await publish(site)
      expect((await archive(site, first.id))('404.html')).toContain('<a href="/">Home</a><a href="/news/">')
      expect((await archive(site, second.id))('404.html')).toContain(
        '<a href="/mag/">Home</a><a href="/mag/news/">',
      )
      expect((await served(site, 'nope')).html).toContain(`<a href="/sites/${site.slug}/news/">`)
    })

    it('links to the current address of the site, even after a rollback', async () => {
      const { api } = bench()
      const { site } = await aSiteWith()
      const first = await publish(site)
      const slug = `${site.slug}-anew`
      await api.sites.update({ ...onSite(site), slug, templates: plainTemplates })
      const second = await publish(site)
      expect(await archive(site, second.id)).toSatisfy((text) => text('404.html') === undefined)
      const error = await failing(
        bench().system.sites.serve({ siteSlug: slug, path: 'nope' }, { accept: 'text/html' }),
        'not_found',
      )
      expect(error).not.toBeInstanceOf(PageNotFound)
      await api.sites.rollback({ ...onSite(site), id: first.id })
      expect((await served({ slug }, 'nope')).html).toContain(`<a href="/sites/${slug}/news/">`)
    })

    it('has its pictures in the publication while it shows them', async () => {
      const { api, system } = bench()
      const file = await fileOf('png', 'ink.png')
      const { id } = await system.assets.create({ configId, name: 'Lost', file })
      await system.items.publish({ configId, id })
      const { site } = await aSiteWith({ 'not-found': '<img src="{{ site.settings.lost | file }}">' })
      await api.sites.update({ ...onSite(site), settings: { lost: id } })
      for (const rendered of [1, 0]) {
        const { id: publicationId, ...about } = await publish(site)
        expect(about).toMatchObject({ rendered, files: 5 })
        const [, link = ''] = /src="([^"]+)"/.exec((await served(site, 'a/nope')).html) ?? []
        const [, path = ''] = link.split(`/sites/${site.slug}/`)
        expect(path).toMatch(/^assets\//)
        const whole = new Uint8Array(await file.arrayBuffer())
        expect(await bytesOf(api.sites.serve({ siteSlug: site.slug, path }))).toEqual(whole)
        expect((await archive(site, publicationId))('404.html')).toContain(`src="/${path}"`)
      }
    })

    it('makes the publication fail when its template fails, without changing what is served', async () => {
      const { api } = bench()
      const { site } = await aSiteWith()
      await publish(site)
      const templates = { ...plainTemplates, 'not-found': '<h1>\n{{ page.name | shout }}' }
      await api.sites.update({ ...onSite(site), templates })
      const { state, error } = await run(site)
      expect(state).toBe('failed')
      expect(error).toBe(
        'The page "Not found" at /404.html cannot be rendered: template "not-found", line 2, column 1: there is no filter "shout".',
      )
      expect((await served(site, 'nope')).html).toContain('<h1>Not found</h1>')
      const preview = { ...onSite(site), path: 'nope' }
      const reported = await failing(
        bench().system.sites.preview(preview, { accept: 'text/html' }),
        'invalid_state',
      )
      expect(reported.details).toMatchObject({ template: 'not-found', line: 2 })
      await failing(api.sites.preview(preview), 'not_found')
    })

    it('is in the preview, even of a package, and its links stay within the preview', async () => {
      const { api, system } = bench()
      const { site } = await aSiteWith()
      const { packageName } = await newPackage(api)
      const templates = { ...plainTemplates, 'not-found': '<h2>{{ preview }}</h2><a href="{{ site.url }}">' }
      await api.sites.update({ ...onSite(site), packageName, templates })
      const ref = { ...onSite(site), path: 'a/b/nope' }
      const main = await visible((options) => system.sites.preview(ref, options))
      expect(main.html).toContain(`<a href="/api/sites/${configId}/${site.id}/preview/news/">News</a>`)
      const ours = await visible((options) => system.sites.preview({ ...ref, packageName }, options))
      const root = `/api/sites/${configId}/_package/${encodeURIComponent(packageName)}/${site.id}/preview/`
      expect(ours.html).toBe(`<title>${site.name}</title><h2>true</h2><a href="${root}">`)
      for (const { policy } of [main, ours]) expect(policy).toContain("script-src 'none'")
    })

    it('is in the page diff of a package that changes it', async () => {
      const { api } = bench()
      const { site } = await aSiteWith()
      const { repo, packageName } = await newPackage(api)
      const templates = { ...plainTemplates, 'not-found': `${notFound}<p>Sorry</p>` }
      await api.sites.update({ ...onSite(site), packageName, templates })
      const { diffKey } = await api.packages.pageDiff({ repo, packageName })
      const html = await textOf(api.packages.showPageDiff({ diffKey }))
      expect(html).toMatch(/name">Not found</)
      expect(html).toContain('inserted&quot;&gt;Sorry&lt;')
      expect(html).not.toContain('All news')
    })

    it('is shown only to callers who may see the site, and may do what its pages may', async () => {
      const { api, anonymous, as } = bench()
      const { site } = await aSiteWith()
      await publish(site)
      const asked = { siteSlug: site.slug, path: 'nope' }
      const accept = 'text/html'
      const stranger = await bench().inProcess(await as({}))
      const error = await failing(stranger.sites.serve(asked, { accept }), 'not_found')
      expect(error).not.toBeInstanceOf(PageNotFound)
      expect(error.message).toContain(site.slug)
      await failing(anonymous.sites.serve(asked, { accept }), 'unauthorized')
      expect((await served(site, 'nope')).policy).toContain("script-src 'none'")
      const { id } = await api.repositories.create({ name: 'open-lost', public: true })
      const open = await aSite({ configId: id, templates: { 'not-found': 'Lost', page: '' } })
      await api.sites.publish({ configId: id, siteId: open.id })
      await bench().scope.quire.settled()
      expect((await served(open, 'nope')).policy).toContain('allow-scripts')
    })
  })
}
