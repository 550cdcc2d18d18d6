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

/** A site that a package may change. */
export interface LookedAt {
  readonly siteId: string
  /** Ids of pages that are looked at beside those that the package changes, or whose item it does. */
  readonly pages: ReadonlySet<string> | 'all'
}

/**
 * Pages that are rendered to see whether they change: of a site where anything that stands in it did, and of all sites together of which
 * nothing says what their pages show. At twice, a comparison takes some 2 s more.
 */
export const mostRendered = 1000

/**
 * The sites that a package may change, of those that the caller may see. Of a published one its publication says which pages show what is
 * `touched`; of others all pages are looked at while there are few, and so are all of a site that the package itself changes.
 */
export async function* sitesLookedAt(
  call: Call,
  branches: BothBranches,
  touched: ReadonlySet<string>,
): AsyncGenerator<LookedAt> {
  if (touched.size === 0) return
  const showing = await sitesShowing(call, branches, touched)
  const published = new Map((await publishedSites(call, branches.main.branch)).map((site) => [site.id, site]))
  // Where pages come and go, what lists pages shows others.
  const withTree = new Set([...touched, 'tree'])
  let left = mostRendered
  for (const siteId of await sitesSeen(call, branches.main, [...showing, ...published.keys()])) {
    const isShowing = showing.has(siteId)
    const site = published.get(siteId)
    let pages: LookedAt['pages'] = new Set()
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

/** The sites in which something is touched, or shows what is, on either branch. */
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

/** Some sites and the first of main, as far as the caller may see them, in one order. */
async function sitesSeen(call: Call, { branch }: Scope, some: readonly string[]): Promise<string[]> {
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

/** Short addresses in place of the pictures in pages: what compares pages bounds their length, and would read each picture as text. */
export interface StandIns {
  /** Finds what stands in for a file; alike files have one. */
  readonly of: (find: FindFile) => FindFile
  /** A text with the pictures themselves. */
  readonly restored: (text: string) => string
}

/** Characters of pictures in one document, where each stands three times. Those past it are left out. At twice as many a document is too much for some browsers. */
const mostRestored = 24 * 1024 ** 2

/** Stand-ins for the pages of one document. */
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
