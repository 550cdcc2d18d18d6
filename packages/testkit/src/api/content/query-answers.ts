import type { Api, QueryAnswer } from '@quire/contract'
import { mostCounted, type EntityWrite } from '@quire/core/ports'
import { beforeAll, describe, expect, it } from 'vitest'
import { anEntity } from '../../entity.ts'
import { failing, invalidAt } from '../failing.ts'
import { library, prepareLibrary, type Library } from './library.ts'
import type { Bench } from '../host.ts'

const configId = library

type QueryInput = Omit<Parameters<Api['queries']['run']>[0], 'configId'>

/** What queries find, in which order, and their facets, highlights and counts. */
export function queryAnswerTests(bench: () => Bench): void {
  describe('queries', () => {
    let known: Library
    beforeAll(async () => {
      known = await prepareLibrary(bench())
    })

    const run = (asked: QueryInput) => bench().api.queries.run({ configId, ...asked })
    const names = async (asked: QueryInput) => (await run(asked)).items.map(({ name }) => name)

    it('rank the best first: names before other text, whole words before prefixes', async () => {
      expect(await names({ text: 'ink' })).toEqual([
        'Ink and paper',
        'Inkwell',
        'Paper birds',
        'Crème brûlée',
      ])
      expect(await names({ text: 'ink', sort: 'fields.price' })).toEqual([
        'Crème brûlée',
        'Ink and paper',
        'Paper birds',
        'Inkwell',
      ])
      expect((await names({}))[0]).toBe('Crème brûlée')
    })

    it.each([
      ['creme BRULEE', ['Crème brûlée']],
      ['"ink and"', ['Ink and paper']],
      ['"and ink"', []],
      ['図書館', ['東京の図書館']],
      ['oak gall', ['Ink and paper']],
      ['calligr', ['Inkwell']],
      ['inkw calligraphy', ['Inkwell']],
      ['nothing', []],
    ])('find by %j', async (text, expected) => {
      expect(await names({ text })).toEqual(expected)
      expect(await names({ text, sort: 'name' })).toEqual(expected)
      const listed = await bench().api.items.list({ configId, text })
      expect(listed.items.map(({ name }) => name)).toEqual(expected)
    })

    it('are not filtered by a text without words', async () => {
      expect((await run({ text: '"* (' })).count).toBe((await run({})).count)
    })

    it.each<[QueryInput['filter'], string[]]>([
      [{ 'fields.price': { gte: 5, lt: 12 } }, ['Ink and paper', '東京の図書館']],
      [{ 'fields.price': '12' }, ['Paper birds']],
      [{ 'fields.stock': false }, ['東京の図書館']],
      [{ 'fields.topic': null }, ['Ada']],
      [{ 'fields.author': { exists: true } }, ['Ink and paper']],
      [{ 'fields.tags': { in: ['a', 'z'] } }, ['Ink and paper']],
      [{ 'fields.tags': { in: [] } }, []],
      [
        { or: [{ 'fields.topic': 'food' }, { and: [{ type: 'book' }, { 'fields.price': { gt: 15 } }] }] },
        ['Crème brûlée', 'Inkwell'],
      ],
      [{ type: 'book', not: { 'fields.topic': { in: ['craft', 'history'] } } }, ['Crème brûlée']],
      [{ not: { not: { name: 'Ada' } } }, ['Ada']],
      [{ or: [] }, []],
      [{ and: [], type: 'person' }, ['Ada']],
      [{ categories: 'CATG_CALLIGRAPHY' }, ['Inkwell']],
      [{ folderId: 'FOLD_SHELF' }, ['Ink and paper']],
      [{ status: 'published', isPublished: true }, ['Crème brûlée']],
    ])('filter by %j', async (filter, expected) => {
      const answer = await run({ ...(filter && { filter }), sort: 'name' })
      expect(answer.items.map(({ name }) => name)).toEqual(expected)
      expect(answer.count).toBe(expected.length)
    })

    it('count the values of what matches, with the names of categories and folders', async () => {
      const { facets } = await run({
        type: 'book',
        facets: ['type', 'status', 'fields.topic', 'fields.tags', 'fields.stock', 'categories', 'folderId'],
        limit: 1,
      })
      expect(facets).toEqual({
        type: [{ value: 'book', count: 5 }],
        status: [
          { value: 'draft', count: 4 },
          { value: 'published', count: 1 },
        ],
        'fields.topic': [
          { value: 'craft', count: 2 },
          { value: 'history', count: 2 },
          { value: 'food', count: 1 },
        ],
        'fields.tags': [
          { value: 'b', count: 2 },
          { value: 'a', count: 1 },
        ],
        'fields.stock': [
          { value: false, count: 1 },
          { value: true, count: 1 },
        ],
        categories: [{ value: known.category, count: 1, name: 'Calligraphy' }],
        folderId: [{ value: known.shelf, count: 1, name: 'Shelf' }],
      })
      const searched = await run({
        text: 'ink',
        filter: { 'fields.price': { gt: 3 } },
        facets: ['fields.topic'],
        facetLimit: 1,
      })
      expect(searched.facets).toEqual({ 'fields.topic': [{ value: 'craft', count: 2 }] })
    })

    it('show where the words were found, as HTML with no markup except `<mark>`', async () => {
      const { highlights = {} } = await run({ text: 'ink patience', highlight: true })
      expect(highlights[known.books[1] ?? '']).toEqual([
        {
          path: 'description',
          fragments: ['Folding, with <mark>ink</mark> &amp; &quot;<mark>patience</mark>&quot;'],
        },
      ])
      const oak = await run({ text: 'oak', sort: 'name', highlight: true, select: ['id'] })
      expect(oak.items).toEqual([{ id: known.books[0] }])
      expect(oak.highlights?.[known.books[0] ?? '']?.map(({ path }) => path)).toEqual(['fields.body'])
      expect((await run({ highlight: true })).highlights).toEqual({})
    })

    it.each<QueryInput>([
      { text: 'ink' },
      { text: 'ink', sort: 'name' },
      { filter: { type: 'book' } },
      { sort: '-fields.price' },
    ])('page by cursor through every match once: %j', async (asked) => {
      const whole = await run(asked)
      const walked: QueryAnswer['items'] = []
      let cursor: string | undefined
      do {
        const page: QueryAnswer = await run({ ...asked, limit: 1, ...(cursor && { cursor }) })
        expect(page.count).toBe(whole.count)
        walked.push(...page.items)
        cursor = page.nextCursor
      } while (cursor)
      expect(walked).toEqual(whole.items)
    })

    it('omit the count on request, and resolve references', async () => {
      const answer = await run({ text: 'oak', skipCount: true, include: ['author'], select: ['name'] })
      expect(answer).toEqual({
        items: [
          {
            id: known.books[0],
            name: 'Ink and paper',
            included: { author: [expect.objectContaining({ name: 'Ada' })] },
          },
        ],
      })
    })

    it('find archived items only on request', async () => {
      const { system, api } = bench()
      const id = known.books[3] ?? ''
      await system.items.archive({ configId, id })
      expect(await names({ text: '図書館' })).toEqual([])
      expect(await names({ text: '図書館', archived: true })).toEqual(['東京の図書館'])
      expect(
        (await api.queries.run({ configId, archived: true, facets: ['status'] })).facets?.['status'],
      ).toContainEqual({ value: 'archived', count: 1 })
      await system.items.unarchive({ configId, id })
    })

    it('see a package with its changes, and main without them', async () => {
      const { system } = bench()
      const packageName = 'spring'
      const id = known.books[2] ?? ''
      await system.packages.create({ repo: configId, name: packageName })
      await system.items.update({ configId, packageName, id, name: 'Quills', fields: { topic: 'birds' } })
      const inPackage = { packageName, text: 'quill', facets: ['fields.topic'], highlight: true }
      const seen = await run(inPackage)
      expect(seen.items.map(({ name }) => name)).toEqual(['Quills'])
      expect(seen.facets).toEqual({ 'fields.topic': [{ value: 'birds', count: 1 }] })
      expect(seen.highlights?.[id]?.[0]).toEqual({ path: 'name', fragments: ['<mark>Quills</mark>'] })
      expect(await names({ text: 'quill' })).toEqual([])
      expect(await names({ packageName, text: 'calligraphy' })).toEqual(['Quills'])
      expect(await names({ text: 'inkwell' })).toEqual(['Inkwell'])
      await system.packages.delete({ repo: configId, packageName })
    })

    it('count up to a thousand when ranked by relevance, and report the cap', async () => {
      const { system, scope, api } = bench()
      const { id: repositoryId } = await system.repositories.create({ name: 'crowd' })
      await scope.store.transaction(async (tx) => {
        for (let n = 0; n <= mostCounted; n++) await tx.entities.put(oneOfMany(repositoryId, n), 0)
      })
      const asked = { configId: 'crowd', text: 'many', limit: 1 }
      expect(await api.queries.run(asked)).toMatchObject({ count: mostCounted, countIsCapped: true })
      const sorted = await api.queries.run({ ...asked, sort: 'name' })
      expect(sorted).toMatchObject({ count: mostCounted + 1 })
      expect(sorted).not.toHaveProperty('countIsCapped')
      expect(await run({ text: 'ink' })).not.toHaveProperty('countIsCapped')
    })

    it('require an existing repository, and a cursor of the same query', async () => {
      await failing(bench().api.queries.run({ configId: 'nowhere' }), 'not_found')
      const { nextCursor = '' } = await run({ text: 'ink', limit: 1 })
      expect(await invalidAt(run({ sort: 'name', cursor: nextCursor }))).toEqual(['cursor'])
      const listed = await run({ sort: 'name', limit: 1 })
      expect(await invalidAt(run({ text: 'ink', cursor: listed.nextCursor ?? '' }))).toEqual(['cursor'])
      expect(await invalidAt(run({ text: 'ink', cursor: 'x' }))).toEqual(['cursor'])
    })
  })
}

function oneOfMany(repositoryId: string, n: number): EntityWrite {
  const id = `CONT_MANY_${n}`
  const search = { name: 'many', passages: [], categories: [], file: null }
  return anEntity({ repositoryId, kind: 'item', type: 'book', id, slug: `many-${n}`, search })
}
