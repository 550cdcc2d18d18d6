import type { Api, QueryAnswer } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { invalidAt } from '../failing.ts'
import { codeOf, type Bench } from '../host.ts'

const configId = 'counter'

type QueryInput = Omit<Parameters<Api['queries']['run']>[0], 'configId'>
type Filter = NonNullable<QueryInput['filter']>

const nested = (depth: number): Filter => (depth === 0 ? { name: 'Ink' } : { not: nested(depth - 1) })
const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)

/**
 * Input that queries refuse. Nothing in a query is interpreted as syntax of another language
 * (TRUST S21, S22).
 */
export function queryInputTests(bench: () => Bench): void {
  describe('the input of queries', () => {
    beforeAll(async () => {
      const { system } = bench()
      await system.repositories.create({ name: configId })
      for (const name of ['Ink', 'Ink 50%', 'Under_score', "O'Ink", 'a" OR "b'])
        await system.items.create({ repositoryId: configId, type: 'book', name, fields: { topic: name } })
      await system.savedQueries.create({
        configId,
        name: 'by-name',
        query: { filter: { name: { $param: 'name' } } },
        parameters: [{ name: 'name', kind: 'text' }],
      })
    })

    const run = (asked: QueryInput) => bench().api.queries.run({ configId, ...asked })

    it.each<[QueryInput, string[]]>([
      [{ filter: { nope: '1' } }, ['filter.nope']],
      [{ filter: { 'fields.nope': '1' } }, ['filter.fields.nope']],
      [{ filter: { 'createdByUser.email': 'x' } }, ['filter.createdByUser.email']],
      [{ filter: { 't0.password': 'x' } }, ['filter.t0.password']],
      [{ filter: { or: [{ name: 'x' }, { not: { nope: 'x' } }] } }, ['filter.or.1.not.nope']],
      [{ filter: { name: { like: 'x' } } }, ['filter.name.like']],
      [{ filter: { name: {}, nope: {} } }, ['filter.nope']],
      [{ filter: { name: { eq: { gt: 'x' } } } }, ['filter.name.eq']],
      [{ filter: { name: { exists: 'maybe' } } }, ['filter.name.exists']],
      [{ filter: { name: [{ name: 'x' }] } }, ['filter.name']],
      [{ filter: { and: { name: 'x' } } }, ['filter.and']],
      [{ filter: { or: 'x', not: [{}] } }, ['filter.or', 'filter.not']],
      [{ filter: { 'fields.price': { gte: 'dear' } } }, ['filter.fields.price.gte']],
      [{ filter: { 'fields.price': { contains: '1' } } }, ['filter.fields.price.contains']],
      [{ filter: { name: 'x'.repeat(600) } }, ['filter.name.eq']],
      [{ filter: nested(11) }, ['filter']],
      [{ filter: { or: many(501).map((name) => ({ name })) } }, ['filter.or']],
      [{ filter: { and: many(251).map((name) => ({ or: [{ name }, { slug: name }] })) } }, ['filter']],
      [{ filter: { and: many(11).map(() => ({ name: { in: many(500) } })) } }, ['filter']],
      [{ sort: 'nope' }, ['sort']],
      [{ sort: 'fields.tags' }, ['sort']],
      [{ select: ['nope'] }, ['select']],
      [{ facets: ['nope'] }, ['facets']],
      [{ facets: ['updatedDate', 'fields.nope'] }, ['facets', 'facets']],
      [{ facets: many(21) }, ['facets']],
      [{ facetLimit: 0 }, ['facetLimit']],
      [{ facetLimit: 1001 }, ['facetLimit']],
      [{ highlight: true, limit: 101 }, ['limit']],
      [{ text: 'x'.repeat(501) }, ['text']],
      [{ text: 'x\0y' }, ['text']],
      [{ cursor: 'x' }, ['cursor']],
    ])('is refused by name when it cannot be: %j', async (asked, paths) => {
      expect(await invalidAt(run(asked))).toEqual(paths)
    })

    it.each([0, -1, 1001, 1e9, 1.5, NaN, Infinity])('cannot have a limit of %d', async (limit) => {
      expect(await invalidAt(run({ limit }))).toEqual(['limit'])
      expect(await invalidAt(bench().api.queries.runSaved({ configId, name: 'by-name', limit }))).toEqual([
        'limit',
      ])
      expect(await invalidAt(bench().api.savedQueries.list({ configId, limit }))).toEqual(['limit'])
    })

    it('may be as deep and as large as the limits allow', async () => {
      expect((await run({ filter: nested(10) })).count).toBe(1)
      expect((await run({ filter: { or: many(500).map((name) => ({ name })) } })).count).toBe(0)
      expect((await run({ filter: { name: { in: ['Ink', ...many(499)] } } })).count).toBe(1)
    })

    it('cannot consist of empty filters, and does not get an issue for each of thousands', async () => {
      const empty = { or: Array.from({ length: 400 }, () => ({ or: [{}, {}, {}] })) }
      expect(await invalidAt(run({ filter: empty }))).toEqual(['filter'])
      const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]))
      expect(await invalidAt(run({ filter: unknown }))).toHaveLength(21)
    })

    it('takes the syntax of other languages literally', async () => {
      const names = async (asked: QueryInput) =>
        (await run({ ...asked, sort: 'name' })).items.map(({ name }) => name)
      expect(await names({ filter: { name: { contains: '%' } } })).toEqual(['Ink 50%'])
      expect(await names({ filter: { name: { contains: '_' } } })).toEqual(['Under_score'])
      expect(await names({ filter: { 'fields.topic': 'a" OR "b' } })).toEqual(['a" OR "b'])
      expect(await names({ filter: { name: { startsWith: "O'" } } })).toEqual(["O'Ink"])
    })

    const hostile = [
      "'",
      '"',
      '`',
      ';--',
      '%',
      '_',
      '\\',
      '*',
      'NEAR(',
      'a" OR "',
      "$.a'",
      '\0',
      "' OR 1=1 --",
      'name:',
      '-ink',
      '^ink',
      '{a b} : c',
      '\u{301}'.repeat(50),
      '😀',
    ]

    it.each(hostile)('finds nothing more with %j anywhere, and never fails', async (sign) => {
      const runSaved = (asked: object) =>
        bench().api.queries.runSaved({ configId, name: 'by-name', ...asked })
      const atMost = async (most: number, asked: readonly QueryInput[]) => {
        for (const one of asked)
          expect(await countOf(run(one)), JSON.stringify(one)).toBeLessThanOrEqual(most)
      }
      const ink = (await run({ text: 'ink' })).count ?? 0
      await atMost(ink, [
        { text: `ink ${sign}` },
        { text: `ink${sign}` },
        { text: `${sign}ink` },
        { text: `"ink${sign}`, sort: 'name', facets: ['type'], highlight: true },
      ])
      await atMost(1, [
        { filter: { name: `Ink${sign}` } },
        { filter: { name: { in: [`Ink${sign}`] } } },
        { filter: { 'fields.topic': { contains: `O'Ink${sign}` } } },
        { filter: { name: { startsWith: `Under_${sign}` } } },
      ])
      await atMost(0, [
        { filter: { [`name${sign}`]: 'x' } },
        { filter: { name: { [`eq${sign}`]: 'x' } } },
        { type: `nothing${sign}` },
        { sort: `name${sign}` },
        { facets: [`type${sign}`] },
        { select: [`id${sign}`] },
        { include: [`author${sign}`] },
        { text: 'ink', cursor: sign },
        { cursor: sign },
      ])
      expect(await countOf(runSaved({ parameters: { name: `Ink${sign}` } }))).toBeLessThanOrEqual(1)
      expect(await countOf(runSaved({ parameters: { [`name${sign}`]: 'x' } }))).toBe(0)
      expect(await countOf(runSaved({ name: `by-name${sign}` }))).toBe(0)
      expect(await countOf(bench().api.queries.run({ configId: `${configId}${sign}` }))).toBe(0)
    })
  })
}

/**
 * The number of matches of a call; 0 when it is refused, and an impossible number when it fails
 * otherwise.
 */
async function countOf(call: Promise<QueryAnswer>): Promise<number> {
  try {
    const { count = 0, items } = await call
    return Math.max(count, items.length)
  } catch (error) {
    return ['invalid', 'not_found'].includes(codeOf(error)) ? 0 : Infinity
  }
}
