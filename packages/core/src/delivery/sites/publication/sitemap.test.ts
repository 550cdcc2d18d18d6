import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ListedPage, sitemapFiles } from './sitemap.ts'

const base = 'https://example.com/blog'
const lastModified = Date.UTC(2026, 10, 3, 4, 5, 6)

const aPage = (address: string): ListedPage => ({ address, lastModified })

function locationsIn(text = ''): string[] {
  return Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, location = '']) => location)
}

describe('a sitemap', () => {
  it('lists every page with its absolute URL and when it changed', () => {
    expect([...sitemapFiles(base, [aPage(''), aPage('news/été')])]).toEqual([
      [
        'sitemap.xml',
        '<?xml version="1.0" encoding="UTF-8"?>\n' +
          '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' +
          '<url><loc>https://example.com/blog/</loc><lastmod>2026-11-03T04:05:06.000Z</lastmod></url>\n' +
          '<url><loc>https://example.com/blog/news/%C3%A9t%C3%A9/</loc><lastmod>2026-11-03T04:05:06.000Z</lastmod></url>\n' +
          '</urlset>\n',
      ],
    ])
  })

  it('escapes XML markup', () => {
    const [text] = sitemapFiles("https://example.com/a&b'c", [aPage('x')]).values()
    expect(locationsIn(text)).toEqual(['https://example.com/a&amp;b&#39;c/x/'])
  })

  it('without pages is empty', () => {
    expect(locationsIn(sitemapFiles(base, []).get('sitemap.xml'))).toEqual([])
  })

  it('does not exist without a base URL', () => {
    expect(sitemapFiles('', [aPage('')]).size).toBe(0)
  })

  it('leaves out a page whose URL is longer than the protocol allows', () => {
    const [text] = sitemapFiles(base, [aPage('é'.repeat(400)), aPage('a')]).values()
    expect(locationsIn(text)).toEqual([`${base}/a/`])
  })

  it('of more than 50 000 pages is an index of several', () => {
    const pages = Array.from({ length: 100_001 }, (_, index) => aPage(`page-${index}`))
    const files = sitemapFiles(base, pages)
    expect(locationsIn(files.get('sitemap.xml'))).toEqual(
      [1, 2, 3].map((number) => `${base}/sitemap-${number}.xml`),
    )
    expect([1, 2, 3].map((number) => locationsIn(files.get(`sitemap-${number}.xml`)).length)).toEqual([
      50_000, 50_000, 1,
    ])
  })

  it('lists each page once and in order, in files within the limits', () => {
    const address = fc.stringMatching(/^[a-zé]{0,30}$/u)
    const limits = fc.record({
      pages: fc.integer({ min: 1, max: 5 }),
      size: fc.integer({ min: 400, max: 900 }),
    })
    fc.assert(
      fc.property(fc.array(address), limits, (addresses, most) => {
        const files = sitemapFiles(base, addresses.map(aPage), most)
        const maps = [...files].filter(([name]) => files.size === 1 || name !== 'sitemap.xml')
        for (const [, text] of maps) {
          expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(most.size)
          expect(locationsIn(text).length).toBeLessThanOrEqual(most.pages)
        }
        const listed = maps.flatMap(([, text]) => locationsIn(text))
        expect(listed).toEqual(addresses.map((at) => `${base}/${encodeURIComponent(at)}${at && '/'}`))
        const named = files.size === 1 ? [] : maps.map(([name]) => `${base}/${name}`)
        expect(files.size === 1 ? [] : locationsIn(files.get('sitemap.xml'))).toEqual(named)
      }),
    )
  })
})
