import { describe, expect, it } from 'vitest'
import { pageFile, publicAddress, publicFileAddress } from './address.ts'

describe('an address', () => {
  it('of a page becomes a folder with an index file', () => {
    expect(pageFile('')).toBe('index.html')
    expect(pageFile('news/spring')).toBe('news/spring/index.html')
  })

  it('becomes a URL within the base URL, in ASCII, with a trailing slash', () => {
    expect(publicAddress('https://example.com', '')).toBe('https://example.com/')
    expect(publicAddress('https://example.com/blog/', 'news/été')).toBe(
      'https://example.com/blog/news/%C3%A9t%C3%A9/',
    )
    expect(publicAddress('https://ada:x@münchen.example?a=b#c', 'a')).toBe(
      'https://xn--mnchen-3ya.example/a/',
    )
  })

  it('of a file becomes a URL that ends with its name', () => {
    expect(publicFileAddress('http://localhost:80/x', 'sitemap.xml')).toBe('http://localhost/x/sitemap.xml')
  })
})
