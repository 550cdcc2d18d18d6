import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relativeFileLink, relativeLink } from './site-links.ts'

describe('a link between pages', () => {
  it.each([
    ['a/b', 'c', '../../c/'],
    ['a/b', '', '../../'],
    ['a/b', 'a/b', './'],
    ['a/b', 'a', '../'],
    ['a/b', 'a/c', '../c/'],
    ['a', 'a/b', 'b/'],
    ['', 'a/b', 'a/b/'],
    ['', '', './'],
    ['a', 'über/für-uns', '../%C3%BCber/f%C3%BCr-uns/'],
    ['ab', 'a', '../a/'],
  ])('from %j to %j is %j', (from, to, link) => {
    expect(relativeLink(from, to)).toBe(link)
  })
})

describe('a link to a file', () => {
  it.each([
    ['a/b', 'assets/x.webp', '../../assets/x.webp'],
    ['', 'assets/x.webp', 'assets/x.webp'],
    ['a', 'assets/a b?#%.png', '../assets/a%20b%3F%23%25.png'],
  ])('from %j to %j is %j', (from, to, link) => {
    expect(relativeFileLink(from, to)).toBe(link)
  })
})

const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
  .filter((text) => !text.includes('/') && text !== '.' && text !== '..')
const path = fc.array(segment, { maxLength: 5 }).map((segments) => segments.join('/'))
const near = fc
  .tuple(path, path, path)
  .map(([shared, from, to]) => [join(shared, from), join(shared, to)] as const)

describe('every link', () => {
  it('resolves to its target page, at any path of a host', () => {
    fc.assert(
      fc.property(
        near,
        fc.constantFrom('https://example.com/', 'https://example.com/x/y/'),
        ([from, to], base) => {
          expect(new URL(relativeLink(from, to), addressOf(base, from)).href).toBe(addressOf(base, to))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('resolves to its file', () => {
    fc.assert(
      fc.property(path, path, (from, file) => {
        const found = new URL(relativeFileLink(from, file), addressOf('https://example.com/x/', from))
        const names = found.pathname.split('/').slice(2).map(decodeURIComponent)
        expect(names.join('/')).toBe(file)
      }),
    )
  })
})

function join(...paths: readonly string[]): string {
  return paths.filter((part) => part !== '').join('/')
}

function addressOf(base: string, pagePath: string): string {
  const segments = pagePath === '' ? [] : pagePath.split('/')
  return base + segments.map((name) => `${encodeURIComponent(name)}/`).join('')
}
