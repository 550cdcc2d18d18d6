import { describe, expect, it } from 'vitest'
import type { Json } from '../../ports/index.ts'
import { filterOf, queryNames } from './query.ts'

const length = {
  name: 'length',
  path: 'length',
  list: false,
  comparison: 'number' as const,
  /** Texts are compared by their length. */
  compareBy: (value: Json) => (typeof value === 'string' && !/^\d+$/.test(value) ? value.length : value),
}

describe('a filter by a field whose values compare by a key', () => {
  const names = queryNames([[length]])
  const valuesOf = (operators: Readonly<Record<string, string | readonly string[]>>) => {
    const { all } = filterOf(names, { 'fields.length': operators }) as { all: readonly { value: unknown }[] }
    return all.map(({ value }) => value)
  }

  it('takes values and keys', () => {
    expect(valuesOf({ gt: 'four', lte: '6' })).toEqual([4, 6])
    expect(valuesOf({ in: ['a', '2'] })).toEqual([[1, 2]])
  })

  it('is ambiguous when another type compares by another key', () => {
    const both = queryNames([[length], [{ ...length, compareBy: (value) => value }]])
    expect(() => filterOf(both, { 'fields.length': { gt: '1' } })).toThrow(
      expect.objectContaining({
        issues: [
          {
            path: 'filter.fields.length',
            message: '"fields.length" has different kinds in different content types: add type',
          },
        ],
      }),
    )
  })
})
