import { limits } from '@quire/contract'
import type { Manifest } from './manifest.ts'
import { escaped } from '../../../engine/html.ts'
import { relativeLink } from '../render/site-links.ts'
import { publicAddress } from './address.ts'

/** What a publication knows of where pages are and were. */
export type KnownAddresses = Pick<Manifest, 'files' | 'redirects' | 'away'>

/** The pages of a site as they are published now. */
interface PagesNow {
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

/** A page that moved: `from` and `to` are addresses within the site. */
interface Redirect {
  readonly from: string
  readonly to: string
}

/**
 * The HTML file at an address where a page was, for hosts that only serve files: it leads on at once, and says to search engines
 * where the page is now. Links are relative, so that they hold wherever the site is; with a base address the canonical one is absolute.
 */
export function redirectPage({ from, to }: Redirect, baseUrl: string): string {
  const target = escaped(relativeLink(from, to))
  const canonical = baseUrl === '' ? target : escaped(publicAddress(baseUrl, to))
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<title>This page has moved</title>',
    `<link rel="canonical" href="${canonical}">`,
    `<meta http-equiv="refresh" content="0; url=${target}">`,
    '</head>',
    '<body>',
    `<p>This page has moved: <a href="${target}">go to where it is now</a>.</p>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}
