import { describe, expect, it } from 'vitest'
import { type OutboundRequest } from '../ports/outbound.ts'
import { outboundRequestProblem, outboundUrlProblem } from './outbound-checks.ts'

const request: OutboundRequest = {
  url: 'https://public.example/hook?x=1',
  method: 'POST',
  headers: [],
  body: null,
  connectMs: 1_000,
  totalMs: 1_000,
  maxAnswerBytes: 1_000,
}

describe('the text of a URL', () => {
  it.each([
    'http://a',
    'https://public.example:8443/a?b#c',
    'http://[2606:4700::1]/',
    'HTTP://A/',
    'http://bücher.example',
  ])('%s is fine', (url) => expect(outboundUrlProblem(url)).toBeNull())

  it.each([
    ['file:///etc/passwd', 'not with file:'],
    ['gopher://a', 'not with gopher:'],
    ['ftp://a', 'not with ftp:'],
    ['http://a@b', 'must not contain a user name'],
    ['http://a:b@b', 'must not contain a user name'],
    ['http://:b@b', 'must not contain a user name'],
    ['', 'begins with http://'],
    ['a.example/hook', 'begins with http://'],
    ['http://', 'names a host'],
    ['http://a b', 'no spaces'],
    ['http://a\n.example', 'no spaces'],
    [' http://a', 'no spaces'],
    ['http://a\u2028', 'no spaces'],
  ])('%j is not', (url, problem) => expect(outboundUrlProblem(url)).toContain(problem))
})

describe('the form of a request', () => {
  it('is fine with every letter that a name and a value may have', () => {
    const name = "!#$%&'*+-.^_`|~09AZaz"
    const value = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('')
    expect(outboundRequestProblem({ ...request, headers: [[name, `${value}\t`]] })).toBeNull()
    expect(outboundRequestProblem({ ...request, headers: [['X', '']] })).toBeNull()
  })

  it.each('()<>@,;:\\"/[]?={} \t\r\n\0\u007fé'.split(''))(
    'is not with %j in the name of a header',
    (letter) => {
      const problem = outboundRequestProblem({
        ...request,
        headers: [[`X${letter}`, '1']],
      })
      expect(problem).toContain('is not a valid header name')
    },
  )

  it.each('\r\n\0\u0001\u001f\u007f\u0080é漢'.split(''))('is not with %j in the value of one', (letter) => {
    expect(outboundRequestProblem({ ...request, headers: [['X', `a${letter}b`]] })).toContain(
      '"X" must contain only',
    )
  })

  it.each(['Host', 'CONTENT-LENGTH', 'proxy-anything', 'te'])(
    'is not with %s, which is the connection’s',
    (name) => {
      expect(
        outboundRequestProblem({
          ...request,
          headers: [
            ['X', '1'],
            [name, '1'],
          ],
        }),
      ).toContain('connection')
    },
  )

  it.each(['', 'G T', 'CONNECT', 'Connect'])('is not with the method %j', (method) => {
    expect(outboundRequestProblem({ ...request, method })).toContain('is not a method')
  })
})
