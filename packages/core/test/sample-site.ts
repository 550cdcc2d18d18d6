import type { Item, Page, Section, Site } from '@quire/contract'
import type { PageNode, SectionNode, SiteMap } from '../src/delivery/sites/site-map.ts'
import type { RenderSource } from '../src/delivery/sites/render/template-fault.ts'

/** A site for tests: its sections by path, with their pages. Everything else has sample values. */
export interface SampleSite {
  readonly site?: Partial<Site>
  readonly sections?: readonly SampleSection[]
}

/** A section for tests. */
export interface SampleSection extends Partial<Section> {
  readonly id: string
  readonly within?: string
  readonly pages?: readonly (Partial<Page> & { readonly id: string })[]
}

const user = { userName: 'ada', displayName: 'Ada', email: 'ada@example.com' }

const structure = {
  packageName: null,
  createdDate: 0,
  updatedDate: 0,
  createdByUser: user,
  updatedByUser: user,
  currentVersion: 1,
}

const wholeSite = {
  id: 'SITE_1',
  repositoryId: 'REPO_1',
  name: 'Garden',
  slug: 'garden',
  description: '',
  baseUrl: '',
  templates: {},
  layoutTemplate: null,
  homeSectionId: null,
  settings: {},
  ...structure,
}

/**
 * Creates a site for tests. A section's root page is the one that it names; sections are in the
 * given order.
 */
export function sampleSite({ site = {}, sections = [] }: SampleSite): SiteMap {
  const whole: Site = { ...wholeSite, ...site }
  const nodes = new Map<string, SampleNode>()
  const pages = new Map<string, PageNode>()
  for (const given of sections) {
    const parent = nodes.get(given.within ?? '') ?? null
    const section = sampleSection(given)
    const path = pathOf(parent, section.id === whole.homeSectionId ? '' : section.slug)
    const node = { section, parent, path, sections: [], pages: [] }
    nodes.set(section.id, node)
    parent?.sections.push(node)
    for (const page of given.pages ?? []) addPage(node, samplePage(page), pages)
  }
  const top = [...nodes.values()].filter(({ parent }) => parent === null)
  return { site: whole, locale: null, top, sections: nodes, pages }
}

type SampleNode = SectionNode & { readonly sections: SectionNode[]; readonly pages: PageNode[] }

function pathOf(parent: SectionNode | null, slug: string): string {
  return [parent?.path ?? '', slug].filter((part) => part !== '').join('/')
}

function addPage(node: SampleNode, page: Page, pages: Map<string, PageNode>): void {
  const isRoot = node.section.rootPageId === page.id
  const path = isRoot ? node.path : pathOf(node, page.slug)
  const made = { page, section: node, path, isRoot, locale: null }
  node.pages.push(made)
  pages.set(page.id, made)
}

function sampleSection(given: SampleSection): Section {
  const { within: _within, pages: _pages, ...section } = given
  return {
    repositoryId: 'REPO_1',
    siteId: 'SITE_1',
    parentId: given.within ?? null,
    name: given.id,
    slug: given.id.toLowerCase(),
    description: '',
    order: 0,
    rootPageId: null,
    layoutTemplate: null,
    path: [],
    ...structure,
    ...section,
  }
}

function samplePage(given: Partial<Page> & { readonly id: string }): Page {
  return {
    repositoryId: 'REPO_1',
    siteId: 'SITE_1',
    sectionId: '',
    name: given.id,
    slug: given.id.toLowerCase(),
    description: '',
    itemId: null,
    template: 'page',
    order: 0,
    visible: true,
    meta: {},
    path: [],
    ...structure,
    ...given,
  }
}

/** An item for tests. */
export function sampleItem(given: Partial<Item> & { readonly id: string }): Item {
  return {
    repositoryId: 'REPO_1',
    name: given.id,
    type: 'article',
    slug: given.id.toLowerCase(),
    slugSearch: given.id.toLowerCase(),
    description: '',
    status: 'published',
    folderId: null,
    packageName: null,
    fields: {},
    taxonomies: [],
    currentVersion: 1,
    latestVersion: 1,
    isArchived: false,
    isPublished: true,
    isPreview: false,
    isLatest: true,
    isLatestPublished: true,
    createdDate: 0,
    updatedDate: 0,
    publishedDate: 0,
    readPerm: [],
    writePerm: [],
    deletePerm: [],
    createdByUser: user,
    updatedByUser: user,
    fileExtension: null,
    originalFileName: null,
    storage: null,
    asset: null,
    renditions: [],
    cardPreview: null,
    versionHistory: [],
    ...given,
  }
}

/** A source of these items, and of the files with the given names. */
export function sampleSource(
  items: readonly Item[],
  files: Readonly<Record<string, string>> = {},
): RenderSource {
  return {
    item: async (id) => items.find((item) => item.id === id) ?? null,
    file: async (item, rendition) => files[`${item.id}/${rendition}`] ?? null,
  }
}
