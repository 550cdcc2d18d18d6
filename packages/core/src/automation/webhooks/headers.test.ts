import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../ports/index.ts'
import { customHeaders, headerProblem, headerValue, UnsendableDelivery } from './outgoing.ts'

const data: JsonObject = {
  id: 'CONT_1',
  name: 'Ink',
  accented: 'Été',
  hostile: 'x\r\nX-Evil: 1',
  empty: '',
  none: null,
  count: 3,
  yes: true,
  fields: { price: 1.5, tags: ['a', 'b'], seo: { title: 'On ink' } },
}

describe('the name of a header', () => {
  it.each([
    'X-Type',
    'authorization',
    'Cookie',
    'x-webhook',
    'hosted',
    'contented',
    "x!#$%&'*+.^_`|~1",
    'date',
  ])('%s can be set', (name) => {
    expect(headerProblem(name)).toBeNull()
  })

  it.each([
    [
      'of the connection',
      [
        'Connection',
        'keep-alive',
        'Proxy-Connection',
        'TE',
        'Trailer',
        'Transfer-Encoding',
        'Upgrade',
        'HTTP2-Settings',
        'Expect',
      ],
    ],
    ['of proxies', ['Proxy-Authorization', 'Proxy-Authenticate', 'proxy']],
    [
      'of the delivery',
      [
        'Host',
        'HOST',
        'User-Agent',
        'webhook-id',
        'Webhook-Signature',
        'WEBHOOK-TIMESTAMP',
        'webhook-anything',
      ],
    ],
    ['of the content', ['Content-Type', 'content-length', 'Content-Encoding', 'CONTENT-anything']],
  ])('%s cannot', (_kind, names) => {
    for (const name of names) expect(headerProblem(name)).toBe(`"${name}" is set by the delivery itself`)
  })

  it.each([
    '',
    ' ',
    'x y',
    'x:',
    ':authority',
    'x\r\n',
    'x\n',
    'x\0',
    'é',
    'x,y',
    '"x"',
    'x/y',
    '(x)',
    '__proto__ ',
  ])('%j is invalid', (name) => {
    expect(headerProblem(name)).toBe('must be the name of a header')
  })
})

describe('the value of a header', () => {
  it.each([
    ['name', 'Ink'],
    ['id', 'CONT_1'],
    ['count', '3'],
    ['yes', 'true'],
    ['empty', ''],
    ['fields.price', '1.5'],
    ['fields.tags.1', 'b'],
    ['fields.seo.title', 'On ink'],
    ['hostile', 'x\r\nX-Evil: 1'],
    // Everything else is a static text.
    ['Bearer abc.def', 'Bearer abc.def'],
    ['Name', 'Name'],
    ['missing', 'missing'],
    ['fields.missing', 'fields.missing'],
    ['none', ''],
    ['fields', 'fields'],
    ['fields.tags', 'fields.tags'],
    ['fields.tags.length', 'fields.tags.length'],
    ['data.name', 'data.name'],
    ['webhook.secret', 'webhook.secret'],
    ['{{name}}', '{{name}}'],
    ['name name', 'name name'],
    [' name', ' name'],
    ['__proto__', '__proto__'],
    ['constructor.name', 'constructor.name'],
    ['toString', 'toString'],
    ['name.length', 'name.length'],
    ['', ''],
    ['1.2.3', '1.2.3'],
  ])('%j is %j', (value, sent) => {
    expect(headerValue(value, data)).toBe(sent)
  })
})

const headersOf = (given: JsonObject) => customHeaders([{ name: 'x-title', value: 'title' }], given)

describe('custom headers', () => {
  it('are sent in their order, with their names as they were set', () => {
    const headers = [
      { name: 'X-Type', value: 'static' },
      { name: 'authorization', value: 'Bearer abc.def' },
      { name: 'x-price', value: 'fields.price' },
    ]
    expect(customHeaders(headers, data)).toEqual([
      ['X-Type', 'static'],
      ['authorization', 'Bearer abc.def'],
      ['x-price', '1.5'],
    ])
  })

  it.each([
    ['a line break', 'x\r\nX-Evil: 1', 'x%0D%0AX-Evil%3A%201'],
    ['a line feed', 'x\nX-Evil: 1', 'x%0AX-Evil%3A%201'],
    ['a carriage return', 'x\rX-Evil: 1', 'x%0DX-Evil%3A%201'],
    ['NUL', 'a\0b', 'a%00b'],
    ['a tab', 'a\tb', 'a%09b'],
    ['DEL', 'a\u007fb', 'a%7Fb'],
    ['a letter that is not ASCII', 'Été 100 %', '%C3%89t%C3%A9%20100%20%25'],
    [
      'letters that become line breaks when cut to bytes',
      'a\u010a\u010d\u560d\u560a',
      'a%C4%8A%C4%8D%E5%98%8D%E5%98%8A',
    ],
    ['a line break of Unicode', 'a\u0085b\u2028c', 'a%C2%85b%E2%80%A8c'],
    ['an emoji', '😀', '%F0%9F%98%80'],
    ['half an emoji', 'a\ud83d', 'a%EF%BF%BD'],
  ])('are percent-encoded and marked if they have %s', (_name, title, sent) => {
    expect(headersOf({ title })).toEqual([
      ['x-title', sent],
      ['webhook-encoded', 'x-title'],
    ])
    expect(decodeURIComponent(sent)).toBe(title.toWellFormed())
  })

  it('are sent unchanged if they are visible ASCII, including percent signs', () => {
    expect(headersOf({ title: '100 % of %C3' })).toEqual([['x-title', '100 % of %C3']])
  })

  it('are omitted and marked if they are too long', () => {
    expect(headersOf({ title: 'x'.repeat(8000) })).toHaveLength(1)
    for (const title of ['x'.repeat(8001), 'é'.repeat(2000), 'é'.repeat(9000)])
      expect(headersOf({ title })).toEqual([['webhook-omitted', 'x-title']])
  })

  it.each(['Transfer-Encoding', 'webhook-signature', 'x\r\nx-evil'])(
    'cannot be sent under the name %j, even if it was stored',
    (name) => {
      expect(() => customHeaders([{ name, value: 'x' }], data)).toThrow(UnsendableDelivery)
    },
  )

  it('are always valid in a request, whatever an item contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const sent = new Headers(headersOf({ title }).map(([name, value]) => [name, value]))
        const given = sent.get('x-title') ?? ''
        const isEncoded = sent.has('webhook-encoded')
        expect(isEncoded ? decodeURIComponent(given) : given).toBe(isEncoded ? title : title.trim())
      }),
    )
  })
})
