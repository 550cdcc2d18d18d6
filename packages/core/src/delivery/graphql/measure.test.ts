import { getIntrospectionQuery, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { measureDocument, requireSimple } from './measure.ts'

const measure = (query: string, variables = {}) => measureDocument(parse(query), variables)

describe('the measure of a document', () => {
  it.each([
    ['{ a }', { depth: 1, cost: 1 }],
    ['{ a { b { c } } }', { depth: 3, cost: 3 }],
    ['{ x: a y: a }', { aliases: 2, cost: 2 }],
    ['{ a @skip(if: false) @include(if: true) }', { directives: 2 }],
    ['{ list(limit: 10) { items { id } } }', { depth: 3, cost: 1 + 10 + 10 }],
    ['{ list { items { id } } }', { cost: 1 + 25 + 25 }],
    ['{ list(limit: $limit) { items { id } } }', { cost: 1 + 3 + 3 }],
    ['{ ...F ...F } fragment F on Query { a { b } }', { depth: 2, cost: 4 }],
    ['{ ... on Query { a } }', { depth: 1, cost: 1 }],
    ['{ __schema { types { name } } a { b } }', { depth: 2, cost: 5 }],
    [getIntrospectionQuery(), { depth: 1, aliases: 0, directives: 0 }],
  ])('of %s', (query, expected) => {
    expect(measure(query, { limit: 3 })).toMatchObject(expected)
  })

  it.each([
    ['cycles that double', 60, 'F0', ''],
    ['fragments that double', 60, 'End', 'fragment End on Query { a }'],
    ['fragments that double and lead to a missing one', 60, 'End', ''],
    ['a long chain of fragments that is spread often', 11, 'G0', rowOf(225)],
    [
      'fragments that have no fields of their own',
      11,
      'End',
      `fragment End on Query { ${'... { '.repeat(600)} a ${'} '.repeat(600)} }`,
    ],
  ])('ends soon in %s', (...[, count, last, more]) => {
    const doubling = Array.from({ length: count }, (_, index) => {
      const next = index + 1 < count ? `F${index + 1}` : last
      return `fragment F${index} on Query { ...${next} ...${next} }`
    })
    const document = parse(`{ ...F0 } ${doubling.join(' ')} ${more}`)
    const start = performance.now()
    expect(() => requireSimple(document, {})).toThrow('cost of more than 5000')
    // Takes a few milliseconds; without a limit it would take hours.
    expect(performance.now() - start).toBeLessThan(500)
  })
})

function rowOf(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const next = index + 1 < count ? `...G${index + 1}` : 'a'
    return `fragment G${index} on Query { ${next} }`
  }).join(' ')
}
