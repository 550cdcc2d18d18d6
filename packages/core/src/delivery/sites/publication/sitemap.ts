import { escaped } from '../../../engine/html.ts'
import { publicAddress, publicFileAddress } from './address.ts'

/** A page to list in a sitemap. */
export interface ListedPage {
  readonly address: string
  /** When its content last changed, in Unix milliseconds. */
  readonly lastModified: number
  /** Its addresses in all locales, its own included. Empty: it is in one alone. */
  readonly alternates?: readonly { readonly locale: string; readonly address: string }[]
}

/** The limits of one sitemap. */
interface SitemapLimits {
  readonly pages: number
  /** Bytes. */
  readonly size: number
}

/**
 * Sitemap protocol (sitemaps.org): "no more than 50,000 URLs and must be no larger than 50MB
 * (52,428,800 bytes)".
 */
const protocolLimits: SitemapLimits = { pages: 50_000, size: 52_428_800 }

/**
 * Sitemap protocol: a `loc` has "less than 2,048 characters". A page with a longer one is left out,
 * because it would make the sitemap invalid.
 */
const longestAddress = 2_047

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const linkNamespace = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'

/**
 * The sitemap files of a site by name: `sitemap.xml`, which is an index of `sitemap-1.xml`,
 * `sitemap-2.xml`… when there are too many pages for one. Empty without a base URL, because a
 * sitemap needs absolute URLs.
 */
export function sitemapFiles(
  baseUrl: string,
  pages: readonly ListedPage[],
  limits: SitemapLimits = protocolLimits,
): Map<string, string> {
  if (baseUrl === '') return new Map()
  const isLinked = pages.some(({ alternates = [] }) => alternates.length > 0)
  const opening = `${head}<urlset ${namespace}${isLinked ? ` ${linkNamespace}` : ''}>\n`
  const maps = inSitemaps(opening, entriesOf(baseUrl, pages), limits)
  if (maps.length === 1) return new Map([['sitemap.xml', maps[0] ?? '']])
  const files = new Map(maps.map((text, index) => [`sitemap-${index + 1}.xml`, text]))
  return new Map([['sitemap.xml', indexOf(baseUrl, [...files.keys()])], ...files])
}

function entriesOf(baseUrl: string, pages: readonly ListedPage[]): string[] {
  return pages.flatMap(({ address, lastModified, alternates = [] }) => {
    const location = escaped(publicAddress(baseUrl, address))
    if (location.length > longestAddress) return []
    const links = alternates.map(
      (one) =>
        `<xhtml:link rel="alternate" hreflang="${one.locale}" href="${escaped(publicAddress(baseUrl, one.address))}"/>`,
    )
    const date = new Date(lastModified).toISOString()
    return `<url><loc>${location}</loc><lastmod>${date}</lastmod>${links.join('')}</url>\n`
  })
}

/** Returns at least one sitemap, which may be empty. */
function inSitemaps(opening: string, entries: readonly string[], limits: SitemapLimits): string[] {
  const closing = '</urlset>\n'
  const room = limits.size - opening.length - closing.length
  const maps: string[][] = [[]]
  let size = 0
  for (const entry of entries) {
    const last = maps.at(-1) ?? []
    // URLs and dates are ASCII, so characters are bytes.
    const fits = last.length < limits.pages && size + entry.length <= room
    if (fits) last.push(entry)
    else maps.push([entry])
    size = fits ? size + entry.length : entry.length
  }
  return maps.map((lines) => `${opening}${lines.join('')}${closing}`)
}

function indexOf(baseUrl: string, names: readonly string[]): string {
  const entries = names.map(
    (name) => `<sitemap><loc>${escaped(publicFileAddress(baseUrl, name))}</loc></sitemap>\n`,
  )
  return `${head}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`
}

/**
 * The robots file of a site (RFC 9309). It allows everything, and names the sitemap if there is a
 * base URL.
 */
export function robotsText(baseUrl: string): string {
  const rules = 'User-agent: *\nAllow: /\n'
  return baseUrl === '' ? rules : `${rules}\nSitemap: ${publicFileAddress(baseUrl, 'sitemap.xml')}\n`
}
