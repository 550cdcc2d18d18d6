import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../ports/index.ts'
import { isReservedName, lookUp } from './template.ts'

const data: Json = {
  name: 'Ink',
  none: null,
  zero: 0,
  no: false,
  '': { '': 'nameless' },
  '0': 'a number for a name',
  fields: { seo: { title: 'On ink' }, tags: ['a', { deep: [1, 2] }], 'two words': 1 },
  length: 5,
}

describe('a path', () => {
  it.each<[string, Json]>([
    ['name', 'Ink'],
    ['none', null],
    ['zero', 0],
    ['no', false],
    ['length', 5],
    ['0', 'a number for a name'],
    ['.', 'nameless'],
    ['fields.seo', { title: 'On ink' }],
    ['fields.seo.title', 'On ink'],
    ['fields.two words', 1],
    ['fields.tags', ['a', { deep: [1, 2] }]],
    ['fields.tags.0', 'a'],
    ['fields.tags.1.deep.1', 2],
  ])('%j leads to its value', (path, value) => {
    expect(lookUp(data, path)).toEqual(value)
  })

  it.each([
    'missing',
    'Name',
    ' name',
    'name.length',
    'name.0',
    'none.name',
    'zero.toFixed',
    'fields.seo.title.x',
    'fields..seo',
    'fields.seo.',
    '.fields',
    'fields[seo]',
    'fields.tags[0]',
    'fields.tags.2',
    'fields.tags.-1',
    'fields.tags.-0',
    'fields.tags.00',
    'fields.tags.01',
    'fields.tags.1e0',
    'fields.tags.1.0.0',
    'fields.tags. 0',
    'fields.tags.0x0',
    'fields.tags.4294967296',
    'fields.tags.99999999999999999999999',
    'fields.tags.length',
    'fields.tags.at',
    'fields.tags.map',
    '$',
    '*',
    'name + 1',
  ])('%j leads nowhere', (path) => {
    expect(lookUp(data, path)).toBeUndefined()
  })

  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    '__lookupGetter__',
    '__proto__.polluted',
    'constructor.name',
    'constructor.prototype',
    'fields.__proto__',
    'fields.constructor.constructor',
    'fields.tags.__proto__.0',
    'fields.tags.constructor.name',
    'name.__proto__',
    'name.constructor.name',
    'zero.constructor',
  ])('%j reaches no inherited members', (path) => {
    expect(lookUp(data, path)).toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    'of the name %s leads nowhere even if there is such a member',
    (name) => {
      const parsed: Json = JSON.parse(`{"${name}":{"x":1},"inner":{"${name}":2}}`)
      expect(lookUp(parsed, name)).toBeUndefined()
      expect(lookUp(parsed, `${name}.x`)).toBeUndefined()
      expect(lookUp(parsed, `inner.${name}`)).toBeUndefined()
      expect(isReservedName(name)).toBe(true)
    },
  )

  it('reaches no members of objects that are not plain, nor of their prototypes', () => {
    class Account {
      readonly secret = 'CANARY'
    }
    const inherited: object = Object.create({ secret: 'CANARY' })
    const objects = {
      account: new Account(),
      inherited,
      map: new Map([['secret', 'CANARY']]),
      date: new Date(0),
    }
    const value = objects as unknown as Json
    expect(lookUp(value, 'account.secret')).toBeUndefined()
    expect(lookUp(value, 'inherited.secret')).toBeUndefined()
    expect(lookUp(value, 'map.secret')).toBeUndefined()
    expect(lookUp(value, 'map.size')).toBeUndefined()
    expect(lookUp(value, 'date.getTime')).toBeUndefined()
  })

  it('reaches members of objects that inherit nothing', () => {
    const bare: Json = Object.assign(Object.create(null), { a: 1 })
    expect(lookUp(bare, 'a')).toBe(1)
    expect(lookUp(bare, 'toString')).toBeUndefined()
  })

  const nested = (depth: number, leaf: Json): Json => (depth === 0 ? leaf : { a: nested(depth - 1, leaf) })
  const pathOf = (depth: number) => Array.from({ length: depth }, () => 'a').join('.')

  it('has ten names at most', () => {
    expect(lookUp(nested(10, 'end'), pathOf(10))).toBe('end')
    expect(lookUp(nested(11, 'end'), pathOf(11))).toBeUndefined()
    expect(lookUp(nested(12, 'end'), pathOf(11))).toBeUndefined()
    expect(lookUp({ a: 1 }, 'a.'.repeat(10_000_000))).toBeUndefined()
  })

  it('has 200 characters at most', () => {
    const [longest, longer] = ['x'.repeat(200), 'x'.repeat(201)]
    const value = { [longest]: 1, [longer]: 2 }
    expect(lookUp(value, longest)).toBe(1)
    expect(lookUp(value, longer)).toBeUndefined()
  })

  it('leads to every value of any JSON by the names above it', () => {
    const pathsOf = (value: Json, path: readonly string[]): [string[], Json][] => [
      [[...path], value],
      ...(typeof value === 'object' && value !== null
        ? Object.entries<Json>(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))
        : []),
    ]
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        const value: Json = JSON.parse(JSON.stringify(json))
        const paths = pathsOf(value, []).filter(
          ([names]) =>
            names.length > 0 &&
            names.join('.').length <= 200 &&
            !names.some((name) => name.includes('.') || isReservedName(name)),
        )
        for (const [names, member] of paths) expect(lookUp(value, names.join('.'))).toBe(member)
      }),
    )
  })

  it('never throws and never returns anything but JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ unit: fc.constantFrom('.', '0', 'a', '__proto__', 'length', ' ') }),
        (json, path) => {
          const value: Json = JSON.parse(JSON.stringify(json))
          expect(['function', 'symbol', 'bigint']).not.toContain(typeof lookUp(value, path))
        },
      ),
    )
  })
})
