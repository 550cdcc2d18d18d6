import { limits, QuireError } from '@quire/contract'
import type { Call } from '../../call/call.ts'
import { takingTurns } from '../../call/turns.ts'
import { liveHeads } from '../../lines/heads.ts'
import type { Place } from '../../lines/lines.ts'
import type { DiffedPage } from '../../page-diff/page-diff-document.ts'
import type { Entity } from '../../ports/index.ts'
import type { PageNode } from '../../sites/site-map.ts'
import { siteSide, type SiteSide } from './rendered-sides.ts'
import { type Lines, type LookedAt, mostRendered, sitesLookedAt } from './sites-looked-at.ts'
import type { StandIns } from './stand-ins.ts'
import { touchedBy } from './touched.ts'

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

/**
 * The pages of sites that come out differently in a package, at most `pageDiffPages`. Cost: renders what the package touches, up to `mostRendered` pages
 * of each site that does.
 */
export async function* changedPages(
  call: Call,
  lines: Lines,
  { isWanted, standIns }: Wanted,
): AsyncGenerator<ChangedPage> {
  const touched = await touchedBy(call, lines.ours)
  let found = 0
  for await (const { siteId, pages } of sitesLookedAt(call, lines, touched)) {
    const [main, ours] = [await headOf(call, lines.main, siteId), await headOf(call, lines.ours, siteId)]
    const before = await siteSide(call, lines.main, { head: main, standIns })
    const after = await siteSide(call, lines.ours, { head: ours, standIns })
    for await (const page of changedOf(before, after, { touched, siteId, pages })) {
      if (!isWanted(page)) continue
      yield page
      found += 1
      if (found === limits.pageDiffPages) return
    }
  }
}

/** Whether a page is asked for. */
export type IsWanted = (page: ChangedPage) => boolean

async function headOf({ store }: Call, { line }: Place, id: string): Promise<Entity | undefined> {
  return (await liveHeads(store.entities, line, { kind: 'site', ids: [id] })).get(id)
}

async function* changedOf(before: SiteSide, after: SiteSide, looked: Looked): AsyncGenerator<ChangedPage> {
  const turn = takingTurns()
  for (const one of nodesLookedAt([...before.pages, ...after.pages], looked)) {
    await turn()
    const { id } = one.page
    const [was, is] = [before.pages.get(id), after.pages.get(id)]
    const left = await before.html(was).catch(isOurs(one, looked) ? rethrown : brokenBefore)
    if (left === null) continue
    const right = await after.html(is)
    const node = right === '' ? was : is
    // What is shown on neither side changes nothing that is seen.
    if (left === '' && right === '') continue
    if (node && (left !== right || was?.path !== is?.path)) yield changedPage(node, { was, left, right })
  }
}

interface Looked extends LookedAt {
  readonly touched: ReadonlySet<string>
}

/** Those first that the package changes, or whose item it does. */
function nodesLookedAt(all: readonly [string, PageNode][], { touched, pages }: Looked): PageNode[] {
  const nodes = [...new Map(all).values()]
  const direct = nodes.filter((node) => isTouched(node, touched))
  const others = nodes.filter((node) => pages === 'all' || pages.has(node.page.id))
  return [...new Set([...direct, ...others])].slice(0, mostRendered)
}

function isTouched({ page }: PageNode, touched: ReadonlySet<string>): boolean {
  return touched.has(page.id) || (page.itemId !== null && touched.has(page.itemId))
}

/** Whether the package itself changes a page, its item, or its site. */
function isOurs(node: PageNode, { touched, siteId }: Looked): boolean {
  return touched.has(siteId) || isTouched(node, touched)
}

function rethrown(error: unknown): never {
  throw error
}

/** A page that the package leaves alone and that fails on main already is nothing that the package could be told of. */
function brokenBefore(error: unknown): null {
  if (error instanceof QuireError && error.code === 'invalid_state') return null
  throw error
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
