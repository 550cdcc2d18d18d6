import { expect, it } from 'vitest'
import { robotsText } from './sitemap.ts'

it('allows everything, and names the sitemap if there is a base URL', () => {
  expect(robotsText('https://example.com/blog')).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://example.com/blog/sitemap.xml\n',
  )
  expect(robotsText('')).toBe('User-agent: *\nAllow: /\n')
})
