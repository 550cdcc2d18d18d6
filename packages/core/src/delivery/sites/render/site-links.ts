import type { PageNode, SectionNode, SiteMap } from '../site-map.ts'

/** Finds the pages of a site that links lead to. */
export interface SiteLinks {
  /** The page at the address of a section; null when none is shown there. */
  rootOf(section: SectionNode): PageNode | null
  /** The page that shows an item: of several the one with the least order, then address; null when none does. */
  pageOfItem(itemId: string): PageNode | null
}

/** The links of a site. What shows which item is looked up once, when the first asks: cost of all pages. */
export function createSiteLinks(map: SiteMap): SiteLinks {
  let ofItems: ReadonlyMap<string, PageNode> | null = null
  return {
    rootOf: (section) => section.pages.find(({ isRoot, page }) => isRoot && page.visible) ?? null,
    pageOfItem: (itemId) => (ofItems ??= pagesByItem(map)).get(itemId) ?? null,
  }
}

function pagesByItem(map: SiteMap): ReadonlyMap<string, PageNode> {
  const found = new Map<string, PageNode>()
  for (const node of map.pages.values()) {
    const { itemId, visible } = node.page
    if (itemId === null || !visible) continue
    const other = found.get(itemId)
    if (other === undefined || isBefore(node, other)) found.set(itemId, node)
  }
  return found
}

function isBefore(node: PageNode, other: PageNode): boolean {
  if (node.page.order !== other.page.order) return node.page.order < other.page.order
  return node.path < other.path
}

/** A section and those it stands in, itself first; none of none. */
export function upFrom(section: SectionNode | null): SectionNode[] {
  const chain: SectionNode[] = []
  for (let node: SectionNode | null = section; node !== null; node = node.parent) chain.push(node)
  return chain
}

/**
 * The link from one page to another, both by their addresses within the site (`a/b`; empty: the home page): relative, so that the same
 * files work at any depth of any host. Pages are served at their address and a slash: from `a/b` to `c` it is `../../c/`, to itself `./`.
 */
export function relativeLink(fromPath: string, toPath: string): string {
  const from = segmentsOf(fromPath)
  const to = segmentsOf(toPath)
  const shared = sharedCount(from, to)
  const link =
    up(from.length - shared) +
    to
      .slice(shared)
      .map((name) => `${encodeURIComponent(name)}/`)
      .join('')
  return link === '' ? './' : link
}

/** The link from a page to a file of the site: from `a/b` to `assets/x.webp` it is `../../assets/x.webp`. */
export function relativeFileLink(fromPath: string, filePath: string): string {
  return up(segmentsOf(fromPath).length) + segmentsOf(filePath).map(encodeURIComponent).join('/')
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function sharedCount(from: readonly string[], to: readonly string[]): number {
  const differs = from.findIndex((segment, index) => segment !== to[index])
  return differs === -1 ? from.length : differs
}

function up(levels: number): string {
  return '../'.repeat(levels)
}
