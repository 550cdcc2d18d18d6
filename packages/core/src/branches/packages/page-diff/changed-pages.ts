import { limits, QuireError } from '@quire/contract'
import type { Call } from '../../../engine/call.ts'
import { yieldingToLoop } from '../../../engine/event-loop.ts'
import { liveHeads } from '../../../content/kinds/heads.ts'
import type { Scope } from '../../../engine/scope.ts'
import type { DiffedPage } from '../../../delivery/page-diff/page-diff-document.ts'
import { type VisibleNode, readSiteMap } from '../../../delivery/sites/site-map.ts'
import {
  type BothBranches,
  type LookedAt,
  mostRendered,
  sitesLookedAt,
  type StandIns,
} from './sites-looked-at.ts'
import { mayRead } from '../../../content/items/find.ts'
import { itemsVisible, renderedFor } from '../../../delivery/sites/item-source.ts'
import { notFoundNode } from '../../../delivery/sites/not-found-page.ts'
import { createSiteRenderer } from '../../../delivery/sites/render/site-renderer.ts'
import { templateProblem } from '../../../delivery/sites/render/template-fault.ts'
import { ownPages } from '../sides.ts'
import { wholeBlob } from '../../../files/assets/stored-bytes.ts'
import { base64Of } from '../../../adapters/base64.ts'
import { assetIn, isPicture } from '../../../content/items/asset.ts'
import { fileBinary, eachFileOnce, type FindFile } from '../../../delivery/sites/served-file.ts'
import type { Entity } from '../../../ports/index.ts'

/** What is wanted of the comparison. */
interface PageSelection {
  readonly isWanted: PageFilter
  readonly standIns: StandIns
}

/** A page that a package changes, as it is rendered on both sides, with stand-ins for its pictures; empty where it is not. */
export interface ChangedPage extends Omit<DiffedPage, 'highlighted'> {
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
  branches: BothBranches,
  { isWanted, standIns }: PageSelection,
): AsyncGenerator<ChangedPage> {
  const touched = await touchedBy(call, branches.ours)
  let found = 0
  for await (const { siteId, pages } of sitesLookedAt(call, branches, touched)) {
    const [main, ours] = [
      await headOf(call, branches.main, siteId),
      await headOf(call, branches.ours, siteId),
    ]
    const before = await siteSide(call, branches.main, { head: main, standIns })
    const after = await siteSide(call, branches.ours, { head: ours, standIns })
    for await (const page of changedOf(before, after, { touched, siteId, pages })) {
      if (!isWanted(page)) continue
      yield page
      found += 1
      if (found === limits.pageDiffPages) return
    }
  }
}

/** Whether a page is asked for. */
export type PageFilter = (page: ChangedPage) => boolean

async function headOf({ store }: Call, { branch }: Scope, id: string): Promise<Entity | undefined> {
  return (await liveHeads(store.entities, branch, { kind: 'site', ids: [id] })).get(id)
}

async function* changedOf(before: SiteSide, after: SiteSide, looked: Looked): AsyncGenerator<ChangedPage> {
  const yieldToLoop = yieldingToLoop()
  for (const one of nodesLookedAt([...before.pages, ...after.pages], looked)) {
    await yieldToLoop()
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
function nodesLookedAt(all: readonly [string, VisibleNode][], { touched, pages }: Looked): VisibleNode[] {
  const nodes = [...new Map(all).values()]
  const direct = nodes.filter((node) => isTouched(node, touched))
  const others = nodes.filter((node) => pages === 'all' || pages.has(node.page.id))
  return [...new Set([...direct, ...others])].slice(0, mostRendered)
}

function isTouched({ page }: VisibleNode, touched: ReadonlySet<string>): boolean {
  return touched.has(page.id) || (page.itemId !== null && touched.has(page.itemId))
}

/** Whether the package itself changes a page, its item, or its site. */
function isOurs(node: VisibleNode, { touched, siteId }: Looked): boolean {
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
  { page, path }: VisibleNode,
  { was, left, right }: { was: VisibleNode | undefined; left: string; right: string },
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

/** The pages of a site as one branch shows them, and first what it shows where there is none. */
interface SiteSide {
  /** By id; that of no page is empty. */
  readonly pages: ReadonlyMap<string, VisibleNode>
  /** The page as HTML; empty when it is not shown: it is hidden, or its item is not there for the caller. Errors: `invalid_state` for a template that fails. */
  html(node: VisibleNode | undefined): Promise<string>
}

/** A site on a branch. */
interface RenderedSite {
  /** Without one it has no pages there. */
  readonly head: Entity | undefined
  readonly standIns: StandIns
}

/** A site on a branch, with stand-ins for its pictures. */
async function siteSide(call: Call, scope: Scope, { head, standIns }: RenderedSite): Promise<SiteSide> {
  if (!head) return { pages: new Map(), html: async () => '' }
  const map = await readSiteMap(call, scope.branch, head)
  const item = itemsVisible(call, { branch: scope.branch, isVisible: (one) => mayRead(call, one) })
  const source = { item, file: standIns.of(inlinedFiles(call, scope)) }
  const { repository } = scope
  const { round } = call.shared
  const renderer = await createSiteRenderer({ map, repository, source, isPreview: true, round })
  const notFound = notFoundNode(map.site, './')
  const first = notFound === null ? [] : [[notFound.page.id, notFound] as const]
  return {
    pages: new Map<string, VisibleNode>([...first, ...map.pages]),
    async html(node) {
      if (!node?.page.visible) return ''
      const { itemId } = node.page
      if (itemId !== null && !(await item(itemId))) return ''
      const { html } = await renderedFor(call, () => renderer.render(node)).catch(templateProblem)
      return html
    },
  }
}

/** Ids of what a package changes that pages may show, of items that refer to such items or categories, and of sites whose tree it changes. */
async function touchedBy({ store }: Call, { branch }: Scope): Promise<ReadonlySet<string>> {
  const own: string[] = []
  const referred: string[] = []
  for await (const heads of ownPages(store.entities, branch))
    for (const { kind, id, type } of heads) {
      // Pages show no folders.
      if (kind !== 'folder') own.push(id)
      // What stands in a site touches all of it.
      if (kind === 'site' || kind === 'section' || kind === 'page') own.push(type)
      if (kind === 'item' || kind === 'category') referred.push(id)
    }
  const edges = await store.entities.edges(branch, {
    end: 'target',
    ids: referred.slice(0, 1000),
    limit: 10_000,
  })
  return new Set([...own, ...edges.map(({ sourceId }) => sourceId)])
}

/** Bytes of a picture that is put into a page: larger ones are left out, since a page holds each of them as text. */
const mostInlined = 512 * 1024

/** The pictures of items as `data:` addresses: what shows a page may load nothing. Originals are shown by a smaller picture. */
function inlinedFiles(call: Call, scope: Scope): FindFile {
  return eachFileOnce(async ({ id }, rendition) => {
    const head = await call.store.entities.get(scope.branch, 'item', id)
    const asset = head && assetIn(head.body)
    if (!asset || !isPicture(asset)) return null
    const name = rendition === 'original' ? 'large' : rendition
    const found = await fileBinary(call, { scope, asset }, name)
    if (!found || found.blob.size > mostInlined) return null
    return `data:${found.mimeType};base64,${base64Of(await wholeBlob(call, found.blob))}`
  })
}
