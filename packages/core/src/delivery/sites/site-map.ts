import type { Page, Section, Site } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { every, compareOrders } from '../../content/structure/tree.ts'
import { ofSite } from './reads.ts'
import type { EntityKind, Branch, StoredJson } from '../../ports/index.ts'

/** A site as one branch shows it: its sections and pages with their addresses. */
export interface SiteMap {
  readonly site: Site
  /** Sections at the top, in order. */
  readonly top: readonly SectionNode[]
  readonly sections: ReadonlyMap<string, SectionNode>
  readonly pages: ReadonlyMap<string, PageNode>
}

/** A section in its site. */
export interface SectionNode {
  readonly section: Section
  readonly parent: SectionNode | null
  /** Its address within the site, without slashes around; empty for the home section. */
  readonly path: string
  /** Sections in it, in order. */
  readonly sections: readonly SectionNode[]
  /** Pages in it, in order, hidden ones too. */
  readonly pages: readonly PageNode[]
}

/** What is rendered as a page: one of the site, or what it shows where there is none. */
export interface VisibleNode {
  readonly page: Pick<
    Page,
    'id' | 'name' | 'slug' | 'description' | 'itemId' | 'template' | 'meta' | 'order' | 'visible'
  >
  /** Null: it stands in none. */
  readonly section: SectionNode | null
  readonly path: string
  readonly isRoot: boolean
  /** Of what is shown at any address: where the site is, with a slash at its end. Absent: links are relative to the page. */
  readonly root?: string
}

/** A page in its site. */
export interface PageNode extends VisibleNode {
  readonly page: Page
  readonly section: SectionNode
  /** Its address within the site, without slashes around; empty for the home page. */
  readonly path: string
  /** Whether it is the root page of its section. */
  readonly isRoot: boolean
}

/** A site with all that stands in it, as a branch shows it. Sections in a circle are not in it. Cost: reads every section and page of the site. */
export async function readSiteMap(call: Call, branch: Branch, head: StoredJson): Promise<SiteMap> {
  const site: Site = JSON.parse(head.json)
  const sections = await allOf<Section>(call, branch, { kind: 'section', siteId: site.id })
  const pages = await allOf<Page>(call, branch, { kind: 'page', siteId: site.id })
  return mapOf(site, sections, pages)
}

/** What is kept of heads to be sent: nothing is added to it but the path, which the map has by itself. */
async function allOf<T extends Section | Page>(
  call: Call,
  branch: Branch,
  { kind, siteId }: { kind: EntityKind; siteId: string },
): Promise<T[]> {
  const yieldToLoop = yieldingToLoop()
  const found: T[] = []
  for await (const head of every(call.store.entities, branch, { kind, filter: ofSite(siteId) })) {
    found.push(JSON.parse(head.json) as T)
    await yieldToLoop()
  }
  return found
}

interface GrowingSection extends SectionNode {
  readonly sections: GrowingSection[]
  readonly pages: PageNode[]
}

/** The map of a site. */
export function mapOf(site: Site, sections: readonly Section[], pages: readonly Page[]): SiteMap {
  const nodes = new Map<string, GrowingSection>()
  const below = Map.groupBy(sections.toSorted(compareOrders), ({ parentId }) => parentId)
  const grow = (parent: GrowingSection | null): GrowingSection[] => {
    const inIt = below.get(parent?.section.id ?? null) ?? []
    return inIt.map((section) => {
      const path = section.id === site.homeSectionId ? '' : joined(parent?.path ?? '', section.slug)
      const node: GrowingSection = { section, parent, path, sections: [], pages: [] }
      nodes.set(section.id, node)
      node.sections.push(...grow(node))
      return node
    })
  }
  const top = grow(null)
  return { site, top, sections: nodes, pages: locatedPages(nodes, pages) }
}

function locatedPages(
  sections: ReadonlyMap<string, GrowingSection>,
  pages: readonly Page[],
): Map<string, PageNode> {
  const nodes = new Map<string, PageNode>()
  for (const page of pages.toSorted(compareOrders)) {
    const section = sections.get(page.sectionId)
    if (!section) continue
    const isRoot = section.section.rootPageId === page.id
    const path = isRoot ? section.path : joined(section.path, page.slug)
    const node = { page, section, path, isRoot }
    nodes.set(page.id, node)
    section.pages.push(node)
  }
  return nodes
}

function joined(path: string, slug: string): string {
  return path === '' ? slug : `${path}/${slug}`
}
