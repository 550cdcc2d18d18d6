import { limits, type Contract, type OutputOf, type ParsedOf, type SiteReference } from '@quire/contract'
import { mayDo } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import { findItem, mayRead } from '../items/find.ts'
import { liveHeads } from '../lines/heads.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, EntityKind } from '../ports/index.ts'
import { ancestorsOf, lookingAt, type Placed } from '../structure/ancestors.ts'
import { contentOf, memberOf } from '../structure/content.ts'

type Sites = Contract['references']['sites']

// References that are looked at; more pages than this are not listed.
const most = 1000

/**
 * The pages that show an item, or an item that refers to it, as the line shows them, of sites that the caller may see: by the names of
 * site and page. At most 1 000. Errors: `not_found`. Source: specification 4.7, 2.12.
 */
export async function listSiteReferences(
  call: Call,
  { assetId, ...ref }: ParsedOf<Sites>,
): Promise<OutputOf<Sites>> {
  const place = await findPlace(call, ref)
  const { id } = await findItem(call, place, assetId)
  const around = await sourcesOf(call, place, { ids: [id], kind: 'item' })
  const items = around.filter((item) => mayRead(call, item)).map((item) => item.id)
  const pages = await sourcesOf(call, place, { ids: [id, ...items], kind: 'page' })
  const { permissions } = call.identity
  const seen = pages.filter(({ type: siteId }) => mayDo(permissions, 'sites.view', { siteId }))
  return describe(call, place, seen.slice(0, most))
}

/** What of a kind points at some items. */
async function sourcesOf(
  { store }: Call,
  { line }: Place,
  { ids, kind }: { ids: readonly string[]; kind: EntityKind },
): Promise<Entity[]> {
  const query = { end: 'target', ids: ids.slice(0, most), limit: limits.countedReferences } as const
  const edges = await store.entities.edges(line, query)
  const sources = edges.filter(({ sourceKind }) => sourceKind === kind).map(({ sourceId }) => sourceId)
  return [...(await liveHeads(store.entities, line, { kind, ids: sources })).values()]
}

async function describe(
  call: Call,
  { line, package: within }: Place,
  pages: readonly Entity[],
): Promise<SiteReference[]> {
  const { entities } = call.store
  const sites = await liveHeads(entities, line, { kind: 'site', ids: pages.map(({ type }) => type) })
  const sectionIds = pages.map((page) => memberOf(contentOf(page), 'sectionId'))
  const above = await ancestorsOf(lookingAt(entities, line, 'section'), sectionIds)
  const references = pages.flatMap((page, at) => {
    const site = sites.get(page.type)
    const path = above(sectionIds[at] ?? null)
    return site ? referenceTo(page, { site, path, packageName: within?.name ?? null }) : []
  })
  return references.toSorted(byName)
}

function referenceTo(
  page: Entity,
  { site, path, packageName }: { site: Entity; path: readonly Placed[]; packageName: string | null },
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

function slugOf(placed: Pick<Placed, 'name' | 'parentId' | 'body'>): string | null {
  return memberOf(contentOf(placed), 'slug')
}

function byName(a: SiteReference, b: SiteReference): number {
  const [left, right] = [a, b].map(
    ({ siteName, pageName, siteId }) => `${siteName}\n${pageName ?? ''}\n${siteId}`,
  )
  return (left ?? '') < (right ?? '') ? -1 : 1
}
