import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

  it('retains none of a long URL in which the text was', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const used = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = used()
    for (let index = 0; index < 150; index++) {
      const url = Buffer.from(`sort=a-rather-long-name-${index}#${'x'.repeat(200_000)}`).toString('latin1')
      parse(url.slice(0, url.indexOf('#')))
    }
    expect(used() - before).toBeLessThan(10_000_000)
  })
})
