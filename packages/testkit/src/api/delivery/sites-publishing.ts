import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import { bytesOf, fileOf, prepareFiles } from '../files/files.ts'
import { anArticle } from './magazine.ts'
import type { Bench } from '../host.ts'
import { inSite, leadsTo, onSite, pagesOf, plainTemplates } from './sites-steps.ts'
import { publications, publishedArticles, publishing, sectionsOf, visibleAt, sitesOf } from './sites-steps.ts'

const configId = 'magazine'

export function sitePublishingTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const aSite = sitesOf(bench)
  const aSection = sectionsOf(bench)
  const aPage = pagesOf(bench)
  const anArticleOut = publishedArticles(bench)
  const run = publishing(bench)
  const publish = publications(bench)
  const at = (site: { slug: string }, path?: string) => visibleAt(bench().api, site, path)

  /**
   * A site with a section, and for each name a page that shows a published article of that name.
   */
  const siteOf = async (names: readonly string[], given: Parameters<typeof aSite>[0] = {}) => {
    const site = await aSite(given)
    const section = await aSection(site, { name: 'Articles' })
    const made = []
    for (const name of names) {
      const item = await anArticleOut(name)
      made.push({ item, page: await aPage(section, { name, itemId: item.id }) })
    }
    const [first] = made
    if (!first) throw new TypeError('Name at least one.')
    return { site, section, made, first }
  }

  describe('publishing a site', () => {
    it('queues a job, which further requests join until it has ended', async () => {
      const { api, scope } = bench()
      const { site } = await siteOf(['Joined'])
      const jobs = await Promise.all([api.sites.publish(onSite(site)), api.sites.publish(onSite(site))])
      expect(jobs[0]).toMatchObject({ kind: 'site.publish', id: expect.stringMatching(/^JOB_/) })
      await scope.quire.settled()
      const { count } = await api.sites.publications(onSite(site))
      expect(count).toBe(new Set(jobs.map(({ id }) => id)).size)
      expect(await api.queue.get({ jobId: jobs[0].id })).toMatchObject({
        state: 'succeeded',
        error: null,
      })
    })

    it('shows each visible page whose item is published, with escaped names', async () => {
      const { api, system } = bench()
      const { site, section, first } = await siteOf(['Ink <b>& "Paper"'])
      const role = await system.roles.create({ name: 'Subscribers' })
      const limited = await anArticleOut('Limited', { readPerm: [role.id] })
      const draft = await system.items.create(anArticle({ name: 'Draft', fields: { title: 'Draft' } }))
      for (const [slug, itemId] of [
        ['limited', limited.id],
        ['draft', draft.id],
      ] as const)
        await bench().system.pages.create({
          ...onSite(site),
          sectionId: section.id,
          name: slug,
          slug,
          itemId,
        })
      await aPage(section, { slug: 'hidden', visible: false })
      await aPage(section, { slug: 'bare', name: 'Bare' })
      const publication = await publish(site, { comment: 'The first' })
      expect(publication).toMatchObject({
        id: expect.stringMatching(/^PUBL_/),
        siteId: site.id,
        number: 1,
        isActive: true,
        pages: 2,
        rendered: 2,
        files: 4,
        redirects: 0,
        comment: 'The first',
      })
      expect(publication.bytes).toBeGreaterThan(0)
      const html = await at(site, `articles/${first.page.slug}/`)
      expect(html).toBe(`<title>${site.name}</title><h1>Ink &lt;b&gt;&amp; &#34;Paper&#34;</h1>`)
      expect(await at(site, 'articles/bare/')).toContain('<h1>Bare</h1>')
      for (const slug of ['limited', 'draft', 'hidden'])
        await failing(api.sites.serve({ siteSlug: site.slug, path: `articles/${slug}/` }), 'not_found')
    })

    it('never shows a draft, and shows newly published versions', async () => {
      const { system } = bench()
      const { site, first } = await siteOf(['First'])
      const ref = { configId, id: first.item.id }
      await system.items.update({ ...ref, name: 'Secret draft' })
      await publish(site)
      expect(await at(site, 'articles/first/')).toContain('<h1>First</h1>')
      await system.items.publish(ref)
      expect(await at(site, 'articles/first/')).toContain('<h1>First</h1>')
      await publish(site)
      expect(await at(site, 'articles/first/')).toContain('<h1>Secret draft</h1>')
      await system.items.unpublish(ref)
      expect((await publish(site)).pages).toBe(0)
      await failing(bench().api.sites.serve({ siteSlug: site.slug, path: 'articles/first/' }), 'not_found')
    })

    it('renders only what changed since', async () => {
      const { api, system } = bench()
      const { site, section, made, first } = await siteOf(['One', 'Two', 'Three'])
      expect(await publish(site)).toMatchObject({ pages: 3, rendered: 3 })
      expect(await publish(site)).toMatchObject({ number: 2, pages: 3, rendered: 0 })
      const ref = { configId, id: first.item.id }
      await system.items.update({ ...ref, name: 'One anew' })
      expect((await publish(site)).rendered).toBeLessThanOrEqual(1)
      await system.items.publish(ref)
      expect(await publish(site)).toMatchObject({ pages: 3, rendered: 1 })
      expect(await at(site, 'articles/one/')).toContain('One anew')
      expect(await at(site, 'articles/two/')).toContain('Two')
      await aPage(section, { name: 'Four' })
      expect(await publish(site)).toMatchObject({ pages: 4, rendered: 1 })
      await api.pages.update({ ...inSite(made[1]?.page ?? first.page), meta: { wide: true } })
      expect(await publish(site)).toMatchObject({ pages: 4, rendered: 1 })
      await api.sites.update({
        ...onSite(site),
        templates: { ...plainTemplates, page: '<h2>{{ item.name }}</h2>' },
      })
      expect(await at(site, 'articles/two/')).toContain('<h1>')
      expect(await publish(site)).toMatchObject({ pages: 4, rendered: 4 })
      expect(await at(site, 'articles/two/')).toContain('<h2>Two</h2>')
      expect(await publish(site, { full: true })).toMatchObject({ pages: 4, rendered: 4 })
    })

    it('does not change the site when a template fails, and reports where', async () => {
      const { api, scope } = bench()
      const { site, first } = await siteOf(['Sound'])
      const { id } = await publish(site)
      const broken = { ...plainTemplates, page: '<h1>\n{{ item.name | no_such_filter }}' }
      await api.sites.update({ ...onSite(site), templates: broken })
      const { state, error } = await run(site)
      expect(state).toBe('failed')
      for (const text of [first.page.name, '"page"', 'line 2', 'no_such_filter'])
        expect(JSON.stringify(error).replaceAll('\\"', '"')).toContain(text)
      await api.sites.update({ ...onSite(site), templates: plainTemplates })
      await api.pages.update({ ...inSite(first.page), template: 'none' })
      const missing = await run(site)
      expect(missing.state).toBe('failed')
      expect(JSON.stringify(missing.error)).toMatch(/none/)
      expect(await at(site, 'articles/sound/')).toContain('<h1>Sound</h1>')
      const { items } = await api.sites.publications(onSite(site))
      expect(items.map((one) => [one.id, one.isActive])).toEqual([[id, true]])
      const events = await scope.store.journal.read({ after: 0, limit: 1000, entityId: site.id })
      expect(events.filter(({ event }) => event === 'SITE_PUBLISHED')).toHaveLength(1)
    })

    it('fails when the item of a page no longer exists, and names the page', async () => {
      const { system } = bench()
      const { site, first } = await siteOf(['Goes', 'Stays'])
      await publish(site)
      await system.items.delete({ configId, id: first.item.id })
      const { state, error } = await run(site)
      expect(state).toBe('failed')
      for (const text of ['Goes', first.page.id, first.item.id]) expect(JSON.stringify(error)).toContain(text)
      expect(await at(site, 'articles/goes/')).toContain('Goes')
      await system.pages.delete(inSite(first.page))
      expect(await publish(site)).toMatchObject({ pages: 1 })
    })

    it('can be rolled back to any stored publication', async () => {
      const { api } = bench()
      const { site, first } = await siteOf(['Back'])
      const one = await publish(site)
      await api.pages.update({ ...inSite(first.page), slug: 'forth' })
      const two = await publish(site)
      await failing(api.sites.serve({ siteSlug: site.slug, path: 'articles/none/' }), 'not_found')
      const ref = { ...onSite(site), id: one.id }
      expect(await api.sites.rollback(ref)).toEqual({ ...one, isActive: true })
      expect(await at(site, 'articles/back/')).toContain('Back')
      const { items } = await api.sites.publications(onSite(site))
      expect(items.map(({ id, isActive }) => [id, isActive])).toEqual([
        [two.id, false],
        [one.id, true],
      ])
      const { site: other } = await siteOf(['Other'])
      await failing(api.sites.rollback({ ...onSite(other), id: one.id }), 'not_found')
      const [rolledBack] = (await api.activity.list({ configId, entityId: site.id })).items
      expect(rolledBack).toMatchObject({
        event: 'SITE_ROLLED_BACK',
        entity: { kind: 'site', name: site.name },
      })
      expect(await publish(site)).toMatchObject({ number: 3, isActive: true })
      expect(await leadsTo(bench(), site, 'articles/back/')).toBe(`/sites/${site.slug}/articles/forth/`)
    })

    it('never takes the address of another served site', async () => {
      const { api } = bench()
      const { site } = await siteOf(['Mine'])
      const { slug } = site
      const mine = await publish(site)
      await api.sites.update({ ...onSite(site), slug: `${slug}-away` })
      await failing(aSite({ slug }), 'slug_taken')
      const { site: other } = await siteOf(['Theirs'])
      await failing(api.sites.update({ ...onSite(other), slug }), 'slug_taken')
      await publish(site)
      await failing(api.sites.serve({ siteSlug: slug }), 'not_found')
      await api.sites.update({ ...onSite(other), slug })
      await publish(other)
      await api.sites.rollback({ ...onSite(site), id: mine.id })
      expect(await at({ slug }, 'articles/theirs/')).toContain('Theirs')
      expect(await at({ slug: `${slug}-away` }, 'articles/mine/')).toContain('Mine')
    })

    it('redirects from old addresses of a page to the current one', async () => {
      const { api } = bench()
      const { site, section, first } = await siteOf(['Moving'])
      await publish(site)
      await api.pages.update({ ...inSite(first.page), slug: 'moved' })
      await api.sections.update({ ...inSite(section), slug: 'essays' })
      expect(await publish(site)).toMatchObject({ redirects: 1 })
      const root = `/sites/${site.slug}`
      expect(await leadsTo(bench(), site, 'articles/moving/')).toBe(`${root}/essays/moved/`)
      expect(await leadsTo(bench(), site, 'articles/moving')).toBe(`${root}/essays/moved/`)
      expect(await leadsTo(bench(), site, 'essays/moved')).toBe(`${root}/essays/moved/`)
      expect(await leadsTo(bench(), site, 'essays/moved/')).toBeNull()
    })

    it('redirects again once a hidden page is shown again, and after a rollback', async () => {
      const { api, system } = bench()
      const { site, section, first } = await siteOf(['Away'])
      const one = await publish(site)
      const ref = inSite(first.page)
      const slugs = ['b', 'c', 'd', 'e'] as const
      const [b, c, d, e] = slugs
      await api.pages.update({ ...ref, slug: b })
      await publish(site)
      await system.items.unpublish({ configId, id: first.item.id })
      expect(await publish(site)).toMatchObject({ pages: 0, redirects: 0 })
      await failing(api.sites.serve({ siteSlug: site.slug, path: 'articles/away/' }), 'not_found')
      await system.items.publish({ configId, id: first.item.id })
      await api.pages.update({ ...ref, slug: c, visible: false })
      await publish(site)
      await api.pages.update({ ...ref, visible: true })
      expect(await publish(site)).toMatchObject({ redirects: 2 })
      const seen = (slug: string) => `/sites/${site.slug}/articles/${slug}/`
      for (const old of ['away', b]) expect(await leadsTo(bench(), site, `articles/${old}/`)).toBe(seen(c))
      await api.sites.rollback({ ...onSite(site), id: one.id })
      await api.pages.update({ ...ref, slug: d })
      expect(await publish(site)).toMatchObject({ redirects: 3 })
      for (const old of ['away', b, c]) expect(await leadsTo(bench(), site, `articles/${old}/`)).toBe(seen(d))
      await api.pages.delete(ref)
      await aPage(section, { slug: e, itemId: first.item.id })
      expect(await publish(site)).toMatchObject({ redirects: 0 })
    })

    it('renders the pictures that its pages show', async () => {
      const { api, system } = bench()
      const page = '<img src="{{ item | rendition: \'card\' }}"><a href="{{ item | file }}">all</a>'
      const { site, section } = await siteOf(['Text'], { templates: { page } })
      const file = await fileOf('png', 'ink.png')
      const picture = await system.assets.create({ configId, name: 'Picture', file })
      await system.items.publish({ configId, id: picture.id })
      await aPage(section, { name: 'Picture', itemId: picture.id })
      // A picture that is already in the cache is included in the publication as well.
      await bytesOf(api.assets.get({ configId, assetId: picture.id, rendition: 'card', format: 'png' }))
      await bench().scope.quire.settled()
      const { files } = await publish(site)
      expect(files).toBe(6)
      const html = await at(site, 'articles/picture/')
      const links = [...html.matchAll(/"([^"]+)"/g)].map(([, link = '']) => link)
      expect(links).toHaveLength(2)
      const [card, original] = links.map((link) => link.replace(/^(\.\.\/)+/, ''))
      expect(card).toMatch(/^assets\//)
      const seen = await api.sites.serve({ siteSlug: site.slug, path: card ?? '' })
      expect(seen.mimeType).toMatch(/^image\//)
      await seen.bytes()
      const whole = await bytesOf(api.sites.serve({ siteSlug: site.slug, path: original ?? '' }))
      expect(whole).toEqual(new Uint8Array(await file.arrayBuffer()))
      expect(await publish(site)).toMatchObject({ rendered: 0, files: 6 })
      expect(await bytesOf(api.sites.serve({ siteSlug: site.slug, path: original ?? '' }))).toEqual(whole)
    })

    it('ends with the site, which is then no longer served', async () => {
      const { api } = bench()
      const { site } = await siteOf(['Ends'])
      await publish(site)
      await api.sites.delete({ ...onSite(site), recursive: true })
      await allFailing(
        [
          api.sites.serve({ siteSlug: site.slug, path: 'articles/ends/' }),
          api.sites.publications(onSite(site)),
        ],
        'not_found',
      )
      await aSite({ slug: site.slug })
    })
  })
}
