import { limits } from '@quire/contract'
import { pageKey, type Manifest } from './manifest.ts'
import { escaped } from '../../../engine/html.ts'
import { relativeLink } from '../render/site-links.ts'
import { publicAddress } from './address.ts'

/** What a publication knows about current and former addresses of pages. */
export type KnownAddresses = Pick<Manifest, 'files' | 'redirects' | 'away'>

/** The pages of a site in the new publication. */
interface CurrentPages {
  /** Addresses of published pages by key. */
  readonly addresses: ReadonlyMap<string, string>
  /** Whether the page with a key is in the site, published or not. */
  readonly isThere: (key: string) => boolean
}

/**
 * Computes the redirects of a new publication: from each former address of a page that is free now
 * to the page's current address, in one step. `away` has the former addresses of pages that are not
 * published now, for when they are again. An address belongs to the page that had it last, as long
 * as that page is in the site and no other takes the address. A redirect never starts at an address
 * in use, and always ends at one.
 *
 * `before` has earlier publications. The active one comes first and takes precedence. If there are
 * more than `most` addresses, those of its pages are retained before those of its redirects.
 */
export function redirectsNow(
  before: readonly KnownAddresses[],
  { addresses, isThere }: CurrentPages,
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

/** The page that each address belongs to. The first publication that knows the address decides. */
function holdersIn(before: readonly KnownAddresses[]): Map<string, string> {
  const holders = new Map<string, string>()
  for (const { files, redirects, away } of before) {
    const pageAt = (address: string) => {
      const page = files.get(address)?.page
      return page && pageKey(page)
    }
    const add = (address: string, pageId: string | undefined) => {
      if (pageId !== undefined && !holders.has(address)) holders.set(address, pageId)
    }
    for (const address of files.keys()) add(address, pageAt(address))
    for (const [from, to] of redirects) add(from, pageAt(to))
    for (const [from, pageId] of away) add(from, pageId)
  }
  return holders
}

/** A page that has moved. `from` and `to` are addresses within the site. */
interface Redirect {
  readonly from: string
  readonly to: string
}

/**
 * The HTML of a redirect, for hosts that only serve files. It sends readers on at once and tells
 * search engines the new address. Links are relative, so that they work wherever the site is. With
 * a base URL, the canonical link is absolute.
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
