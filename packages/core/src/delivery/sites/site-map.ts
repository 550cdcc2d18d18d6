import { limits, type Page, type Section, type Site } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { compareOrders, listAll } from '../../content/structure/tree.ts'
import type { StructureJson } from '../../content/structure/json.ts'
import {
  duePackages,
  requireUnchanged,
  scopeOfDue,
  type DuePackage,
} from '../../content/kinds/due-packages.ts'
import { wholeOwnHeadsOf } from '../../content/kinds/heads.ts'
import { nodesAt } from '../../content/structure/past-tree.ts'
import { serializeAt } from '../../content/structure/reads.ts'
import type { Scope } from '../../engine/scope.ts'
import { pageRules, sectionRules, siteRules } from './kinds.ts'
import { inSiteLocale, siteLocales, type SiteLocale } from './site-locales.ts'
import { ofSite } from './reads.ts'
import type { EntityKind, Branch, StoredJson } from '../../ports/index.ts'

/** A site on one branch, with its sections and pages. */
export interface SiteParts {
  readonly site: Site
  readonly sections: readonly Section[]
  readonly pages: readonly Page[]
}

/** A site on one branch in one locale: its sections and pages with their paths. */
export interface SiteMap {
  readonly site: Site
  /** Null in a repository without locales. */
  readonly locale: SiteLocale | null
  /** Top-level sections, in order. */
  readonly top: readonly SectionNode[]
  readonly sections: ReadonlyMap<string, SectionNode>
  readonly pages: ReadonlyMap<string, PageNode>
}

/** A section in its site. */
export interface SectionNode {
  readonly section: Section
  readonly parent: SectionNode | null
  /** Its path within the site, without leading or trailing slash; empty for the home section. */
  readonly path: string
  /** Sections in it, in order. */
  readonly sections: readonly SectionNode[]
  /** Pages in it, in order, including hidden ones. */
  readonly pages: readonly PageNode[]
}

/** Something to render as a page: a page of the site, or its not-found page. */
export interface RenderableNode {
  readonly page: Pick<
    Page,
    'id' | 'name' | 'slug' | 'description' | 'itemId' | 'template' | 'meta' | 'order' | 'visible'
  >
  readonly locale: SiteLocale | null
  /** Null for the not-found page. */
  readonly section: SectionNode | null
  readonly path: string
  readonly isRoot: boolean
  /**
   * Path or URL of the site with a trailing slash, for a page that is shown at any path. Absent:
   * links are relative to the page.
   */
  readonly root?: string
}

/** A page in its site. */
export interface PageNode extends RenderableNode {
  readonly page: Page
  readonly section: SectionNode
  /** Its path within the site, without leading or trailing slash; empty for the home page. */
  readonly path: string
  /** Whether it is the root page of its section. */
  readonly isRoot: boolean
}

/**
 * Reads a site with its sections and pages. Cost: reads every section and page of the site.
 */
export async function readSite(call: Call, branch: Branch, head: StoredJson): Promise<SiteParts> {
  const site: Site = JSON.parse(head.json)
  const sections = await readAll<Section>(call, branch, { kind: 'section', siteId: site.id })
  const pages = await readAll<Page>(call, branch, { kind: 'page', siteId: site.id })
  return { site, sections, pages }
}

/**
 * Reads the stored JSON of all sections or pages. It lacks only the path, which the map computes.
 */
async function readAll<T extends Section | Page>(
  call: Call,
  branch: Branch,
  { kind, siteId }: { kind: EntityKind; siteId: string },
): Promise<T[]> {
  const yieldToLoop = yieldingToLoop()
  const found: T[] = []
  for await (const head of listAll(call.store.entities, branch, { kind, filter: ofSite(siteId) })) {
    found.push(JSON.parse(head.json) as T)
    await yieldToLoop()
  }
  return found
}

/**
 * A site with its sections and pages as they were or will be at a time (Unix ms). Errors: `not_found`
 * if it does not exist then; `merge_conflict`.
 */
export async function siteAt(
  call: Call,
  scope: Scope,
  { siteId, at }: { siteId: string; at: number },
): Promise<SiteParts> {
  if (at > call.now) return siteToCome(call, scope, { siteId, at })
  const part = { at, max: limits.treeNodes, isWanted: (stored: StructureJson) => stored.siteId === siteId }
  const sections = await nodesAt(call, scope, { rules: sectionRules, ...part })
  const pages = await nodesAt(call, scope, { rules: pageRules, ...part })
  const site = await serializeAt(call, scope, { rules: siteRules, id: siteId, at })
  return { site: site.value(), sections: storedIn<Section>(sections), pages: storedIn<Page>(pages) }
}

/** As the packages make it that merge until then. */
async function siteToCome(
  call: Call,
  scope: Scope,
  { siteId, at }: { siteId: string; at: number },
): Promise<SiteParts> {
  const due = await duePackages(call, scope, at)
  const site = await serializeAt(call, scope, { rules: siteRules, id: siteId, at })
  const sections = await readToCome<Section>(call, scope, { kind: 'section', siteId, due })
  const pages = await readToCome<Page>(call, scope, { kind: 'page', siteId, due })
  return { site: site.value(), sections, pages }
}

/** Errors: `merge_conflict`. */
async function readToCome<T extends Section | Page>(
  call: Call,
  scope: Scope,
  { kind, siteId, due }: { kind: EntityKind; siteId: string; due: readonly DuePackage[] },
): Promise<T[]> {
  const heads = new Map<string, StoredJson>()
  for await (const head of listAll(call.store.entities, scope.branch, { kind, filter: ofSite(siteId) }))
    heads.set(head.id, head)
  for (const found of due)
    for await (const head of wholeOwnHeadsOf(call.store.entities, scopeOfDue(scope, found).branch, kind)) {
      if (head.type !== siteId) continue
      requireUnchanged(found, head, heads.get(head.id) ?? null)
      if (head.deletedDate === null) heads.set(head.id, head)
      else heads.delete(head.id)
    }
  return [...heads.values()].map(({ json }): T => JSON.parse(json))
}

// What was stored is a section or a page without its path.
function storedIn<T>(nodes: ReadonlyMap<string, { readonly stored: StructureJson }>): T[] {
  return [...nodes.values()].map(({ stored }) => stored as unknown as T)
}

interface MutableSection extends SectionNode {
  readonly sections: MutableSection[]
  readonly pages: PageNode[]
}

/**
 * The maps of a site in the locales in which it is published, the one without a prefix first. One map
 * in a repository without locales.
 */
export function mapsOf(scope: Scope, parts: SiteParts): [SiteMap, ...SiteMap[]] {
  const [first, ...others] = siteLocales(scope.repository, parts.site)
  return [mapOf(parts, first), ...others.map((locale) => mapOf(parts, locale))]
}

/** Builds the map of a site in one locale. Leaves out sections in a cycle. */
export function mapOf({ site, sections, pages }: SiteParts, locale: SiteLocale | null = null): SiteMap {
  const nodes = new Map<string, MutableSection>()
  const translated = sections.map((section) => inSiteLocale(section, locale))
  const below = Map.groupBy(translated.toSorted(compareOrders), ({ parentId }) => parentId)
  const prefix = locale?.prefix ?? ''
  const addBelow = (parent: MutableSection | null): MutableSection[] => {
    const inIt = below.get(parent?.section.id ?? null) ?? []
    return inIt.map((section) => {
      const isHome = section.id === site.homeSectionId
      const path = isHome ? prefix : joinPath(parent?.path ?? prefix, section.slug)
      const node: MutableSection = { section, parent, path, sections: [], pages: [] }
      nodes.set(section.id, node)
      node.sections.push(...addBelow(node))
      return node
    })
  }
  const top = addBelow(null)
  return { site, locale, top, sections: nodes, pages: addPages(nodes, pages, locale) }
}

function addPages(
  sections: ReadonlyMap<string, MutableSection>,
  pages: readonly Page[],
  locale: SiteLocale | null,
): Map<string, PageNode> {
  const nodes = new Map<string, PageNode>()
  for (const page of pages.map((one) => inSiteLocale(one, locale)).toSorted(compareOrders)) {
    const section = sections.get(page.sectionId)
    if (!section) continue
    const isRoot = section.section.rootPageId === page.id
    const path = isRoot ? section.path : joinPath(section.path, page.slug)
    const node = { page, section, path, isRoot, locale }
    nodes.set(page.id, node)
    section.pages.push(node)
  }
  return nodes
}

function joinPath(path: string, slug: string): string {
  return path === '' ? slug : `${path}/${slug}`
}
