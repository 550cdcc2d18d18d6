import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseAs } from './parse.ts'

const schema = z.strictObject({ of: z.array(z.string()).optional() })

function issuesOf(value: unknown): string[] {
  const parsed = parseAs(schema, value)
  return 'issues' in parsed ? parsed.issues.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('the issues of a value', () => {
  it.each([
    ['unknown members', Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, 1])), 'n0'],
    ['wrong entries', { of: Array.from({ length: 5000 }, () => 1) }, 'of.0'],
  ])('are the first twenty and a count of the rest, for thousands of %s', (_, value, first) => {
    const issues = issuesOf(value)
    expect(issues).toHaveLength(21)
    expect(issues[0]).toContain(`${first}: `)
    expect(issues.at(-1)).toBe(': and 4980 more')
  })

  it('names an object where a text or a list belongs, even if its length has no value', () => {
    const length = { valueOf: null, toString: 'x' }
    expect(issuesOf({ of: [{ length }] })).toEqual(['of.0: must be text, not an object'])
    const measured = z.strictObject({
      at: z.strictObject({ text: z.string().max(9), list: z.array(z.int()).max(9) }),
    })
    const parsed = parseAs(measured, { at: { text: { length }, list: { length } } })
    expect('issues' in parsed && parsed.issues.map(({ path }) => path).toSorted()).toEqual([
      'at.list',
      'at.text',
    ])
  })

  it('are all listed when there are few', () => {
    expect(issuesOf({ a: 1, b: 2, of: [1] }).map((issue) => issue.split(':')[0])).toEqual(['of.0', 'a', 'b'])
  })
})

describe('the message about a value', () => {
  const of = z.strictObject({
    whole: z.int().min(1).max(9).optional(),
    text: z.string().min(1).max(5).optional(),
    kind: z.enum(['a', 'b', 'c']).optional(),
    only: z.literal('x').optional(),
    list: z.array(z.string()).min(1).max(2).optional(),
    pair: z.array(z.int()).length(2).optional(),
    flag: z.boolean().optional(),
    step: z.number().multipleOf(5).optional(),
    mixed: z.union([z.string(), z.number(), z.boolean()]).optional(),
    names: z.record(z.string().max(2), z.int()).optional(),
    tagged: z
      .discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })])
      .optional(),
    mail: z.email().optional(),
    own: z.string().regex(/^a$/, 'must be a').optional(),
    above: z.number().gt(2).optional(),
  })

  it.each([
    [{ whole: 'abc' }, 'whole: must be a whole number, not "abc"'],
    [{ whole: 1.5 }, 'whole: must be a whole number, not 1.5'],
    [{ whole: 0 }, 'whole: must be at least 1, not 0'],
    [{ whole: 10 }, 'whole: must be at most 9, not 10'],
    [{ whole: 'x'.repeat(99) }, `whole: must be a whole number, not "${'x'.repeat(40)}…"`],
    [{ text: '' }, 'text: must have at least 1 character, but has none'],
    [{ text: 'abcdef' }, 'text: must have at most 5 characters, but has 6'],
    [{ text: null }, 'text: must be text, not null'],
    [{ text: {} }, 'text: must be text, not an object'],
    [{ kind: 'd' }, 'kind: must be one of a, b, c, not "d"'],
    [{ only: 'd' }, 'only: must be x, not "d"'],
    [{ list: [] }, 'list: must have at least 1 entry, but has none'],
    [{ list: 'a' }, 'list: must be a list, not "a"'],
    [{ list: ['a', 1] }, 'list.1: must be text, not 1'],
    [{ pair: [1] }, 'pair: must have exactly 2 entries, but has 1'],
    [{ flag: 1 }, 'flag: must be true or false, not 1'],
    [{ step: 3 }, 'step: must be a multiple of 5, not 3'],
    [{ mixed: null }, 'mixed: must be text, a number or true or false, not null'],
    [{ names: { abc: 1 } }, 'names.abc: has an invalid name: must have at most 2 characters, but has 3'],
    [{ names: [] }, 'names: must be an object, not a list'],
    [{ tagged: { kind: 'c' } }, 'tagged.kind: must be one of a, b'],
    [{ mail: 'x' }, 'mail: must be an e-mail address'],
    [{ own: 'b' }, 'own: must be a'],
    [{ above: 2 }, 'above: must be more than 2, not 2'],
    [{ other: 1 }, 'other: is not a known member'],
    [[], ': must be an object, not a list'],
  ])('says of %j what is wrong with it', (value, given) => {
    const parsed = parseAs(of, value)
    expect('issues' in parsed && parsed.issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      given,
    ])
  })

  it('that is missing is that it is required', () => {
    const parsed = parseAs(
      z.object({ a: z.string(), b: z.enum(['x', 'y']), c: z.union([z.string(), z.int()]) }),
      {},
    )
    expect('issues' in parsed && parsed.issues.map(({ message }) => message)).toEqual(
      Array(3).fill('is required'),
    )
  })
})
