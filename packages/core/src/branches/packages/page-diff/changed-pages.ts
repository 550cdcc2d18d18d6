import { limits, QuireError } from '@quire/contract'
import type { Call } from '../../../engine/call.ts'
import { yieldingToLoop } from '../../../engine/event-loop.ts'
import { liveHeads } from '../../../content/kinds/heads.ts'
import type { Scope } from '../../../engine/scope.ts'
import type { DiffedPage } from '../../../delivery/page-diff/page-diff-document.ts'
import { allPages, keyOf } from '../../../delivery/sites/publication/changed-pages.ts'
import { mapsOf, readSite, type RenderableNode } from '../../../delivery/sites/site-map.ts'
import {
  type BothBranches,
  type SiteToCompare,
  mostRendered,
  sitesToCompare,
  type StandIns,
} from './sites-to-compare.ts'
import { mayRead } from '../../../content/items/find.ts'
import { renderInOrder } from '../../../delivery/sites/item-source.ts'
import { notFoundNode } from '../../../delivery/sites/not-found-page.ts'
import { createRenderings } from '../../../delivery/sites/renderings.ts'
import { throwTemplateProblem } from '../../../delivery/sites/render/template-fault.ts'
import { ownPages } from '../sides.ts'
import { wholeBlob } from '../../../files/assets/stored-bytes.ts'
import { base64Of } from '../../../adapters/base64.ts'
import { assetIn, isPicture } from '../../../content/items/asset.ts'
import { fileBinary, cacheFiles, type FindFile } from '../../../delivery/sites/served-file.ts'
import type { Entity } from '../../../ports/index.ts'

/** Which changed pages a comparison includes, and how it replaces their pictures. */
interface PageSelection {
  readonly isIncluded: PageFilter
  readonly standIns: StandIns
}

/** A page that a package changes, as rendered on both sides with stand-ins for its pictures. */
export interface ChangedPage extends Omit<DiffedPage, 'highlighted'> {
  /** Empty when main does not show the page. */
  readonly before: string
  /** Empty when the package does not show the page. */
  readonly after: string
  readonly slug: string
}

/**
 * The pages that render differently in a package, at most `pageDiffPages`. Cost: renders the pages
 * that the package may change, up to `mostRendered` per site.
 */
export async function* changedPages(
  call: Call,
  branches: BothBranches,
  { isIncluded, standIns }: PageSelection,
): AsyncGenerator<ChangedPage> {
  const touched = await touchedBy(call, branches.ours)
  let found = 0
  for await (const { siteId, pages } of sitesToCompare(call, branches, touched)) {
    const [main, ours] = [
      await headOf(call, branches.main, siteId),
      await headOf(call, branches.ours, siteId),
    ]
    const before = await siteSide(call, branches.main, { head: main, standIns })
    const after = await siteSide(call, branches.ours, { head: ours, standIns })
    for await (const page of changedOf(before, after, { touched, siteId, pages })) {
      if (!isIncluded(page)) continue
      yield page
      found += 1
      if (found === limits.pageDiffPages) return
    }
  }
}

/** Whether to include a changed page. */
export type PageFilter = (page: ChangedPage) => boolean

async function headOf({ store }: Call, { branch }: Scope, id: string): Promise<Entity | undefined> {
  return (await liveHeads(store.entities, branch, { kind: 'site', ids: [id] })).get(id)
}

async function* changedOf(before: SiteSide, after: SiteSide, site: TouchedSite): AsyncGenerator<ChangedPage> {
  const yieldToLoop = yieldingToLoop()
  for (const one of nodesToCompare([...before.pages, ...after.pages], site)) {
    await yieldToLoop()
    const key = keyOf(one)
    const [was, is] = [before.pages.get(key), after.pages.get(key)]
    const left = await before.html(was).catch(isChangedByPackage(one, site) ? rethrow : ignoreBrokenPage)
    if (left === null) continue
    const right = await after.html(is)
    const node = right === '' ? was : is
    // A page that neither side shows has no visible change.
    if (left === '' && right === '') continue
    if (node && (left !== right || was?.path !== is?.path)) yield changedPage(node, { was, left, right })
  }
}

interface TouchedSite extends SiteToCompare {
  /** Ids of what the package changes or affects. */
  readonly touched: ReadonlySet<string>
}

/**
 * The pages to render, at most `mostRendered`. Pages that the package changes, or whose item it
 * changes, come first.
 */
function nodesToCompare(
  all: readonly [string, RenderableNode][],
  { touched, pages }: TouchedSite,
): RenderableNode[] {
  const nodes = [...new Map(all).values()]
  const direct = nodes.filter((node) => isTouched(node, touched))
  const others = nodes.filter((node) => pages === 'all' || pages.has(node.page.id))
  return [...new Set([...direct, ...others])].slice(0, mostRendered)
}

function isTouched({ page }: RenderableNode, touched: ReadonlySet<string>): boolean {
  return touched.has(page.id) || (page.itemId !== null && touched.has(page.itemId))
}

/** Whether the package itself changes a page, its item, or its site. */
function isChangedByPackage(node: RenderableNode, { touched, siteId }: TouchedSite): boolean {
  return touched.has(siteId) || isTouched(node, touched)
}

function rethrow(error: unknown): never {
  throw error
}

/** Skips a page that the package does not change and whose template already fails on main. */
function ignoreBrokenPage(error: unknown): null {
  if (error instanceof QuireError && error.code === 'invalid_state') return null
  throw error
}

function changedPage(
  { page, path }: RenderableNode,
  { was, left, right }: { was: RenderableNode | undefined; left: string; right: string },
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

/** The pages of a site on one branch. The not-found page comes first. */
interface SiteSide {
  /** By page and locale. */
  readonly pages: ReadonlyMap<string, RenderableNode>
  /**
   * Renders a page; empty when it does not exist, is not visible, or the caller cannot see its
   * item.
   * Errors: `invalid_state` for a template that fails.
   */
  html(node: RenderableNode | undefined): Promise<string>
}

/** A site on a branch. */
interface RenderedSite {
  /** Undefined when the site does not exist on the branch. It has no pages there then. */
  readonly head: Entity | undefined
  readonly standIns: StandIns
}

/** A site on a branch, with stand-ins for its pictures. */
async function siteSide(call: Call, scope: Scope, { head, standIns }: RenderedSite): Promise<SiteSide> {
  if (!head) return { pages: new Map(), html: async () => '' }
  const maps = mapsOf(scope, await readSite(call, scope.branch, head))
  const file = standIns.of(inlinedFiles(call, scope))
  const renderings = await createRenderings(call, {
    maps,
    repository: scope.repository,
    file,
    isPreview: true,
    items: () => ({ branch: scope.branch, isVisible: (item) => mayRead(call, item) }),
  })
  const first = maps.flatMap((map) => {
    const node = notFoundNode(map, './')
    return node ? [[keyOf(node), node] as const] : []
  })
  return {
    pages: new Map<string, RenderableNode>([...first, ...allPages(maps).pages]),
    async html(node) {
      if (!node?.page.visible) return ''
      const { itemId } = node.page
      const { renderer, item } = renderings(node)
      if (itemId !== null && !(await item(itemId))) return ''
      const { html } = await renderInOrder(call, () => renderer.render(node)).catch(throwTemplateProblem)
      return html
    },
  }
}

/**
 * Ids of what a package changes and pages may show: changed entities except folders, items that
 * refer to changed items or categories, and sites with changed sections or pages.
 */
async function touchedBy({ store }: Call, { branch }: Scope): Promise<ReadonlySet<string>> {
  const own: string[] = []
  const referred: string[] = []
  for await (const heads of ownPages(store.entities, branch))
    for (const { kind, id, type } of heads) {
      // Pages show no folders.
      if (kind !== 'folder') own.push(id)
      // A change to a section or page touches its whole site, whose id is the type.
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

/**
 * The most bytes of a picture that is inlined in a page. Larger pictures are left out, because a
 * page holds each as text.
 */
const mostInlined = 512 * 1024

/**
 * Finds the pictures of items as `data:` URLs, because the document that shows the pages may load
 * nothing. Originals are replaced by the smaller rendition `large`.
 */
function inlinedFiles(call: Call, scope: Scope): FindFile {
  return cacheFiles(async ({ id }, rendition) => {
    const head = await call.store.entities.get(scope.branch, 'item', id)
    const asset = head && assetIn(head.body)
    if (!asset || !isPicture(asset)) return null
    const name = rendition === 'original' ? 'large' : rendition
    const found = await fileBinary(call, { scope, asset }, name)
    if (!found || found.blob.size > mostInlined) return null
    return `data:${found.mimeType};base64,${base64Of(await wholeBlob(call, found.blob))}`
  })
}
