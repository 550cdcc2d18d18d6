import { limits, type Contract, type OutputOf, type ParsedOf, type SiteReference } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { badCursor, openCursor, sealCursor } from '../../engine/paging.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mayRead } from '../items/find.ts'
import { headStatus } from '../items/item-json.ts'
import { type Scope } from '../../engine/scope.ts'
import type { EdgeQuery, Entity, GraphEdge, Branch, EntityKind } from '../../ports/index.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { liveHeads } from '../kinds/heads.ts'
import { ancestorsOf, lookupOn, type Ancestor } from '../structure/ancestors.ts'
import { contentOf, memberOf } from '../structure/content.ts'
import { nodeOf, reach } from './reach.ts'
import type { ItemTarget } from '../items/find.ts'

/** The operations that find which items refer to an item, and which pages show it. */
export const references = { items: listReferringItems, sites: listSiteReferences }

/** The operation that reads the dependencies of an item. */
export const dependencies = { get: getDependencies }

type Items = Contract['references']['items']
type Reference = OutputOf<Items>['items'][number]

/**
 * Edges to scan for one page. If the caller may read few of them, the page ends early and continues
 * with the next. Also the highest count.
 */
const maxScanned = limits.countedReferences

const headsAtOnce = 1000

/**
 * Lists the references to an item on a branch, one entry for each referring field.
 * Errors: `not_found`; `invalid` for an invalid cursor.
 */
async function listReferringItems(
  call: Call,
  input: ParsedOf<Items>,
  { scope, item: { id: target } }: ItemTarget,
): Promise<OutputOf<Items>> {
  const scan = { branch: scope.branch, target }
  const after = input.cursor === undefined ? undefined : await openPosition(call, target, input.cursor)
  const { items, next } = await pageOf(call, { ...scan, after, limit: input.limit ?? limits.pageDefault })
  return {
    ...(input.skipCount !== true && (await countOf(call, scan))),
    items,
    ...(next && { nextCursor: await sealCursor(call, `references:${target}`, next) }),
  }
}

type After = NonNullable<EdgeQuery['after']>

async function openPosition(call: Call, target: string, cursor: string): Promise<After> {
  const position = await openCursor(call, `references:${target}`, cursor)
  if (!Array.isArray(position)) throw badCursor()
  const [sourceId, path] = position
  return { sourceId: String(sourceId), targetId: target, path: String(path) }
}

interface Scan {
  readonly branch: Branch
  readonly target: string
  readonly after?: After | undefined
}

interface ScannedEdge {
  readonly edge: GraphEdge
  /** The item that holds the edge; null when the caller may not read it. */
  readonly source: Entity | null
}

/**
 * Scans the edges that point to an item, with their sources, in the order of source id and path.
 * Stops after `maxScanned` edges. A store may sort all edges of a target for each read. So the
 * first read takes `first` edges, and each further read ten times as many as the one before.
 */
async function* scanned(
  call: Call,
  { branch, target, after }: Scan,
  first: number,
): AsyncGenerator<ScannedEdge> {
  let last = after
  let looked = 0
  for (let step = first; looked < maxScanned; step *= 10) {
    const limit = Math.min(step, maxScanned - looked)
    const query = { end: 'target' as const, ids: [target], limit, ...(last && { after: last }) }
    const edges = await call.store.entities.edges(branch, query)
    yield* withSources(call, branch, edges)
    if (edges.length < limit) return
    last = edges.at(-1)
    looked += limit
  }
}

async function* withSources(
  call: Call,
  branch: Branch,
  edges: readonly GraphEdge[],
): AsyncGenerator<ScannedEdge> {
  const yieldToLoop = yieldingToLoop()
  for (let start = 0; start < edges.length; start += headsAtOnce) {
    const some = edges.slice(start, start + headsAtOnce)
    const sources = await sourcesOf(call, branch, some)
    for (const edge of some) yield { edge, source: sources.get(edge.sourceId) ?? null }
    await yieldToLoop()
  }
}

async function sourcesOf(
  call: Call,
  branch: Branch,
  edges: readonly GraphEdge[],
): Promise<ReadonlyMap<string, Entity>> {
  const ids = new Set(edges.filter(({ sourceKind }) => sourceKind === 'item').map(({ sourceId }) => sourceId))
  const heads = ids.size === 0 ? [] : await call.store.entities.getMany(branch, 'item', [...ids])
  return new Map(heads.filter((head) => mayRead(call, head)).map((head) => [head.id, head]))
}

async function pageOf(
  call: Call,
  { limit, ...scan }: Scan & { limit: number },
): Promise<{ items: Reference[]; next: readonly string[] | null }> {
  const items: Reference[] = []
  let looked = 0
  let last: readonly string[] | null = null
  // The cursor must not reveal sources that the caller may not read.
  let lastVisible: readonly string[] | null = null
  for await (const { edge, source } of scanned(call, scan, limit + 1)) {
    if (source && items.length === limit) return { items, next: lastVisible }
    last = [edge.sourceId, edge.path]
    if (source) {
      items.push(referenceOf(source, edge))
      lastVisible = last
    }
    looked += 1
  }
  return { items, next: looked === maxScanned ? last : null }
}

async function countOf(call: Call, scan: Scan): Promise<Pick<OutputOf<Items>, 'count' | 'countIsCapped'>> {
  let looked = 0
  let count = 0
  for await (const { source } of scanned(call, { ...scan, after: undefined }, maxScanned)) {
    looked += 1
    if (source) count += 1
  }
  return { count, ...(looked === maxScanned && { countIsCapped: true }) }
}

function referenceOf(source: Entity, { path, onDelete }: GraphEdge): Reference {
  const { id, name, type, slug } = source
  return { item: { id, name, type, slug: slug ?? '', status: headStatus(source) }, path, onDelete }
}

type Sites = Contract['references']['sites']

// The most items to follow and the most pages to list.
const maxListed = 1000

/**
 * Lists the pages on a branch that show an item or an item that refers to it. Contains only sites
 * that the caller may view, ordered by the names of site and page; at most 1 000 pages.
 * Errors: `not_found`.
 * Source: specification 4.7, 2.12.
 */
async function listSiteReferences(
  call: Call,
  _input: ParsedOf<Sites>,
  { scope, item: { id } }: ItemTarget,
): Promise<OutputOf<Sites>> {
  const referring = await sourcesOfKind(call, scope, { ids: [id], kind: 'item' })
  const items = referring.filter((item) => mayRead(call, item)).map((item) => item.id)
  const pages = await sourcesOfKind(call, scope, { ids: [id, ...items], kind: 'page' })
  const { permissions } = call.identity
  const visible = pages.filter(({ type: siteId }) => mayDo(permissions, 'sites.view', { siteId }))
  return describe(call, scope, visible.slice(0, maxListed))
}

/** The live heads of a kind that refer to the given items. */
async function sourcesOfKind(
  { store }: Call,
  { branch }: Scope,
  { ids, kind }: { ids: readonly string[]; kind: EntityKind },
): Promise<Entity[]> {
  const query = { end: 'target', ids: ids.slice(0, maxListed), limit: limits.countedReferences } as const
  const edges = await store.entities.edges(branch, query)
  const sources = edges.filter(({ sourceKind }) => sourceKind === kind).map(({ sourceId }) => sourceId)
  return [...(await liveHeads(store.entities, branch, { kind, ids: sources })).values()]
}

async function describe(
  call: Call,
  { branch, package: within }: Scope,
  pages: readonly Entity[],
): Promise<SiteReference[]> {
  const { entities } = call.store
  const sites = await liveHeads(entities, branch, { kind: 'site', ids: pages.map(({ type }) => type) })
  const sectionIds = pages.map((page) => memberOf(contentOf(page), 'sectionId'))
  const pathTo = await ancestorsOf(lookupOn(entities, branch, 'section'), sectionIds)
  const references = pages.flatMap((page, at) => {
    const site = sites.get(page.type)
    const path = pathTo(sectionIds[at] ?? null)
    return site ? referenceTo(page, { site, path, packageName: within?.name ?? null }) : []
  })
  return references.toSorted(byName)
}

function referenceTo(
  page: Entity,
  { site, path, packageName }: { site: Entity; path: readonly Ancestor[]; packageName: string | null },
): SiteReference[] {
  const section = path.at(-1)
  if (!section) return []
  return [
    {
      siteId: site.id,
      siteName: site.name,
      sectionName: section.name,
      sectionSlug: slugOf(section) ?? '',
      path: path.map((one) => ({ name: one.name, slug: slugOf(one) })),
      pageName: page.name,
      pageSlug: slugOf(page),
      isRoot: memberOf(contentOf(section), 'rootPageId') === page.id,
      packageName,
    },
  ]
}

function slugOf(node: Pick<Ancestor, 'name' | 'parentId' | 'body'>): string | null {
  return memberOf(contentOf(node), 'slug')
}

function byName(a: SiteReference, b: SiteReference): number {
  const [left, right] = [a, b].map(
    ({ siteName, pageName, siteId }) => `${siteName}\n${pageName ?? ''}\n${siteId}`,
  )
  return (left ?? '') < (right ?? '') ? -1 : 1
}

type Get = Contract['dependencies']['get']

/**
 * Reads the graphs of what an item needs and of what needs it, on a branch. Errors: `not_found`.
 */
async function getDependencies(
  call: Call,
  { depth }: ParsedOf<Get>,
  { scope, item }: ItemTarget,
): Promise<OutputOf<Get>> {
  const from = { branch: scope.branch, start: nodeOf(item, { kind: 'item', depth: 0 }), depth }
  return {
    needs: await reach(call, { ...from, end: 'source' }),
    neededBy: await reach(call, { ...from, end: 'target' }),
  }
}
