import type { PageNode, SectionNode } from '../site-map.ts'
import type { PageRun } from './page-run.ts'

/** A page as templates see it. */
export type PageView = ReturnType<typeof pageView>

/** A section as templates see it. */
export interface SectionView {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly order: number
  readonly path: string
  readonly url: () => string
  readonly parent: () => SectionView | null
  readonly sections: () => readonly SectionView[]
  readonly pages: () => readonly PageView[]
  readonly root: () => PageView | null
}

/** The site as templates see it. */
export type SiteView = ReturnType<typeof siteView>

// Members that are functions are called when a template reads them: nothing is made, and nothing counts as used, before.

function pageView(run: PageRun, node: PageNode) {
  const { id, name, slug, description, itemId, meta, order, visible } = node.page
  const { path, isRoot } = node
  const own = { id, name, slug, description, itemId, meta, order, visible, path, isRoot }
  return { ...own, url: () => run.pageLink(node) }
}

/** What templates see of a site, for one page of it: one view of each section and page, made when it is first read. */
export class SiteViews {
  readonly #run: PageRun
  readonly #pages = new Map<PageNode, PageView>()
  readonly #sections = new Map<SectionNode, SectionView>()

  constructor(run: PageRun) {
    this.#run = run
  }

  page(node: PageNode): PageView {
    const known = this.#pages.get(node)
    if (known !== undefined) return known
    const view = pageView(this.#run, node)
    this.#pages.set(node, view)
    return view
  }

  section(node: SectionNode): SectionView {
    const known = this.#sections.get(node)
    if (known !== undefined) return known
    const view = this.#sectionView(node)
    this.#sections.set(node, view)
    return view
  }

  site(): SiteView {
    return siteView(this.#run, this)
  }

  #sectionView(node: SectionNode): SectionView {
    const { id, name, slug, description, order } = node.section
    return {
      id,
      name,
      slug,
      description,
      order,
      path: node.path,
      url: () => this.#run.sectionLink(node),
      parent: () => this.#ofTree(node.parent === null ? null : this.section(node.parent)),
      sections: () => this.#ofTree(node.sections.map((child) => this.section(child))),
      pages: () =>
        this.#ofTree(node.pages.filter(({ page }) => page.visible).map((child) => this.page(child))),
      root: () => this.#ofTree(this.#rootOf(node)),
    }
  }

  #rootOf(node: SectionNode): PageView | null {
    const root = this.#run.parts.links.rootOf(node)
    return root === null ? null : this.page(root)
  }

  #ofTree<T>(value: T): T {
    this.#run.usesTree()
    return value
  }
}

function siteView(run: PageRun, views: SiteViews) {
  const { site, top, sections } = run.parts.map
  const { id, name, slug, description, baseUrl, settings } = site
  return {
    id,
    name,
    slug,
    description,
    baseUrl,
    settings,
    url: () => run.homeLink(),
    sections: () => {
      run.usesTree()
      return top.map((node) => views.section(node))
    },
    home: () => {
      run.usesTree()
      const home = site.homeSectionId === null ? undefined : sections.get(site.homeSectionId)
      const root = home === undefined ? null : run.parts.links.rootOf(home)
      return root === null ? null : views.page(root)
    },
  }
}
