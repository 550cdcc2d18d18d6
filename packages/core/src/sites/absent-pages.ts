import type { Call } from '../call/call.ts'
import { JobFailed } from '../call/job-handler.ts'
import { publishedLine } from '../items/published-line.ts'
import { liveHeads } from '../lines/heads.ts'
import type { EntityReader, Line } from '../ports/index.ts'
import { isPublicly } from './item-source.ts'
import { chunks } from '../structure/levels.ts'
import { pagesToRender } from './publication/changed-pages.ts'
import type { Publishing } from './publishing-parts.ts'
import { mapOf } from './read-site-map.ts'
import type { PageNode } from './site-map.ts'

/**
 * What is to be published, with the pages hidden whose item is not published: nothing lists them, nothing leads there. Where one comes or
 * goes for that, what lists pages is rendered anew. Errors: JobFailed for a page whose item is gone.
 */
export async function withoutAbsent(call: Call, publishing: Publishing): Promise<Publishing> {
  const { place, map, before, changed } = publishing
  const due = pagesToRender(publishing)
  const shown = await shownItems(call.store.entities, publishedLine(place.repository.id), due)
  const absent = due.filter(({ page }) => page.itemId !== null && !shown.has(page.itemId))
  await requireThere(call.store.entities, place.line, absent)
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
async function shownItems(
  entities: EntityReader,
  line: Line,
  nodes: readonly PageNode[],
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>()
  // Some at a time: their bodies are in memory no longer than they are looked at.
  for (const ids of chunks(itemsOf(nodes)))
    for (const head of (await liveHeads(entities, line, { kind: 'item', ids })).values())
      if (isPublicly(head)) shown.add(head.id)
  return shown
}

/** Errors: JobFailed for the first page whose item is not on main. */
async function requireThere(entities: EntityReader, line: Line, nodes: readonly PageNode[]): Promise<void> {
  const there = await liveHeads(entities, line, { kind: 'item', ids: itemsOf(nodes) })
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
