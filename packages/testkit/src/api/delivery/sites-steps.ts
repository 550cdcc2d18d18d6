import type { Api, Job, Page, Section, Site } from '@quire/contract'
import { ServedBytes } from '@quire/core'
import { anArticle } from './magazine.ts'
import { textOf } from '../files/files.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

let made = 0

type NewSite = Partial<Parameters<Api['sites']['create']>[0]>
type NewSection = Partial<Parameters<Api['sections']['create']>[0]>
type NewPage = Partial<Parameters<Api['pages']['create']>[0]>

/** Templates that show little, so that tests can name it whole. */
export const plainTemplates = {
  layout: '<title>{{ site.name }}</title>{{ content }}',
  page: '<h1>{{ item.name | default: page.name }}</h1>',
}

/** Makes sites with plain templates, named in order unless told. */
export function sitesOf(bench: () => Bench) {
  return (given: NewSite = {}): Promise<Site> => {
    const number = ++made
    const site = { name: `Site ${number}`, slug: `site-${number}`, templates: plainTemplates }
    return bench().api.sites.create({ configId, ...site, ...given })
  }
}

/** Makes sections of a site, named in order unless told. */
export function sectionsOf(bench: () => Bench) {
  return ({ id: siteId }: Pick<Site, 'id'>, given: NewSection = {}): Promise<Section> =>
    bench().api.sections.create({ configId, siteId, name: `Section ${++made}`, ...given })
}

/** Makes pages in a section, named in order unless told. */
export function pagesOf(bench: () => Bench) {
  return ({ id: sectionId, siteId }: Pick<Section, 'id' | 'siteId'>, given: NewPage = {}): Promise<Page> =>
    bench().api.pages.create({ configId, siteId, sectionId, name: `Page ${++made}`, ...given })
}

/** What names a site on main. */
export function onSite({ id }: Pick<Site, 'id'>) {
  return { configId, siteId: id }
}

/** What names a section or page on main. */
export function inSite({ id, siteId }: Pick<Section, 'id' | 'siteId'>) {
  return { configId, siteId, id }
}

/** Makes articles that are published, with their name as title. */
export function publishedArticles(bench: () => Bench) {
  return async (name: string, more: Partial<Parameters<typeof anArticle>[0]> = {}) => {
    const { items } = bench().system
    const { id } = await items.create(anArticle({ name, fields: { title: name }, ...more }))
    return items.publish({ configId, id })
  }
}

type Publish = Omit<Parameters<Api['sites']['publish']>[0], 'configId' | 'siteId'>

/** Publishes sites and answers how the job ended. */
export function publishing(bench: () => Bench) {
  return async (site: Pick<Site, 'id'>, given: Publish = {}): Promise<Job> => {
    const { api, scope } = bench()
    const { id: jobId } = await api.sites.publish({ ...onSite(site), ...given })
    await scope.quire.settled()
    return api.queue.get({ jobId })
  }
}

/** Publishes sites and answers the new publication, the one that is served. */
export function publications(bench: () => Bench) {
  const publish = publishing(bench)
  return async (site: Pick<Site, 'id'>, given: Publish = {}) => {
    const { state, error } = await publish(site, given)
    if (state !== 'succeeded') throw new Error(`The site is not published: ${JSON.stringify(error)}`)
    const [newest] = (await bench().api.sites.publications(onSite(site))).items
    if (!newest?.isActive) throw new Error('The new publication is not the one that is served.')
    return newest
  }
}

/** What a site shows at an address, as a text. */
export function visibleAt(api: Api, { slug: siteSlug }: Pick<Site, 'slug'>, path = ''): Promise<string> {
  return textOf(api.sites.serve({ siteSlug, path }))
}

/** Where an address of a site leads, without the address of the service; null where it leads nowhere. */
export async function leadsTo(
  bench: Bench,
  { slug }: Pick<Site, 'slug'>,
  path: string,
): Promise<string | null> {
  const answer = await bench.system.sites.serve({ siteSlug: slug, path })
  if (!(answer instanceof ServedBytes))
    throw new TypeError('In process bytes come with where they are found.')
  const { location } = answer.source
  return location === undefined ? null : new URL(location).pathname
}
