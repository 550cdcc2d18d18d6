import type { Page, Section, Site } from '@quire/contract'
import { PageNotFound } from '@quire/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { locales } from '../content/locales.ts'
import { failing, invalidAt } from '../failing.ts'
import { textOf } from '../files/files.ts'
import type { Bench } from '../host.ts'
import { leadsTo, visibleAt } from './sites-steps.ts'

const configId = 'tongues'

const templates = {
  layout:
    '<html lang="{{ locale.code }}" dir="{{ locale.direction }}"><a href="{{ site.url }}">Home</a>{{ content }}' +
    '{% for one in page.alternates %}[{{ one.code }}{% if one.isCurrent %}*{% endif %} {{ one.name }} {{ one.url }} {{ one.path }}]{% endfor %}',
  page:
    '<h1>{{ item.fields.title | default: page.name }}</h1><i>{{ page.meta.tone }}{{ page.meta.size }}</i>' +
    '{% for one in site.sections %}<a href="{{ one.url }}">{{ one.name }}</a>{% endfor %}{{ other | item }}',
}

/** Sites in several locales. */
export function siteLocaleTests(bench: () => Bench): void {
  let site: Site
  let section: Section
  let home: Page
  let page: Page
  let itemId: string

  const at = (node: { id: string }) => ({ configId, siteId: site.id, id: node.id })
  const publish = async () => {
    const { api, scope } = bench()
    const { id: jobId } = await api.sites.publish({ configId, siteId: site.id })
    await scope.quire.settled()
    const { state, error } = await api.queue.get({ jobId })
    expect([state, error]).toEqual(['succeeded', null])
    const [newest] = (await api.sites.publications({ configId, siteId: site.id })).items
    return newest
  }
  const absent = (path: string) =>
    failing(bench().api.sites.serve({ siteSlug: site.slug, path }), 'not_found')

  beforeAll(async () => {
    const { api } = bench()
    await api.repositories.create({ name: configId, settings: { locales } })
    await api.types.create({ name: 'note', fields: [{ name: 'title', kind: 'text', localized: true }] })
    const title = { en: 'Ink', de: 'Tinte', ar: 'حبر' }
    const item = await api.items.create({
      repositoryId: configId,
      type: 'note',
      name: 'Ink',
      locale: '*',
      fields: { title },
    })
    itemId = item.id
    await api.items.publish({ configId, id: itemId, locales: ['en', 'de'] })
    site = await api.sites.create({
      configId,
      name: 'Tongues',
      slug: 'tongues',
      baseUrl: 'https://tongues.example',
      templates,
      settings: { locales: ['de', 'en', 'ar'], tone: 'calm' },
    })
    const inSite = { configId, siteId: site.id }
    section = await api.sections.create({ ...inSite, name: 'Front', slug: 'front' })
    const notes = await api.sections.create({
      ...inSite,
      name: 'Notes',
      slug: 'notes',
      locales: { de: { name: 'Notizen', slug: 'notizen' }, ar: { name: 'ملاحظات', slug: 'ملاحظات' } },
    })
    home = await api.pages.create({ ...inSite, sectionId: section.id, name: 'Welcome' })
    page = await api.pages.create({
      ...inSite,
      sectionId: notes.id,
      name: 'Ink',
      itemId,
      meta: { tone: 'dark', size: 2 },
      locales: { de: { name: 'Tinte', slug: 'tinte', meta: { tone: 'dunkel' } } },
    })
    await api.sections.update({ ...at(section), rootPageId: home.id })
    await api.sites.update({ configId, siteId: site.id, homeSectionId: section.id })
  })

  describe('a site in several locales', () => {
    it('has the default one without a prefix, and pages where their items are public', async () => {
      const { api } = bench()
      expect(await publish()).toMatchObject({ pages: 5, rendered: 5 })
      expect(await visibleAt(api, site, 'notes/ink/')).toBe(
        '<html lang="en" dir="ltr"><a href="../../">Home</a><h1>Ink</h1><i>dark2</i>' +
          '<a href="../../">Front</a><a href="">Notes</a>' +
          '[en* English ./ notes/ink][de Deutsch ../../de/notizen/tinte/ de/notizen/tinte]',
      )
      expect(await visibleAt(api, site, 'de/notizen/tinte/')).toBe(
        '<html lang="de" dir="ltr"><a href="../../">Home</a><h1>Tinte</h1><i>dunkel2</i>' +
          '<a href="../../">Front</a><a href="">Notizen</a>' +
          '[en English ../../../notes/ink/ notes/ink][de* Deutsch ./ de/notizen/tinte]',
      )
      expect(await visibleAt(api, site, 'ar/')).toContain('<html lang="ar" dir="rtl"><a href="./">Home</a>')
      await absent('ar/ملاحظات/ink/')
      await absent('de/notes/ink/')
    })

    it('links the locales in its sitemap', async () => {
      const sitemap = await visibleAt(bench().api, site, 'sitemap.xml')
      expect(sitemap).toContain('xmlns:xhtml="http://www.w3.org/1999/xhtml"')
      const links =
        '<xhtml:link rel="alternate" hreflang="en" href="https://tongues.example/notes/ink/"/>' +
        '<xhtml:link rel="alternate" hreflang="de" href="https://tongues.example/de/notizen/tinte/"/>'
      expect(sitemap.split(links)).toHaveLength(3)
      expect(sitemap).toContain('<loc>https://tongues.example/ar/</loc>')
    })

    it('renders again what changes, in the locales in which it is', async () => {
      const { api } = bench()
      await api.items.publish({ configId, id: itemId, locales: ['ar'] })
      expect(await publish()).toMatchObject({ pages: 6 })
      expect(await visibleAt(api, site, 'ar/ملاحظات/ink/')).toContain('<h1>حبر</h1><i>dark2</i>')
      expect(await visibleAt(api, site, 'notes/ink/')).toContain('[ar العربية ../../ar/')
      expect(await publish()).toMatchObject({ pages: 6, rendered: 0 })
      await api.items.update({ configId, id: itemId, locale: 'de', fields: { title: 'Schwarze Tinte' } })
      await publish()
      expect(await visibleAt(api, site, 'de/notizen/tinte/')).toContain('<h1>Tinte</h1>')
      await api.items.publish({ configId, id: itemId, locales: ['de'] })
      await publish()
      expect(await visibleAt(api, site, 'de/notizen/tinte/')).toContain('<h1>Schwarze Tinte</h1>')
      await api.items.unpublish({ configId, id: itemId, locales: ['en'] })
      expect(await publish()).toMatchObject({ pages: 5 })
      await absent('notes/ink/')
      expect(await visibleAt(api, site, 'de/notizen/tinte/')).not.toContain('[en ')
    })

    it('redirects the old address of a page in its locale', async () => {
      const { api } = bench()
      await api.pages.update({ ...at(page), locales: { de: { slug: 'schwarze-tinte' } } })
      await publish()
      expect(await leadsTo(bench(), site, 'de/notizen/tinte/')).toBe(
        '/sites/tongues/de/notizen/schwarze-tinte/',
      )
      expect(await visibleAt(api, site, 'de/notizen/schwarze-tinte/')).toContain('<i>dark2</i>')
      expect(await leadsTo(bench(), site, 'ar/ملاحظات/ink/')).toBeNull()
    })

    it('is previewed and compared in each of them', async () => {
      const { api } = bench()
      const packageName = 'red'
      await api.packages.create({ repo: configId, name: packageName })
      const on = { configId, packageName }
      await api.items.update({ ...on, id: itemId, locale: 'de', fields: { title: 'Rote Tinte' } })
      const path = 'de/notizen/schwarze-tinte/'
      const preview = (more: object = {}) =>
        textOf(api.sites.preview({ configId, siteId: site.id, path, ...more }))
      expect(await preview()).toContain('<h1>Schwarze Tinte</h1>')
      expect(await preview({ packageName })).toContain(
        '<html lang="de" dir="ltr"><a href="../../">Home</a><h1>Rote',
      )
      // Nothing is hidden in a preview.
      expect(await preview({ path: 'notes/ink/' })).toContain('<h1>Ink</h1>')
      const { diffKey } = await api.packages.pageDiff({ repo: configId, packageName })
      const html = await textOf(api.packages.showPageDiff({ diffKey }))
      expect(html).toContain('de/notizen/schwarze-tinte')
      expect(html).toContain('Rote')
      // The Arabic page stays as it is.
      expect(html).not.toContain('حبر')
    })

    it('has a page for what is not there in each of them', async () => {
      const { api, system } = bench()
      const lost = '<h1>{{ locale.code }}</h1><a href="{{ site.url }}">'
      await api.sites.update({ configId, siteId: site.id, templates: { ...templates, 'not-found': lost } })
      await publish()
      const accept = 'text/html'
      const visible = async (path: string) => {
        const error = await failing(
          system.sites.serve({ siteSlug: site.slug, path }, { accept }),
          'not_found',
        )
        return error instanceof PageNotFound ? error.html : ''
      }
      expect(await visible('nope/')).toContain('<h1>en</h1><a href="/sites/tongues/">')
      for (const path of ['de/nope/', 'de/404.html'])
        expect(await visible(path)).toContain('<h1>de</h1><a href="/sites/tongues/de/">')
      const preview = { configId, siteId: site.id, path: 'ar/nope' }
      const error = await failing(system.sites.preview(preview, { accept }), 'not_found')
      expect(error instanceof PageNotFound && error.html).toContain('<html lang="ar" dir="rtl">')
    })

    it('names what is wrong', async () => {
      const { api } = bench()
      const siteRef = { configId, siteId: site.id }
      const settings = (chosen: string[] | string) => ({ ...siteRef, settings: { locales: chosen } })
      expect(await invalidAt(api.sites.update(settings(['en', 'fr'])))).toEqual(['settings.locales.1'])
      expect(await invalidAt(api.sites.update(settings('de')))).toEqual(['settings.locales'])
      expect(
        await invalidAt(api.sites.create({ configId, name: 'X', slug: 'x', settings: { locales: ['fr'] } })),
      ).toEqual(['settings.locales.0'])
      const fr = { fr: { name: 'Encre' } }
      expect(await invalidAt(api.pages.update({ ...at(page), locales: fr }))).toEqual(['locales.fr'])
      expect(await invalidAt(api.sections.update({ ...at(section), locales: fr }))).toEqual(['locales.fr'])
      expect(await invalidAt(api.sections.update({ ...at(section), locales: { en: {} } }))).toEqual([
        'locales.en',
      ])
      await api.repositories.create({ name: 'one-tongue' })
      const plain = { configId: 'one-tongue' }
      const other = await api.sites.create({ ...plain, name: 'Y', slug: 'y', settings: { locales: ['fr'] } })
      const inOther = { ...plain, siteId: other.id }
      expect(await invalidAt(api.sections.create({ ...inOther, name: 'S', locales: fr }))).toEqual([
        'locales.fr',
      ])
      const slugged = (slug: string) => api.pages.update({ ...at(page), locales: { de: { slug } } })
      for (const slug of ['cafe\u0301', '\u0301a', 'Tinte'])
        expect(await invalidAt(slugged(slug))).toEqual(['locales.de.slug'])
      // Words with marks, as in Hindi.
      await slugged('हिन्दी-स्याही')
      await slugged('schwarze-tinte')
      // Two pages at one address in one of the locales.
      await api.pages.create({
        ...siteRef,
        sectionId: page.sectionId,
        name: 'Second',
        locales: { de: { slug: 'schwarze-tinte' } },
      })
      const { id: jobId } = await api.sites.publish(siteRef)
      await bench().scope.quire.settled()
      expect(await api.queue.get({ jobId })).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('the address "de/notizen/schwarze-tinte"'),
      })
    })

    it('keeps names and addresses when another locale becomes the default one', async () => {
      const { api } = bench()
      const { items } = await api.pages.list({ configId, siteId: site.id })
      const second = items.find(({ name }) => name === 'Second')
      if (second) await api.pages.delete(at(second))
      await api.items.publish({ configId, id: itemId, locales: ['en'] })
      await api.repositories.update({
        id: configId,
        settings: { locales: { ...locales, default: 'de' } },
        migrate: true,
      })
      await publish()
      const german = await visibleAt(api, site, 'notizen/schwarze-tinte/')
      expect(german).toContain('<html lang="de"')
      expect(german).toContain('>Notizen</a>')
      const english = await visibleAt(api, site, 'en/notes/ink/')
      expect(english).toContain('<html lang="en"')
      expect(english).toContain('>Notes</a>')
      // What is read can be written.
      const read = await api.pages.get(at(page))
      expect(await api.pages.update({ ...at(page), locales: read.locales })).toEqual(read)
      expect(await invalidAt(api.sections.update({ ...at(section), locales: { de: {} } }))).toEqual([
        'locales.de',
      ])
    })
  })
}
