import { expect, it } from 'vitest'
import { redirectPage } from './redirects.ts'

it('leads on by itself, by a link, and says where the page is now', () => {
  const html = redirectPage({ from: 'old/place', to: 'news/été' }, 'https://example.com/blog')
  expect(html).toContain('<meta http-equiv="refresh" content="0; url=../../news/%C3%A9t%C3%A9/">')
  expect(html).toContain('<a href="../../news/%C3%A9t%C3%A9/">')
  expect(html).toContain('<link rel="canonical" href="https://example.com/blog/news/%C3%A9t%C3%A9/">')
})

it('is relative throughout without a base address', () => {
  const html = redirectPage({ from: 'old', to: '' }, '')
  expect(html.match(/(?:href|url)="?\.\.\/"/g)).toHaveLength(3)
})

it('has no mark-up that an address brought', () => {
  expect(redirectPage({ from: '', to: `"><script>'` }, '')).not.toMatch(/<script|'/)
})
