import type { PageNode, SectionNode, SiteMap } from '../site-map.ts'

/** Finds the target pages of links. */
export interface SiteLinks {
  /** The visible root page of a section; null when there is none. */
  rootOf(section: SectionNode): PageNode | null
  /** The page that shows an item: the first by order, then by address; null when there is none. */
  pageOfItem(itemId: string): PageNode | null
}

/**
 * Creates the links of a site. The pages of items are indexed once, when first needed. Cost:
 * proportional to the pages.
 */
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

/** A section and its ancestors, itself first; empty for null. */
export function upFrom(section: SectionNode | null): SectionNode[] {
  const chain: SectionNode[] = []
  for (let node: SectionNode | null = section; node !== null; node = node.parent) chain.push(node)
  return chain
}

/**
 * The relative link from one page to another, given their addresses within the site (`a/b`; empty
 * for the home page). Because it is relative, the same files work at any path of any host. Pages
 * are served with a trailing slash: the link from `a/b` to `c` is `../../c/`, and to itself `./`.
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

/**
 * The link from a page to a file of the site: from `a/b` to `assets/x.webp` it is
 * `../../assets/x.webp`.
 */
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
