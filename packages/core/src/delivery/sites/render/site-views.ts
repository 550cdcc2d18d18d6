import type { Item } from '@quire/contract'
import type { SiteLocale } from '../site-locales.ts'
import type { RenderableNode, SectionNode } from '../site-map.ts'
import type { PageRun } from './page-run.ts'

/** What the templates of a page can read. */
export function globalsOf(
  run: PageRun,
  {
    item,
    repository,
    isPreview,
  }: Readonly<{ item: Item | null; repository: RepositoryView; isPreview: boolean }>,
): object {
  const views = new SiteViews(run)
  const { node } = run
  return {
    item,
    page: views.page(node),
    section: node.section && views.section(node.section),
    site: views.site(),
    repository: { id: repository.id, name: repository.name },
    locale: node.locale && localeView(node.locale),
    preview: isPreview,
  }
}

/** A repository, as visible to templates. */
interface RepositoryView {
  readonly id: string
  readonly name: string
}

/** A locale, as visible to templates. */
function localeView({ code, name, direction, prefix }: SiteLocale) {
  return { code, name, direction, prefix }
}

/** A page, as visible to templates. */
type PageView = ReturnType<typeof pageView>

/** A section, as visible to templates. */
interface SectionView {
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

/** The site, as visible to templates. */
type SiteView = ReturnType<typeof siteView>

// Members that are functions are called when a template reads them. Nothing is created, and nothing
// counts as used, before that.

function pageView(run: PageRun, node: RenderableNode) {
  const { id, name, slug, description, itemId, meta, order, visible } = node.page
  const { path, isRoot } = node
  const own = { id, name, slug, description, itemId, meta, order, visible, path, isRoot }
  return {
    ...own,
    url: () => run.pageLink(node),
    // Only a page itself says where it is in other locales.
    ...(node === run.node && { alternates: () => run.alternates() }),
  }
}

/**
 * The views of a site for one of its pages. The view of each section and page is created once, when
 * a template first reads it.
 */
class SiteViews {
  readonly #run: PageRun
  readonly #pages = new Map<RenderableNode, PageView>()
  readonly #sections = new Map<SectionNode, SectionView>()

  constructor(run: PageRun) {
    this.#run = run
  }

  page(node: RenderableNode): PageView {
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
