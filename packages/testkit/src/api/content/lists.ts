import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'shop'
const prices = [3, 1, 4, 1.5, 9, 2.6]

/** Filters, sorting, paging and selection of members. */
export function listTests(bench: () => Bench): void {
  describe('lists of items', () => {
    beforeAll(() => prepareShop(bench()))

    const names = async (input: Omit<Parameters<Api['items']['list']>[0], 'configId'>) => {
      const { items } = await bench().api.items.list({ configId, ...input })
      return items.map(({ name }) => name)
    }

    it.each([
      [{ 'fields.price': '4' }, ['p2']],
      [{ 'fields.price': { gt: 3 } }, ['p2', 'p4']],
      [{ 'fields.price': { gte: '3', lt: 9 } }, ['p0', 'p2']],
      [{ 'fields.price': { in: [1, 9] } }, ['p1', 'p4']],
      [{ 'fields.price': { nin: [1, 9, 3] } }, ['p2', 'p3', 'p5']],
      [{ 'fields.price': { in: [] } }, []],
      [{ 'fields.colour': { exists: true } }, ['p0', 'p2', 'p4']],
      [{ 'fields.colour': { exists: false } }, ['p1', 'p3', 'p5']],
      [{ 'fields.colour': { ne: 'red_0' } }, ['p1', 'p2', 'p3', 'p4', 'p5']],
      [{ 'fields.colour': { contains: 'D_' } }, ['p0', 'p2', 'p4']],
      [{ 'fields.colour': { contains: '%' } }, []],
      [{ 'fields.colour': { startsWith: 'RED_2' } }, ['p2']],
      [{ 'fields.tags': 'even' }, ['p0', 'p2', 'p4']],
      [{ 'fields.stock': 'true' }, ['p0', 'p3']],
      [{ 'fields.size.width': { gte: 4 } }, ['p4', 'p5']],
      [{ name: { in: ['p1', 'p2'] }, 'fields.price': { lt: 2 } }, ['p1']],
      [{ status: 'published' }, ['p5']],
      [{ isPublished: false, type: 'product' }, ['p0', 'p1', 'p2', 'p3', 'p4']],
    ])('filters by %j', async (filter, expected) => {
      const list = await bench().api.items.list({ configId, filter, sort: 'name' })
      expect(list.items.map(({ name }) => name)).toEqual(expected)
      expect(list.count).toBe(expected.length)
    })

    it('sorts by members and custom fields, absent values first when ascending', async () => {
      expect(await names({ sort: 'fields.price' })).toEqual(['p1', 'p3', 'p5', 'p0', 'p2', 'p4'])
      expect(await names({ sort: '-fields.price' })).toEqual(['p4', 'p2', 'p0', 'p5', 'p3', 'p1'])
      expect(await names({ sort: 'fields.colour,-name' })).toEqual(['p5', 'p3', 'p1', 'p0', 'p2', 'p4'])
      expect((await names({})).at(0)).toBe('p5')
    })

    it('ends a page of long items early, and continues after it', async () => {
      await prepareLong(bench())
      const page = async (input: { limit?: number; offset?: number; cursor?: string }) => {
        const { items, ...rest } = await bench().api.items.list({ configId: 'long', sort: 'name', ...input })
        return { names: items.map(({ name }) => name), ...rest }
      }
      const first = await page({})
      expect(first).toMatchObject({ names: ['r0', 'r1', 'r2'], count: 5, nextCursor: expect.any(String) })
      const { nextCursor: cursor = '' } = first
      expect(await page({ cursor })).toEqual({ names: ['r3', 'r4'], count: 5 })
      // A caller who adds the limit to the offset would miss items that did not fit on the page.
      expect(await invalidAt(page({ offset: 1, limit: 1000 }))).toEqual(['offset'])
      expect(await page({ offset: 1, limit: 2 })).toMatchObject({ names: ['r1', 'r2'], count: 5 })
      expect(await page({ limit: 2 })).toMatchObject({ names: ['r0', 'r1'], nextCursor: expect.any(String) })
    })

    it.each(['name', '-fields.price', 'fields.colour', '-updatedDate', 'status,-name'])(
      'pages by cursor through every item once, sorted by %s',
      async (sort) => {
        const whole = await names({ sort })
        const walked: (string | undefined)[] = []
        let cursor: string | undefined
        do {
          const page = await bench().api.items.list({ configId, sort, limit: 2, ...(cursor && { cursor }) })
          expect(page.count).toBe(prices.length)
          walked.push(...page.items.map(({ name }) => name))
          cursor = page.nextCursor
        } while (cursor)
        expect(walked).toEqual(whole)
      },
    )

    it('pages by offset and omits the count on request', async () => {
      expect(await names({ sort: 'name', limit: 2, offset: 3 })).toEqual(['p3', 'p4'])
      const list = await bench().api.items.list({ configId, skipCount: true, limit: 1 })
      expect(list).not.toHaveProperty('count')
      expect(list.items).toHaveLength(1)
      const cursor = list.nextCursor ?? ''
      expect(await invalidAt(bench().api.items.list({ configId, cursor, offset: 0, limit: 1 }))).toEqual([
        'offset',
      ])
    })

    it('finds words by their beginnings, whatever their case and accents', async () => {
      expect(await names({ text: 'CREM', sort: 'name' })).toEqual(['p0'])
      expect(await names({ text: 'brulee creme' })).toEqual(['p0'])
      expect(await names({ text: 'creme nothing' })).toEqual([])
      expect(await names({ text: '"* OR (' })).toEqual([])
    })

    it('selects members and includes referenced items', async () => {
      const list = await bench().api.items.list({
        configId,
        type: 'product',
        filter: { name: 'p1' },
        select: ['name', 'fields.price', 'fields.size.width'],
        include: ['next'],
      })
      const [item] = list.items
      expect(item).toEqual({
        id: expect.any(String),
        name: 'p1',
        fields: { price: 1, size: { width: 1 } },
        included: { next: [expect.objectContaining({ name: 'p0' })] },
      })
    })

    it('includes what the request names, whatever is on the page', async () => {
      const { api, system } = bench()
      const fields = [{ name: 'next', kind: 'text' as const }]
      const { name: type } = await system.types.create({ name: 'nextless', fields })
      const { items: before } = await api.items.list({ configId, limit: 1 })
      const [first] = before
      const other = { repositoryId: configId, type, name: 'Without', fields: { next: first?.id ?? '' } }
      const { id } = await system.items.create(other)
      const { items: listed } = await system.items.list({ configId, include: ['next'], limit: 1000 })
      expect(listed.find((item) => item.id === id)?.included).toEqual({})
      const empty = { configId, filter: { name: 'nobody has it' } }
      expect(await invalidAt(api.items.list({ ...empty, include: ['nothing'] }))).toEqual(['include'])
    })

    it('names fields that cannot be filtered, sorted, selected or included', async () => {
      const { items } = bench().api
      expect(await invalidAt(items.list({ configId, filter: { nope: '1' } }))).toEqual(['filter.nope'])
      expect(await invalidAt(items.list({ configId, filter: { 'fields.nope': '1' } }))).toEqual([
        'filter.fields.nope',
      ])
      expect(await invalidAt(items.list({ configId, filter: { 'createdByUser.email': 'x' } }))).toEqual([
        'filter.createdByUser.email',
      ])
      expect(await invalidAt(items.list({ configId, filter: { 'fields.price': 'dear' } }))).toEqual([
        'filter.fields.price.eq',
      ])
      expect(
        await invalidAt(items.list({ configId, filter: { 'fields.price': { contains: '1' } } })),
      ).toEqual(['filter.fields.price.contains'])
      expect(await invalidAt(items.list({ configId, sort: 'fields.tags' }))).toEqual(['sort'])
      expect(await invalidAt(items.list({ configId, sort: 'nope' }))).toEqual(['sort'])
      expect(await invalidAt(items.list({ configId, select: ['nope'] }))).toEqual(['select'])
      expect(await invalidAt(items.list({ configId, include: ['price'] }))).toEqual(['include'])
      expect(await invalidAt(items.list({ configId, cursor: 'x' }))).toEqual(['cursor'])
      const { nextCursor = '' } = await items.list({ configId, limit: 1, sort: 'name' })
      expect(await invalidAt(items.list({ configId, cursor: nextCursor, sort: '-name' }))).toEqual(['cursor'])
    })

    it.each([0, -1, 1001, 1e9, 1.5, NaN, Infinity])('refuses a limit of %d', async (limit) => {
      expect(await invalidAt(bench().api.items.list({ configId, limit }))).toEqual(['limit'])
    })

    it('shows and counts only the types and items that the caller may read', async () => {
      const { system, as } = bench()
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const role = await system.roles.create({ name: 'Readers of secrets' })
      const hidden = await system.items.create({
        repositoryId: configId,
        type: 'note',
        name: 'hidden',
        readPerm: [role.id],
        fields: { secret: 'canary' },
      })
      const notes = await as({ permissions: { repos: { [`${repositoryId}:note`]: ['items.read'] } } })
      expect((await notes.items.list({ configId })).count).toBe(0)
      expect((await notes.items.list({ configId, text: 'hidden' })).count).toBe(0)
      expect((await notes.items.list({ configId, filter: { 'fields.secret': 'canary' } })).count).toBe(0)
      await failing(notes.items.get({ configId, id: hidden.id }), 'not_found')
      await failing(notes.items.getBySlug({ configId, slug: hidden.slug }), 'not_found')
      expect(await invalidAt(notes.items.list({ configId, filter: { 'fields.price': '1' } }))).toEqual([
        'filter.fields.price',
      ])
      await system.items.update({ configId, id: hidden.id, readPerm: [] })
      expect((await notes.items.list({ configId })).count).toBe(1)
      await system.items.delete({ configId, id: hidden.id })
    })
  })
}

/** Creates items of two million characters each. */
async function prepareLong({ system }: Bench): Promise<void> {
  await system.repositories.create({ name: 'long' })
  await system.types.create({ name: 'roll', fields: [{ name: 'text', kind: 'json' }] })
  for (const name of ['r0', 'r1', 'r2', 'r3', 'r4'])
    await system.items.create({
      repositoryId: 'long',
      type: 'roll',
      name,
      fields: { text: 'x'.repeat(2_000_000) },
    })
}

async function prepareShop({ system, scope }: Bench): Promise<void> {
  await system.repositories.create({ name: configId })
  await system.types.create({ name: 'note', fields: [{ name: 'secret', kind: 'text' }] })
  await system.types.create({
    name: 'product',
    fields: [
      { name: 'price', kind: 'number' },
      { name: 'colour', kind: 'text' },
      { name: 'stock', kind: 'boolean' },
      { name: 'tags', kind: 'text', list: true },
      { name: 'size', kind: 'group', settings: { fields: [{ name: 'width', kind: 'integer' }] } },
      { name: 'next', kind: 'reference' },
    ],
  })
  let next: string | undefined
  for (const [index, price] of prices.entries()) {
    const isEven = index % 2 === 0
    scope.clock.advance(1000)
    const item = await system.items.create({
      repositoryId: configId,
      type: 'product',
      name: `p${index}`,
      description: index === 0 ? 'Crème brûlée' : '',
      fields: {
        price,
        size: { width: index },
        stock: index % 3 === 0,
        tags: [isEven ? 'even' : 'odd', 'all'],
        ...(isEven && { colour: `red_${index}` }),
        ...(next && { next }),
      },
    })
    next = item.id
  }
  await system.items.publish({ configId, id: next ?? '' })
}
