import type { Call } from '../../engine/call.ts'
import { JobFailed } from '../../engine/job.ts'
import { publishedBranch } from '../../content/items/published-branch.ts'
import { liveHeads } from '../../content/kinds/heads.ts'
import type { EntityReader, Branch } from '../../ports/index.ts'
import { isPublicly } from './item-source.ts'
import { chunks } from '../../content/structure/tree.ts'
import { pagesToRender } from './publication/changed-pages.ts'
import type { Publishing } from './publishing-parts.ts'
import { mapOf, type PageNode } from './site-map.ts'

/**
 * What is to be published, with the pages hidden whose item is not published: nothing lists them, nothing leads there. Where one comes or
 * goes for that, what lists pages is rendered anew. Errors: JobFailed for a page whose item is gone.
 */
export async function withoutAbsent(call: Call, publishing: Publishing): Promise<Publishing> {
  const { scope, map, before, changed } = publishing
  const due = pagesToRender(publishing)
  const seen = await visibleItems(call.store.entities, publishedBranch(scope.repository.id), due)
  const absent = due.filter(({ page }) => page.itemId !== null && !seen.has(page.itemId))
  await requireThere(call.store.entities, scope.branch, absent)
  const hidden = new Set(absent.map(({ page }) => page.id))
  const published = new Set([...(before?.files.values() ?? [])].map(({ page }) => page?.id))
  const turned = due.filter(({ page: { id } }) => published.has(id) === hidden.has(id))
  if (turned.length === 0 && hidden.size === 0) return publishing
  const pages = [...map.pages.values()].map(({ page }) =>
    hidden.has(page.id) ? { ...page, visible: false } : page,
  )
  const sections = [...map.sections.values()].map(({ section }) => section)
  return {
    ...publishing,
    map: mapOf(map.site, sections, pages),
    changed: changed === 'all' || turned.length === 0 ? changed : withTree(changed, turned),
  }
}

function withTree(changed: ReadonlySet<string>, turned: readonly PageNode[]): ReadonlySet<string> {
  return new Set([...changed, ...turned.map(({ page }) => page.id), 'tree'])
}

/** Ids of the items of some pages that the site shows. */
async function visibleItems(
  entities: EntityReader,
  branch: Branch,
  nodes: readonly PageNode[],
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  // Some at a time: their bodies are in memory no longer than they are looked at.
  for (const ids of chunks(itemsOf(nodes)))
    for (const head of (await liveHeads(entities, branch, { kind: 'item', ids })).values())
      if (isPublicly(head)) seen.add(head.id)
  return seen
}

/** Errors: JobFailed for the first page whose item is not on main. */
async function requireThere(
  entities: EntityReader,
  branch: Branch,
  nodes: readonly PageNode[],
): Promise<void> {
  const there = await liveHeads(entities, branch, { kind: 'item', ids: itemsOf(nodes) })
  const gone = nodes.find(({ page }) => page.itemId !== null && !there.has(page.itemId))
  if (!gone) return
  const { id, name, itemId } = gone.page
  throw new JobFailed(
    `The page "${name}" (${id}) shows the item ${itemId}, which is gone: give it another, or hide it.`,
    {
      isFinal: true,
    },
  )
}

function itemsOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap(({ page }) => page.itemId ?? [])
}
