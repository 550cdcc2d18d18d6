import { beforeAll, describe, expect, it } from 'vitest'
import { codesOf, dataOf } from './graphql-sender.ts'
import type { Bench } from '../host.ts'

const configId = 'shelf'

interface Page {
  readonly items: readonly { readonly name: string }[]
  readonly nextCursor: string | null
  readonly count?: number
}

/** Lists: filters, sorting and paging. */
export function graphqlListTests(bench: () => Bench): void {
  beforeAll(async () => {
    const { system } = bench()
    const { id: repositoryId } = await system.repositories.create({ name: configId })
    await system.types.create({
      name: 'volume',
      fields: [
        { name: 'topic', kind: 'text' },
        { name: 'price', kind: 'number' },
        { name: 'rare', kind: 'boolean' },
        { name: 'tags', kind: 'text', list: true },
        { name: 'seo', kind: 'group', settings: { fields: [{ name: 'title', kind: 'text' }] } },
        { name: 'status', kind: 'text' },
      ],
    })
    const volumes = [
      { name: 'A', fields: { topic: 'ink', price: 1, rare: true, tags: ['old'], seo: { title: 'x' } } },
      {
        name: 'B',
        fields: { topic: 'inkwell', price: 2, rare: false, tags: ['old', 'new'], status: 'mine' },
      },
      { name: 'C', fields: { topic: 'paper', price: 3 } },
      { name: 'D', fields: {} },
    ]
    for (const volume of volumes) await system.items.create({ repositoryId, type: 'volume', ...volume })
  })

  const pageOf = async (given: string, wanted = 'items { name } nextCursor count'): Promise<Page> => {
    const { volumes } = await dataOf(bench().api, `{ volumes${given} { ${wanted} } }`, { configId })
    return volumes as Page
  }
  const namesOf = async (given: string) => (await pageOf(given)).items.map(({ name }) => name).join('')

  describe('a GraphQL list', () => {
    it.each([
      ['topic: { eq: "ink" }', 'A'],
      ['topic: { ne: "ink" }', 'BCD'],
      ['price: { gt: 1 }', 'BC'],
      ['price: { gte: 2 }', 'BC'],
      ['price: { lt: 2 }', 'A'],
      ['price: { lte: 2 }', 'AB'],
      ['price: { gte: 2, lt: 3 }', 'B'],
      ['topic: { in: ["ink", "paper"] }', 'AC'],
      ['topic: { nin: ["ink", "paper"] }', 'BD'],
      ['topic: { contains: "well" }', 'B'],
      ['topic: { startsWith: "ink" }', 'AB'],
      ['price: { exists: false }', 'D'],
      ['price: { exists: true }', 'ABC'],
      ['rare: { eq: true }', 'A'],
      ['rare: { in: [true, false] }', 'AB'],
      ['tags: { eq: "new" }', 'B'],
      ['seo_title: { eq: "x" }', 'A'],
      ['field_status: { eq: "mine" }', 'B'],
      ['status: { eq: "draft" }', 'ABCD'],
      ['name: { gt: "B" }', 'CD'],
      ['or: [{ price: { eq: 1 } }, { topic: { eq: "paper" } }]', 'AC'],
      ['and: [{ price: { gt: 1 } }, { price: { lt: 3 } }]', 'B'],
      ['not: { or: [{ name: { eq: "A" } }, { name: { eq: "B" } }] }', 'CD'],
      ['topic: null, price: { eq: 1, gt: null }', 'A'],
      [
        'and: [{ not: { rare: { eq: true } } }, { or: [{ price: { eq: 2 } }, { price: { exists: false } }] }]',
        'BD',
      ],
    ])('filtered by %s has %s', async (filter, names) => {
      expect(await namesOf(`(filter: { ${filter} }, sort: name_ASC)`)).toBe(names)
    })

    it('is sorted by members and fields, even several', async () => {
      expect(await namesOf('(sort: [name_DESC])')).toBe('DCBA')
      expect(await namesOf('(filter: { price: { exists: true } }, sort: [price_DESC])')).toBe('CBA')
      expect(await namesOf('(sort: [rare_ASC, name_DESC], filter: { rare: { exists: true } })')).toBe('BA')
    })

    it('continues where it ended, and counts all on request', async () => {
      const first = await pageOf('(limit: 3, sort: name_ASC)')
      expect([first.items.length, first.count]).toEqual([3, 4])
      const rest = await pageOf(
        `(limit: 3, sort: name_ASC, cursor: "${first.nextCursor}")`,
        'items { name } nextCursor',
      )
      expect(rest).toEqual({ items: [{ name: 'D' }], nextCursor: null })
    })

    it('accepts its filter in variables, and treats nulls as absent', async () => {
      const query =
        'query ($filter: Volume_Filter, $limit: Int) { volumes(filter: $filter, limit: $limit) { items { name } } }'
      const variables = { filter: { topic: { eq: 'ink', ne: null } }, limit: null }
      const asked = await dataOf(bench().api, query, { configId, variables })
      expect(asked).toEqual({ volumes: { items: [{ name: 'A' }] } })
    })

    it('leaves out archived items unless requested', async () => {
      const { system } = bench()
      const { id } = await system.items.getBySlug({ configId, slug: 'd' })
      await system.items.archive({ configId, id })
      expect(await namesOf('(sort: name_ASC)')).toBe('ABC')
      expect(await namesOf('(sort: name_ASC, archived: true)')).toBe('ABCD')
      await system.items.unarchive({ configId, id })
    })

    it('refuses a page that is too long, an invalid cursor, and too many values', async () => {
      const { api } = bench()
      const many = JSON.stringify(Array.from({ length: 501 }, String))
      for (const given of [
        'limit: 0',
        'limit: -1',
        'limit: 1001',
        'cursor: "nope"',
        `filter: { name: { in: ${many} } }`,
      ])
        expect(await codesOf(api, `{ volumes(${given}) { nextCursor } }`, { configId })).toEqual(['invalid'])
      for (const given of ['limit: 0', 'limit: 1001', 'cursor: "nope"'])
        expect(await codesOf(api, `{ search(text: "b", ${given}) { nextCursor } }`, { configId })).toEqual([
          'invalid',
        ])
    })

    it('refuses an unknown version', async () => {
      const { api } = bench()
      const { items } = await api.items.list({ configId, limit: 1 })
      const versioned = `{ item(id: "${items[0]?.id}", version: "first") { id } }`
      expect(await codesOf(api, versioned, { configId })).toEqual(['invalid'])
    })

    it('is refused beyond its limits', async () => {
      const { api } = bench()
      const code = ['too_complex']
      expect(await codesOf(api, '{ volumes(limit: 5001) { items { id } } }', { configId })).toEqual(code)
      const variables = { limit: 1000 }
      const query = 'query ($limit: Int) { volumes(limit: $limit) { items { id name slug type status } } }'
      expect(await codesOf(api, query, { configId, variables })).toEqual(code)
      const many = Array.from({ length: 16 }, (_, index) => `a${index}: __typename`).join(' ')
      expect(await codesOf(api, `{ ${many} }`, { configId })).toEqual(code)
    })
  })

  describe('a GraphQL search', () => {
    it('finds items of any type, best first, and counts them', async () => {
      const { api } = bench()
      const query =
        '{ search(text: "b", type: "volume") { items { __typename name ... on Volume { topic } } count } }'
      expect(await dataOf(api, query, { configId })).toEqual({
        search: { items: [{ __typename: 'Volume', name: 'B', topic: 'inkwell' }], count: 1 },
      })
    })
  })
}
