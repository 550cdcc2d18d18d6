import { publicFileAddress } from './address.ts'

/** The robots file of a site (RFC 9309): all may be read. The sitemap has an absolute address: without a base address none is named. */
export function robotsText(baseUrl: string): string {
  const rules = 'User-agent: *\nAllow: /\n'
  return baseUrl === '' ? rules : `${rules}\nSitemap: ${publicFileAddress(baseUrl, 'sitemap.xml')}\n`
}
