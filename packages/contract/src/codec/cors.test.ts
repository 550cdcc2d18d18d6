import { describe, expect, it } from 'vitest'
import { createCors } from './cors.ts'

const allowed = (origins: readonly string[], origin: string | undefined) =>
  createCors({ origins }).headers({ origin, isForAll: false })['access-control-allow-origin']

describe('the origins of pages', () => {
  it('are allowed if they are listed, and sent back as they came', () => {
    expect(allowed(['https://www.example.org'], 'https://www.example.org')).toBe('https://www.example.org')
    expect(allowed(['HTTPS://WWW.Example.org'], 'https://www.example.org')).toBe('https://www.example.org')
    expect(allowed(['https://www.example.org:443'], 'https://www.example.org')).toBe(
      'https://www.example.org',
    )
    expect(allowed(['http://localhost:5173'], 'http://localhost:5173')).toBe('http://localhost:5173')
    expect(allowed(['http://[::1]:5173'], 'http://[::1]:5173')).toBe('http://[::1]:5173')
    expect(allowed(['capacitor://localhost'], 'capacitor://localhost')).toBe('capacitor://localhost')
  })

  it.each([
    undefined,
    'null',
    '*',
    '',
    'https://example.org',
    'http://www.example.org',
    'https://www.example.org.evil.test',
    'https://evil.test/https://www.example.org',
    'https://www.example.org:8443',
    'https://WWW.EXAMPLE.ORG',
  ])('are refused otherwise: %s', (origin) => {
    expect(allowed(['https://www.example.org'], origin)).toBeUndefined()
  })

  it('may have one label in place of an asterisk', () => {
    const listed = ['https://*.preview.example.org:8443']
    expect(allowed(listed, 'https://pr-12.preview.example.org:8443')).toBe(
      'https://pr-12.preview.example.org:8443',
    )
    for (const origin of [
      'https://preview.example.org:8443',
      'https://.preview.example.org:8443',
      'https://a.b.preview.example.org:8443',
      'https://evil.test/.preview.example.org:8443',
      'https://evil.test#.preview.example.org:8443',
      'https://pr-12.preview.example.org',
      'http://pr-12.preview.example.org:8443',
    ])
      expect(allowed(listed, origin)).toBeUndefined()
  })

  it('may contain any word after the asterisk', () => {
    const listed = ['https://*.label.example.org']
    expect(allowed(listed, 'https://a.label.example.org')).toBe('https://a.label.example.org')
    expect(allowed(listed, 'https://evil.')).toBeUndefined()
  })

  it.each([
    '*',
    'null',
    'www.example.org',
    'https://',
    'https://*',
    'https://*.org',
    'https://a.*.example.org',
  ])('are checked when the rules are made: %s', (origin) => {
    expect(() => createCors({ origins: [origin] })).toThrow(`"${origin}" is not an origin`)
  })

  it.each([
    'https://a.example.org/',
    'https://a.example.org/path',
    'https://u:p@a.example.org',
    'https://*.*.example.org',
  ])('have no path and no user: %s', (origin) => {
    expect(() => createCors({ origins: [origin] })).toThrow('is not an origin')
  })

  it('may all read published content, without being named, unless that is switched off', () => {
    const request = { origin: 'https://any.test', isForAll: true }
    expect(createCors().headers(request)).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(createCors().headers({ ...request, isForAll: false })).toEqual({})
    expect(createCors({ published: false }).headers(request)).toEqual({})
  })

  it('are never allowed to send credentials', () => {
    const cors = createCors({ origins: ['https://www.example.org'] })
    const request = { origin: 'https://www.example.org', isForAll: false, methods: ['GET'], headers: 'a' }
    const names = [...Object.keys(cors.headers(request)), ...Object.keys(cors.preflight(request))]
    expect(names).not.toContain('access-control-allow-credentials')
  })
})

describe('a preflight', () => {
  const cors = createCors({ origins: ['https://www.example.org'] })
  const asked = { isForAll: false, methods: ['GET', 'PATCH'], headers: 'authorization, if-match' }

  it('is answered with the methods of the address and the headers that were asked for', () => {
    expect(cors.preflight({ ...asked, origin: 'https://www.example.org' })).toEqual({
      'access-control-allow-origin': 'https://www.example.org',
      'access-control-allow-methods': 'GET, PATCH',
      'access-control-allow-headers': 'authorization, if-match',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Headers',
    })
  })

  it('is refused for another origin, in words for the person who runs the service', () => {
    expect(() => cors.preflight({ ...asked, origin: 'https://other.test' })).toThrow(
      'Pages of https://other.test may not call this service. To allow it, start the service with --cors-origin https://other.test',
    )
  })

  it('does not repeat what is no list of headers', () => {
    const answer = cors.preflight({ ...asked, origin: 'https://www.example.org', headers: 'a\r\nb: c' })
    expect(answer).not.toHaveProperty('access-control-allow-headers')
  })
})
