import { expect, it } from 'vitest'
import { redirectPage } from './redirects.ts'

it('redirects automatically, has a link, and names the canonical URL', () => {
  const html = redirectPage({ from: 'old/place', to: 'news/été' }, 'https://example.com/blog')
  expect(html).toContain('<meta http-equiv="refresh" content="0; url=../../news/%C3%A9t%C3%A9/">')
  expect(html).toContain('<a href="../../news/%C3%A9t%C3%A9/">')
  expect(html).toContain('<link rel="canonical" href="https://example.com/blog/news/%C3%A9t%C3%A9/">')
})

it('has only relative links without a base URL', () => {
  const html = redirectPage({ from: 'old', to: '' }, '')
  expect(html.match(/(?:href|url)="?\.\.\/"/g)).toHaveLength(3)
})

it('escapes markup in an address', () => {
  expect(redirectPage({ from: '', to: `"><script>'` }, '')).not.toMatch(/<script|'/)
})
