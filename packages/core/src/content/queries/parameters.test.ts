import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filledQuery, requireValidTemplate, type Template } from './operations.ts'

function parameter(name: string, more: Partial<Template['parameters'][number]> = {}) {
  return { name, kind: 'text' as const, required: false, default: null, description: '', ...more }
}

describe('a saved query', () => {
  const template: Template = {
    query: {
      text: { $param: 'words' },
      filter: {
        and: [{ name: { startsWith: { $param: 'start' } } }, { or: [{ slug: { in: { $param: 'slugs' } } }] }],
        not: { type: { $param: 'type' } },
      },
      limit: { $param: 'most' },
    },
    parameters: [
      parameter('words'),
      parameter('start'),
      parameter('slugs', { kind: 'list' }),
      parameter('type', { default: 'note' }),
      parameter('most', { kind: 'number' }),
    ],
  }

  it('has its placeholders replaced by the values', () => {
    const given = { words: 'ink', start: 'A', slugs: 'a,b\\,c', type: 'memo', most: '5' }
    expect(filledQuery(template, given)).toEqual({
      text: 'ink',
      filter: {
        and: [{ name: { startsWith: 'A' } }, { or: [{ slug: { in: ['a', 'b,c'] } }] }],
        not: { type: 'memo' },
      },
      limit: 5,
    })
  })

  it('leaves out placeholders without a value, and objects and lists that become empty', () => {
    expect(filledQuery(template, {})).toEqual({ filter: { not: { type: 'note' } } })
    expect(filledQuery(template, { slugs: '' })).toEqual({
      filter: { and: [{ or: [{ slug: { in: [] } }] }], not: { type: 'note' } },
    })
  })

  it('rejects a value that is not valid at its position', () => {
    const issues = [{ path: 'query.limit', message: expect.any(String) }]
    expect(() => filledQuery(template, { most: '0' })).toThrow(expect.objectContaining({ issues }))
  })

  it('retains what was empty before, and text that is not a placeholder', () => {
    const query = { filter: { and: [], name: { in: [] }, not: {} }, select: [] }
    fc.assert(
      fc.property(fc.constantFrom('x', "' OR 1=1", '{"$param":"x"}', '$param'), (text) => {
        const whole = { ...query, text }
        requireValidTemplate({ query: whole, parameters: [] })
        expect(filledQuery({ query: whole, parameters: [] }, {})).toEqual(whole)
      }),
    )
  })
})
