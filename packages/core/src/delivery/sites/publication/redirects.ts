import { limits } from '@quire/contract'
import type { Manifest } from './manifest.ts'

/** What a publication knows of where pages are and were. */
export type KnownAddresses = Pick<Manifest, 'files' | 'redirects' | 'away'>

/** The pages of a site as they are published now. */
export interface PagesNow {
  /** Of those that are shown, by id. */
  readonly addresses: ReadonlyMap<string, string>
  /** Whether a page is in the site, shown or not. */
  readonly isThere: (pageId: string) => boolean
}

/**
 * From each address where a page was and none is now to the one where that page is now, in one step; with those of pages that are not shown
 * now, for when they are again. An address is of the page that had it last, for as long as that page is in the site and no other takes
 * the address. Never from an address in use, never to one that is not. Of publications before, the one that is served comes first:
 * what it says counts, and where there are more than `most` addresses, those it shows are kept before those that only led on.
 */
export function redirectsNow(
  before: readonly KnownAddresses[],
  { addresses, isThere }: PagesNow,
  most: number = limits.redirects,
): Pick<Manifest, 'redirects' | 'away'> {
  const inUse = new Set(addresses.values())
  const left = [...holdersIn(before)].filter(([from, pageId]) => !inUse.has(from) && isThere(pageId))
  const redirects = new Map<string, string>()
  const away = new Map<string, string>()
  for (const [from, pageId] of left.slice(0, most)) {
    const to = addresses.get(pageId)
    if (to === undefined) away.set(from, pageId)
    else redirects.set(from, to)
  }
  return { redirects, away }
}

/** The page that each address is of, as the first to know it says. */
function holdersIn(before: readonly KnownAddresses[]): Map<string, string> {
  const holders = new Map<string, string>()
  for (const { files, redirects, away } of before) {
    const pageAt = (address: string) => files.get(address)?.page?.id
    const add = (address: string, pageId: string | undefined) => {
      if (pageId !== undefined && !holders.has(address)) holders.set(address, pageId)
    }
    for (const address of files.keys()) add(address, pageAt(address))
    for (const [from, to] of redirects) add(from, pageAt(to))
    for (const [from, pageId] of away) add(from, pageId)
  }
  return holders
}
