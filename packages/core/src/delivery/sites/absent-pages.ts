import type { Call } from '../../engine/call.ts'
import { JobFailed } from '../../engine/job.ts'
import { publishedBranch } from '../../content/items/publications.ts'
import { liveHeads } from '../../content/kinds/heads.ts'
import type { EntityReader, Branch } from '../../ports/index.ts'
import { isPubliclyVisible } from './item-source.ts'
import { chunks } from '../../content/structure/tree.ts'
import { keyOf, pagesToRender } from './publication/changed-pages.ts'
import { pageKey } from './publication/manifest.ts'
import type { PublicationParts } from './publication-parts.ts'
import { mapOf, type PageNode, type SiteMap } from './site-map.ts'

/**
 * Hides the pages whose item is not published in their locale, so that nothing lists them or links to
 * them. If a page appears or disappears this way, `changed` includes it and `tree`, so that pages that
 * list it are rendered again. Errors: JobFailed for a page whose item is deleted.
 */
export async function hidePagesWithoutItems(call: Call, parts: PublicationParts): Promise<PublicationParts> {
  let { changed } = parts
  const maps: SiteMap[] = []
  for (const map of parts.maps) {
    const hidden = await withoutAbsent(call, parts, map)
    maps.push(hidden.map)
    if (changed !== 'all' && hidden.toggled.length > 0) changed = withTree(changed, hidden.toggled)
  }
  return { ...parts, maps, changed }
}

/** A map without the pages that are not public, and those that were public or not before. */
async function withoutAbsent(
  call: Call,
  { scope, before, changed }: PublicationParts,
  map: SiteMap,
): Promise<{ map: SiteMap; toggled: readonly PageNode[] }> {
  const due = pagesToRender({ map, before, changed })
  const branch = publishedBranch(scope.repository, map.locale?.code)
  const visible = await visibleItems(call.store.entities, branch, due)
  const absent = due.filter(({ page }) => page.itemId !== null && !visible.has(page.itemId))
  await requireOnMain(call.store.entities, scope.branch, absent)
  const hidden = new Set(absent.map(({ page }) => page.id))
  const published = new Set([...(before?.files.values() ?? [])].map(({ page }) => page && pageKey(page)))
  const toggled = due.filter((node) => published.has(keyOf(node)) === hidden.has(node.page.id))
  if (toggled.length === 0 && hidden.size === 0) return { map, toggled }
  const pages = [...map.pages.values()].map(({ page }) =>
    hidden.has(page.id) ? { ...page, visible: false } : page,
  )
  const sections = [...map.sections.values()].map(({ section }) => section)
  return { map: mapOf({ site: map.site, sections, pages }, map.locale), toggled }
}

function withTree(changed: ReadonlySet<string>, toggled: readonly PageNode[]): ReadonlySet<string> {
  return new Set([...changed, ...toggled.map(({ page }) => page.id), 'tree'])
}

/** Ids of the items of some pages that are publicly visible. */
async function visibleItems(
  entities: EntityReader,
  branch: Branch,
  nodes: readonly PageNode[],
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  // Read in chunks, so that few bodies are in memory at the same time.
  for (const ids of chunks(itemsOf(nodes)))
    for (const head of (await liveHeads(entities, branch, { kind: 'item', ids })).values())
      if (isPubliclyVisible(head)) seen.add(head.id)
  return seen
}

/** Errors: JobFailed for the first page whose item is not on main. */
async function requireOnMain(
  entities: EntityReader,
  branch: Branch,
  nodes: readonly PageNode[],
): Promise<void> {
  const onMain = await liveHeads(entities, branch, { kind: 'item', ids: itemsOf(nodes) })
  const gone = nodes.find(({ page }) => page.itemId !== null && !onMain.has(page.itemId))
  if (!gone) return
  const { id, name, itemId } = gone.page
  throw new JobFailed(
    `The page "${name}" (${id}) shows the item ${itemId}, which is gone: choose another item or hide the page.`,
    { isFinal: true },
  )
}

function itemsOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap(({ page }) => page.itemId ?? [])
}
