import { describe, expect, it } from 'vitest'
import { contract } from '../contract.ts'
import { createQueryParser } from './parse-query.ts'

describe('the query parser of an endpoint', () => {
  const parse = createQueryParser(contract.items.list)

  it('parses the same text once, into an object that nobody can change', () => {
    const query = parse('filter[fields.size][gt]=3&sort=name')
    expect(query).toEqual({ filter: { 'fields.size': { gt: '3' } }, sort: 'name' })
    expect(parse('filter[fields.size][gt]=3&sort=name')).toBe(query)
    expect(() => Object.assign(query['filter'] as object, { more: 1 })).toThrow(TypeError)
  })

  it('fails each time for a text that is not well-formed', () => {
    expect(() => parse('sort=%')).toThrow('sort')
    expect(() => parse('sort=%')).toThrow('sort')
  })

  it('goes on after more texts than it remembers', () => {
    for (let index = 0; index < 1000; index++)
      expect(parse(`offset=${index}`)).toEqual({ offset: String(index) })
  })
})
