import { limits } from '@quire/contract'
import { mayDo } from '../../access/permissions.ts'
import type { Call } from '../../call/call.ts'
import { takingTurns } from '../../call/turns.ts'
import { liveHeads } from '../../lines/heads.ts'
import type { Place } from '../../lines/lines.ts'
import type { DiffedPage } from '../../page-diff/page-diff-document.ts'
import type { Entity } from '../../ports/index.ts'
import type { PageNode } from '../../sites/site-map.ts'
import { chunks } from '../../structure/levels.ts'
import { ownPages } from '../own-heads.ts'
import { siteSide, type SiteSide } from './rendered-sides.ts'
import type { StandIns } from './stand-ins.ts'

/** Main and a package. */
export interface Lines {
  readonly main: Place
  readonly ours: Place
}

/** What is wanted of the comparison. */
export interface Wanted {
  readonly isWanted: IsWanted
  readonly standIns: StandIns
}

/** A page that a package changes, as it is rendered on both sides, with stand-ins for its pictures; empty where it is not. */
export interface ChangedPage extends Omit<DiffedPage, 'marked'> {
  readonly before: string
  readonly after: string
  readonly slug: string
}

// Pages of a site that are rendered to see whether they change, where anything that stands in the site did.
const mostRendered = 1000

/**
 * The pages of sites that come out differently in a package, at most `pageDiffPages`. Cost: renders what the package touches; where it touches
 * sections, pages or a site itself, up to 1 000 pages of that site, since any may list others.
 */
export async function* changedPages(
  call: Call,
  lines: Lines,
  { isWanted, standIns }: Wanted,
): AsyncGenerator<ChangedPage> {
  const touched = await touchedBy(call, lines.ours)
  let found = 0
  for (const siteId of await sitesOf(call, lines, touched)) {
    const [main, ours] = [await headOf(call, lines.main, siteId), await headOf(call, lines.ours, siteId)]
    const before = await siteSide(call, lines.main, { head: main, standIns })
    const after = await siteSide(call, lines.ours, { head: ours, standIns })
    for await (const page of changedOf(before, after, { touched, siteId })) {
      if (!isWanted(page)) continue
      yield page
      found += 1
      if (found === limits.pageDiffPages) return
    }
  }
}

/** Whether a page is asked for. */
export type IsWanted = (page: ChangedPage) => boolean

/** Ids of what a package changes, and of items that refer to items among it. */
async function touchedBy({ store }: Call, { line }: Place): Promise<ReadonlySet<string>> {
  const own: string[] = []
  const items: string[] = []
  for await (const heads of ownPages(store.entities, line))
    for (const { kind, id, type } of heads) {
      own.push(id)
      // What stands in a site touches all of it.
      if (kind === 'site' || kind === 'section' || kind === 'page') own.push(type)
      if (kind === 'item') items.push(id)
    }
  const edges = await store.entities.edges(line, { end: 'target', ids: items.slice(0, 1000), limit: 10_000 })
  return new Set([...own, ...edges.map(({ sourceId }) => sourceId)])
}

/** The sites in which something is touched, or shows what is, on either line. */
async function sitesOf(call: Call, { main, ours }: Lines, touched: ReadonlySet<string>): Promise<string[]> {
  const { entities } = call.store
  const ids = new Set<string>()
  for (const { line } of [main, ours]) {
    for (const some of chunks([...touched])) {
      const showing = await entities.edges(line, { end: 'target', ids: some, limit: 10_000 })
      const pageIds = [...some, ...showing.map(({ sourceId }) => sourceId)]
      const pages = await liveHeads(entities, line, { kind: 'page', ids: pageIds })
      const siteIds = [...some, ...[...pages.values()].map(({ type }) => type)]
      for (const id of (await liveHeads(entities, line, { kind: 'site', ids: siteIds })).keys()) ids.add(id)
    }
  }
  const { permissions } = call.identity
  return [...ids].filter((siteId) => mayDo(permissions, 'sites.view', { siteId })).toSorted()
}

async function headOf({ store }: Call, { line }: Place, id: string): Promise<Entity | undefined> {
  return (await liveHeads(store.entities, line, { kind: 'site', ids: [id] })).get(id)
}

async function* changedOf(
  before: SiteSide,
  after: SiteSide,
  { touched, siteId }: { touched: ReadonlySet<string>; siteId: string },
): AsyncGenerator<ChangedPage> {
  const turn = takingTurns()
  const isTouched = ({ page }: PageNode) =>
    touched.has(page.id) || (page.itemId !== null && touched.has(page.itemId))
  const nodes = [...new Map([...before.pages, ...after.pages]).values()]
  const direct = nodes.filter(isTouched)
  const others = touched.has(siteId) ? nodes.filter((node) => !isTouched(node)) : []
  const looked = [...direct, ...others].slice(0, mostRendered)
  for (const {
    page: { id },
  } of looked) {
    await turn()
    const [was, is] = [before.pages.get(id), after.pages.get(id)]
    const [left, right] = [await before.html(was), await after.html(is)]
    const node = right === '' ? was : is
    // What is shown on neither side changes nothing that is seen.
    if (left === '' && right === '') continue
    if (node && (left !== right || was?.path !== is?.path)) yield changedPage(node, { was, left, right })
  }
}

function changedPage(
  { page, path }: PageNode,
  { was, left, right }: { was: PageNode | undefined; left: string; right: string },
): ChangedPage {
  const hasMoved = left !== '' && right !== '' && was?.path !== path
  const change = left === '' ? 'create' : right === '' ? 'delete' : hasMoved ? 'move' : 'update'
  return {
    name: page.name,
    slug: page.slug,
    path,
    change,
    oldPath: hasMoved ? (was?.path ?? null) : null,
    before: left,
    after: right,
  }
}
