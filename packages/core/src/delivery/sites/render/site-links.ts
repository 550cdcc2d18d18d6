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
