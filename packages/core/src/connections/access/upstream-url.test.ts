import fc from 'fast-check'
import { expect, it } from 'vitest'
import { upstreamUrl } from './forward.ts'

const baseUrl = 'https://upstream.example.com:8443/prefix'

it.each([
  ['', 'https://upstream.example.com:8443/prefix/'],
  ['a/b c/é', 'https://upstream.example.com:8443/prefix/a/b%20c/%C3%A9'],
  ['a?b#c;d', 'https://upstream.example.com:8443/prefix/a%3Fb%23c%3Bd'],
  ['@sink.example.com', 'https://upstream.example.com:8443/prefix/%40sink.example.com'],
  ['http://sink', 'https://upstream.example.com:8443/prefix/http%3A//sink'],
])('%j is below the upstream: %s', (path, url) => {
  expect(upstreamUrl({ baseUrl }, { path })).toBe(url)
})

const climbing = ['..', '../admin', 'a/../../b', '.', 'a/..']
const climbingForSome = ['images/..;/admin', '..;x=1/a', 'a/..\\admin', '%2e%2e/a', 'a%2f..%2fb', '.%2E%3B/a']

it.each([...climbing, ...climbingForSome])('%j leads outside, and is rejected', (path) => {
  expect(() => upstreamUrl({ baseUrl }, { path })).toThrow('leads out')
})

it('whatever a path and a query string contain, the URL is below the upstream or rejected', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('..', '.', '/', '\\', '%2e%2e', '//', '@', ':'),
  )
  const texts = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('').toWellFormed())
  fc.assert(
    fc.property(texts, fc.stringMatching(/^[!"$-~]*$/), (path, query) => {
      const { origin, parts } = positionOf({ path, query })
      expect(origin).toBe('https://upstream.example.com:8443')
      expect(parts).toBe(path)
    }),
  )
})

/**
 * The origin of the URL, and its path below the prefix. A rejected path counts as resolved if it
 * had to be rejected.
 */
function positionOf(positioned: { path: string; query: string }): { origin: string; parts: string } {
  try {
    const { origin, pathname } = new URL(upstreamUrl({ baseUrl }, positioned))
    const below = pathname.startsWith('/prefix/') ? pathname.slice('/prefix/'.length) : 'elsewhere'
    return { origin, parts: below.split('/').map(decodeURIComponent).join('/') }
  } catch {
    const mustBeRejected = positioned.path
      .split(/[/\\]|%2f|%5c/i)
      .some((part) => /^(?:\.|%2e){1,2}(?:;|%3b|$)/i.test(part))
    return {
      origin: 'https://upstream.example.com:8443',
      parts: mustBeRejected ? positioned.path : 'rejected without reason',
    }
  }
}
