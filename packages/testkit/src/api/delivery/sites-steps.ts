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

/** Templates with little output, so that tests can compare all of it. */
export const plainTemplates = {
  layout: '<title>{{ site.name }}</title>{{ content }}',
  page: '<h1>{{ item.name | default: page.name }}</h1>',
}

/** Creates sites with plain templates, by default with numbered names. */
export function sitesOf(bench: () => Bench) {
  return (given: NewSite = {}): Promise<Site> => {
    const number = ++made
    const site = { name: `Site ${number}`, slug: `site-${number}`, templates: plainTemplates }
    return bench().api.sites.create({ configId, ...site, ...given })
  }
}

/** Creates sections of a site, by default with numbered names. */
export function sectionsOf(bench: () => Bench) {
  return ({ id: siteId }: Pick<Site, 'id'>, given: NewSection = {}): Promise<Section> =>
    bench().api.sections.create({ configId, siteId, name: `Section ${++made}`, ...given })
}

/** Creates pages in a section, by default with numbered names. */
export function pagesOf(bench: () => Bench) {
  return ({ id: sectionId, siteId }: Pick<Section, 'id' | 'siteId'>, given: NewPage = {}): Promise<Page> =>
    bench().api.pages.create({ configId, siteId, sectionId, name: `Page ${++made}`, ...given })
}

/** Identifies a site on main. */
export function onSite({ id }: Pick<Site, 'id'>) {
  return { configId, siteId: id }
}

/** Identifies a section or page on main. */
export function inSite({ id, siteId }: Pick<Section, 'id' | 'siteId'>) {
  return { configId, siteId, id }
}

/** Creates published articles, with their name as title. */
export function publishedArticles(bench: () => Bench) {
  return async (name: string, more: Partial<Parameters<typeof anArticle>[0]> = {}) => {
    const { items } = bench().system
    const { id } = await items.create(anArticle({ name, fields: { title: name }, ...more }))
    return items.publish({ configId, id })
  }
}

type Publish = Omit<Parameters<Api['sites']['publish']>[0], 'configId' | 'siteId'>

/** Publishes a site and returns the ended job. */
export function publishing(bench: () => Bench) {
  return async (site: Pick<Site, 'id'>, given: Publish = {}): Promise<Job> => {
    const { api, scope } = bench()
    const { id: jobId } = await api.sites.publish({ ...onSite(site), ...given })
    await scope.quire.settled()
    return api.queue.get({ jobId })
  }
}

/** Publishes a site and returns the new publication, which is served. */
export function publications(bench: () => Bench) {
  const publish = publishing(bench)
  return async (site: Pick<Site, 'id'>, given: Publish = {}) => {
    const { state, error } = await publish(site, given)
    if (state !== 'succeeded') throw new Error(`The site is not published: ${JSON.stringify(error)}`)
    const [newest] = (await bench().api.sites.publications(onSite(site))).items
    if (!newest?.isActive) throw new Error('The new publication is not the served one.')
    return newest
  }
}

/** The content of a site at an address, as text. */
export function visibleAt(api: Api, { slug: siteSlug }: Pick<Site, 'slug'>, path = ''): Promise<string> {
  return textOf(api.sites.serve({ siteSlug, path }))
}

/**
 * The target of an address of a site, without the address of the service; null when it is not a
 * redirect.
 */
export async function leadsTo(
  bench: Bench,
  { slug }: Pick<Site, 'slug'>,
  path: string,
): Promise<string | null> {
  const answer = await bench.system.sites.serve({ siteSlug: slug, path })
  if (!(answer instanceof ServedBytes)) throw new TypeError('In process, bytes must come with their address.')
  const { location } = answer.source
  return location === undefined ? null : new URL(location).pathname
}
