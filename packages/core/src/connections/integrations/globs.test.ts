import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsGlob } from './operations.ts'

describe('a path fits a glob', () => {
  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a', false],
    ['/a', '/a/b', false],
    ['/a', '/A', false],
    ['/a/', '/a', false],
    ['/a/', '/a/', true],
    ['/', '/**', true],
    ['/a/b/c', '/**', true],
    ['/a', '/a/**', true],
    ['/a/b/c', '/a/**', true],
    ['/ab', '/a/**', false],
    ['/a/b/c', '/a/*', false],
    ['/a/b', '/a/*', true],
    ['/a/', '/a/*', true],
    ['/a', '/a/*', false],
    ['/x/a/y/b', '/**/a/**/b', true],
    ['/a/b', '/**/a/**/b', true],
    ['/x/b/a', '/**/a/**/b', false],
    ['/a/b/a/c', '/**/a/c', true],
    ['/v1/images.png', '/v*/*.png', true],
    ['/v1/x/images.png', '/v*/*.png', false],
    ['/v1/a.b', '/v1/a?b', false],
    ['/v1/[a]', '/v1/[a]', true],
    ['/v1/a', '/v1/[a]', false],
    ['/v1/a+', '/v1/a+', true],
  ])('%s, %s: %s', (path, glob, isFit) => {
    expect(fitsGlob(path, glob)).toBe(isFit)
  })

  it('exactly if it matches the equivalent regular expression', () => {
    const parts = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba'), { minLength: 1, maxLength: 5 })
    const globs = fc.array(fc.constantFrom('a', 'b', '*', '**', 'a*', '*b', '*a*'), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(parts, globs, (path, glob) => {
        const text = `/${path.join('/')}`
        expect(fitsGlob(text, `/${glob.join('/')}`)).toBe(expressionOf(glob).test(text))
      }),
    )
  })

  it('quickly, even with many stars', () => {
    const began = performance.now()
    expect(fitsGlob(`/${'a/'.repeat(900)}`, `/${'**/a/'.repeat(90)}b`)).toBe(false)
    expect(fitsGlob(`/${'a'.repeat(2000)}`, `/${'*a'.repeat(200)}b`)).toBe(false)
    expect(performance.now() - began).toBeLessThan(500)
  })
})

function expressionOf(glob: readonly string[]): RegExp {
  const parts = glob.map((part) => (part === '**' ? '(?:/[^/]*)*' : `/${part.replaceAll('*', '[^/]*')}`))
  return new RegExp(`^${parts.join('')}$`)
}
