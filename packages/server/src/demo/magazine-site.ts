import { readdir, readFile } from 'node:fs/promises'
import type { Api, Item, Page } from '@quire/contract'
import { magazinePath } from './demo-path.ts'
import { demoSections, isShelf, type DemoSection } from './sections.ts'

const configId = 'magazine'

/** The ids of the demo's site that later steps need. */
export interface MagazineSite {
  readonly siteId: string
  readonly homePageId: string
  /** Ids of sections by their slugs. */
  readonly sections: ReadonlyMap<string, string>
  /** Ids of pages by the slugs of the items that they show. */
  readonly pages: ReadonlyMap<string, string>
}

/** Creates the site of the magazine from its items, without publishing it. */
export async function createMagazineSite(api: Api): Promise<MagazineSite> {
  const { id: siteId } = await api.sites.create({
    configId,
    name: 'Deckle',
    slug: 'magazine',
    description: 'A magazine about things to read and how they are made.',
    templates: await readTemplates(),
    settings: { motto: 'Things to read, and how they are made', locales: ['en', 'de', 'ar'] },
  })
  const homePageId = await createHome(api, siteId)
  const sections = new Map<string, string>()
  const pages = new Map<string, string>()
  for (const [order, section] of demoSections.entries()) {
    const { id, visible } = await createSection(api, siteId, { section, order: order + 1 })
    sections.set(section.slug, id)
    for (const [slug, pageId] of visible) pages.set(slug, pageId)
  }
  return { siteId, homePageId, sections, pages }
}

async function readTemplates(): Promise<Record<string, string>> {
  const folder = magazinePath('templates')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.liquid'))
  const texts = names.map(async (name) => [
    name.replace('.liquid', ''),
    await readFile(`${folder}/${name}`, 'utf8'),
  ])
  return Object.fromEntries(await Promise.all(texts))
}

async function createHome(api: Api, siteId: string): Promise<string> {
  const section = await api.sections.create({ configId, siteId, name: 'Home' })
  const lead = await itemBySlug(api, 'a-library-with-one-key')
  const kickers = { en: 'In this issue', de: 'In dieser Ausgabe', ar: 'في هذا العدد' }
  const at = { configId, siteId, sectionId: section.id, name: 'Deckle', slug: 'home', template: 'home' }
  const page = await api.pages.create({ ...at, ...homeTexts(lead.id, kickers) })
  await api.sections.update({ configId, siteId, id: section.id, rootPageId: page.id })
  await api.sites.update({ configId, siteId, homeSectionId: section.id })
  return page.id
}

/** What the home page says in each locale: the item in front, and what stands above it. */
export function homeTexts(leadId: string, { en, de, ar }: Readonly<Record<'en' | 'de' | 'ar', string>>) {
  return {
    description: 'A magazine about things to read and how they are made.',
    meta: { leadId, kicker: en },
    locales: {
      de: {
        description: 'Ein Magazin über das, was man liest, und darüber, wie es gemacht wird.',
        meta: { kicker: de },
      },
      ar: { description: 'مجلة عن أشياء تُقرأ وكيف تُصنع.', meta: { kicker: ar } },
    },
  }
}

interface PageAt {
  readonly section: DemoSection
  readonly order: number
}

async function createSection(api: Api, siteId: string, { section, order }: PageAt) {
  const { name, slug, description, locales, template, items } = section
  const { id } = await api.sections.create({ configId, siteId, name, slug, description, locales, order })
  const at = { configId, siteId, sectionId: id }
  const root = await api.pages.create({ ...at, ...(await rootOf(api, section)) })
  await api.sections.update({ configId, siteId, id, rootPageId: root.id })
  const visible: [string, string][] = []
  for (const [location, itemSlug] of items.entries()) {
    const page = await createPage(api, at, { slug: itemSlug, template, order: 10 * (location + 1) })
    visible.push([itemSlug, page.id])
  }
  return { id, visible }
}

async function rootOf(api: Api, section: DemoSection) {
  const { name, description, locales, rootTemplate: template, rootItem } = section
  const common = { slug: 'index', template, meta: { shelf: isShelf(section) } }
  if (rootItem === undefined) return { ...common, name, description, locales }
  const { id: itemId, ...texts } = await itemBySlug(api, rootItem)
  return { ...common, ...texts, itemId }
}

async function createPage(
  api: Api,
  at: { readonly configId: string; readonly siteId: string; readonly sectionId: string },
  { slug, template, order }: { slug: string; template: string; order: number },
): Promise<Page> {
  const { id: itemId, ...texts } = await itemBySlug(api, slug)
  return api.pages.create({ ...at, ...texts, slug, itemId, template, order })
}

async function itemBySlug(api: Api, slug: string) {
  const select = ['id', 'name', 'description', 'fields']
  const item = await api.items.getBySlug({ configId, slug, select, locale: '*' })
  const { id, name = '', description = '', fields } = item
  return { id, name, description, locales: pageTexts(fields) }
}

/** What the page of an item is called in the locales into which its title is translated. */
export function pageTexts(fields: Item['fields'] | undefined) {
  const { en, ...titles } = Object(fields?.['title']) as Record<string, string>
  const summaries = Object(fields?.['summary']) as Record<string, string>
  return Object.fromEntries(
    Object.entries(titles).map(([code, name]) => {
      const slug = name === en ? {} : { slug: slugOf(name) }
      return [code, { name, ...slug, ...(summaries[code] && { description: summaries[code] }) }]
    }),
  )
}

/** Letters of any script, without vowel signs, with dashes between the words. */
function slugOf(title: string): string {
  const plain = title.normalize('NFC').replaceAll(/\p{M}/gu, '')
  return (plain.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? []).join('-')
}
