import { expect, it } from 'vitest'
import { robotsText } from './sitemap.ts'

it('lets all be read, and names the sitemap where it has an address', () => {
  expect(robotsText('https://example.com/blog')).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://example.com/blog/sitemap.xml\n',
  )
  expect(robotsText('')).toBe('User-agent: *\nAllow: /\n')
})
