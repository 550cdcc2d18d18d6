import { limits } from '@quire/contract'
import { mayDo } from '../../../engine/access/permissions.ts'
import type { Call } from '../../../engine/call.ts'
import { liveHeads } from '../../../content/kinds/heads.ts'
import type { Scope } from '../../../engine/scope.ts'
import { ofSite } from '../../../delivery/sites/reads.ts'
import { chunks } from '../../../content/structure/tree.ts'
import { pagesUsing, publishedSites } from '../published-pages.ts'
import type { FindFile } from '../../../delivery/sites/served-file.ts'
import type { EntityQuery } from '../../../ports/index.ts'

/** Main and a package. */
export interface BothBranches {
  readonly main: Scope
  readonly ours: Scope
}

/** A site whose pages a package may change. */
export interface SiteToCompare {
  readonly siteId: string
  /**
   * Ids of the pages to compare in addition to pages that the package changes, or whose item it
   * changes.
   */
  readonly pages: ReadonlySet<string> | 'all'
}

/**
 * The most pages to render when looking for changes: per site where the package changes something
 * in the site, and in total for unpublished sites, of which nothing records what their pages use.
 * At twice the value, a comparison takes about 2 s longer.
 */
export const mostRendered = 1000

/**
 * The sites whose pages a package may change and that the caller may see. The publication of a
 * published site records which pages use anything in `touched`. All pages are compared for a site
 * that the package itself changes, and for unpublished sites as long as `mostRendered` allows.
 */
export async function* sitesToCompare(
  call: Call,
  branches: BothBranches,
  touched: ReadonlySet<string>,
): AsyncGenerator<SiteToCompare> {
  if (touched.size === 0) return
  const showing = await sitesShowing(call, branches, touched)
  const published = new Map((await publishedSites(call, branches.main.branch)).map((site) => [site.id, site]))
  // Added or removed pages change every page that lists pages.
  const withTree = new Set([...touched, 'tree'])
  let left = mostRendered
  for (const siteId of await visibleSites(call, branches.main, [...showing, ...published.keys()])) {
    const isShowing = showing.has(siteId)
    const site = published.get(siteId)
    let pages: SiteToCompare['pages'] = new Set()
    if (touched.has(siteId)) pages = 'all'
    else if (site) pages = pageIds(await pagesUsing(call, site, isShowing ? withTree : touched))
    else {
      const count = await pageCount(call, branches.main, siteId)
      if (count <= left) pages = 'all'
      left -= count <= left ? count : 0
    }
    if (isShowing || pages === 'all' || pages.size > 0) yield { siteId, pages }
  }
}

function pageIds(pages: readonly { readonly pageId: string }[]): ReadonlySet<string> {
  return new Set(pages.map(({ pageId }) => pageId))
}

/**
 * The sites, on either branch, that contain something touched or show something that refers to it.
 */
async function sitesShowing(
  { store: { entities } }: Call,
  { main, ours }: BothBranches,
  touched: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const { branch } of [main, ours]) {
    for (const some of chunks([...touched])) {
      const showing = await entities.edges(branch, { end: 'target', ids: some, limit: 10_000 })
      const pages = await liveHeads(entities, branch, {
        kind: 'page',
        ids: [...some, ...showing.map(({ sourceId }) => sourceId)],
      })
      const siteIds = [...some, ...[...pages.values()].map(({ type }) => type)]
      for (const id of (await liveHeads(entities, branch, { kind: 'site', ids: siteIds })).keys()) ids.add(id)
    }
  }
  return ids
}

/** The given sites and the first sites of main that the caller may see, sorted by id. */
async function visibleSites(call: Call, { branch }: Scope, some: readonly string[]): Promise<string[]> {
  const { entities } = await call.store.entities.list(branch, {
    ...everything,
    kind: 'site',
    limit: limits.pageMost,
    count: false,
  })
  const ids = new Set([...some, ...entities.map(({ id }) => id)])
  const { permissions } = call.identity
  return [...ids].filter((siteId) => mayDo(permissions, 'sites.view', { siteId })).toSorted()
}

async function pageCount({ store }: Call, { branch }: Scope, siteId: string): Promise<number> {
  const { count } = await store.entities.list(branch, {
    ...everything,
    kind: 'page',
    filter: ofSite(siteId),
    limit: 1,
    count: true,
  })
  return count ?? 0
}

const everything: Omit<EntityQuery, 'kind' | 'limit' | 'count'> = {
  reader: { types: 'all', roles: 'all' },
  archived: true,
  sort: [],
}

/**
 * Short URLs that replace the inlined pictures of pages during a comparison. The comparison limits
 * the length of pages, and would otherwise read each picture as text.
 */
export interface StandIns {
  /** Finds the stand-in for a file. Identical files have the same stand-in. */
  readonly of: (find: FindFile) => FindFile
  /** Puts the pictures back into a text. */
  readonly restored: (text: string) => string
}

/**
 * The most characters of pictures in one document, which contains each picture three times.
 * Pictures beyond it stay stand-ins. Documents of twice that size are too large for some browsers.
 */
const mostRestored = 24 * 1024 ** 2

/** Creates the stand-ins for the pages of one document. */
export function createStandIns(): StandIns {
  const numbers = new Map<string, number>()
  const addresses: string[] = []
  let left = mostRestored
  const standIn = (address: string) => {
    const number = numbers.get(address) ?? addresses.push(address) - 1
    numbers.set(address, number)
    return `data:image/png;quire=${number},`
  }
  const picture = (whole: string, number: string) => {
    const { length } = addresses[Number(number)] ?? ''
    if (length === 0 || length > left) return whole
    left -= length
    return addresses[Number(number)] ?? whole
  }
  return {
    of: (find) => async (item, rendition) => {
      const address = await find(item, rendition)
      return address === null ? null : standIn(address)
    },
    restored: (text) => text.replaceAll(/data:image\/png;quire=(\d+),/g, picture),
  }
}
