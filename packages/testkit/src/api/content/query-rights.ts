import type { Api, QueryAnswer } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'vault'

type QueryInput = Omit<Parameters<Api['queries']['run']>[0], 'configId'>

/** Queries reveal nothing that their caller may not read (TRUST S02, S03). */
export function queryRightsTests(bench: () => Bench): void {
  describe('the rights of queries', () => {
    let limited: Api
    let repositoryId = ''
    let roleId = ''
    beforeAll(async () => {
      const { system, as } = bench()
      repositoryId = (await system.repositories.create({ name: configId })).id
      roleId = (await system.roles.create({ name: 'Keepers of the vault' })).id
      for (const name of ['Ink one', 'Inkling', 'Second ink'])
        await system.items.create({ repositoryId, type: 'book', name, fields: { topic: name, price: 1 } })
      limited = await as({
        permissions: { repos: { [repositoryId]: ['queries.run'], [`${repositoryId}:book`]: ['items.read'] } },
      })
    })

    const asked: QueryInput[] = [
      {},
      { text: 'ink' },
      { text: 'ink', sort: 'name', highlight: true },
      { text: 'ink', highlight: true, facets: ['type', 'status', 'fields.topic', 'folderId', 'categories'] },
      { text: 'canary' },
      { filter: { 'fields.topic': { contains: 'ink' } }, facets: ['fields.topic', 'fields.tags'] },
      { filter: { not: { 'fields.topic': 'canary' } }, sort: '-fields.price' },
      { filter: { or: [{ type: 'memo' }, { 'fields.price': null }] }, facets: ['type'] },
      { type: 'memo', facets: ['status'] },
      { sort: 'fields.topic', archived: true },
    ]

    /** All that a caller gets: every query as a whole, and page by page. */
    const seenBy = async (api: Api) => {
      const answers: unknown[] = []
      for (const query of asked) {
        answers.push(await api.queries.run({ configId, ...query }))
        answers.push(await pagesOf(api, query))
      }
      return answers
    }

    it('find, count and highlight the same whether or not unreadable content exists', async () => {
      const { system } = bench()
      const before = await seenBy(limited)
      const fields = { secret: 'ink canary' }
      const memo = await system.items.create({ repositoryId, type: 'memo', name: 'Ink canary', fields })
      const stored = await system.items.create({
        repositoryId,
        type: 'book',
        name: 'Ink canary',
        readPerm: [roleId],
        fields: { topic: 'canary', price: 0, tags: ['ink'] },
      })
      await system.items.archive({ configId, id: memo.id })
      expect(await seenBy(limited)).toEqual(before)
      const all = await system.queries.run({ configId, text: 'canary', archived: true, highlight: true })
      expect(all.items.map(({ id }) => id).toSorted()).toEqual([memo.id, stored.id].toSorted())
    })

    it('treat fields that the caller may not read as unknown', async () => {
      const reported = async (name: string) => {
        const error = await failing(limited.queries.run({ configId, filter: { [name]: 'x' } }), 'invalid')
        return JSON.stringify([error.message, error.issues]).replaceAll(name, 'NAME')
      }
      expect(await reported('fields.secret')).toBe(await reported('fields.nope'))
      expect(await invalidAt(limited.queries.run({ configId, sort: 'fields.secret' }))).toEqual(['sort'])
      expect(await invalidAt(limited.queries.run({ configId, facets: ['fields.secret'] }))).toEqual([
        'facets',
      ])
    })

    it('name categories and folders only for callers who may see them', async () => {
      const { as } = bench()
      const { id: libraryId } = await bench().system.repositories.get({ id: 'library' })
      const reader = await as({
        permissions: { repos: { [libraryId]: ['queries.run', 'items.read', 'folders.read'] } },
      })
      const { facets } = await reader.queries.run({
        configId: 'library',
        facets: ['categories', 'folderId'],
      })
      expect(facets).toEqual({
        categories: [{ value: 'CATG_CALLIGRAPHY', count: 1 }],
        folderId: [{ value: 'FOLD_SHELF', count: 1, name: 'Shelf' }],
      })
    })

    it('hide repositories from callers without permissions there, and limited content from others', async () => {
      const { as, system } = bench()
      const others = await as({ permissions: { global: ['queries.run'] } })
      expect(await others.queries.run({ configId })).toMatchObject({ count: 0, items: [] })
      const strangers = await as({ permissions: { repos: { elsewhere: ['queries.run'] } } })
      await failing(strangers.queries.run({ configId }), 'not_found')
      await system.packages.create({ repo: configId, name: 'hidden' })
      await failing(limited.queries.run({ configId, packageName: 'hidden' }), 'forbidden')
      await failing(bench().anonymous.queries.run({ configId }), 'unauthorized')
    })
  })
}

/** A query page by page. Its cursors reveal nothing, because they are sealed. */
async function pagesOf(api: Api, query: QueryInput): Promise<Omit<QueryAnswer, 'nextCursor'>[]> {
  const pages: Omit<QueryAnswer, 'nextCursor'>[] = []
  let cursor: string | undefined
  do {
    const { nextCursor, ...page }: QueryAnswer = await api.queries.run({
      configId,
      ...query,
      limit: 1,
      ...(cursor && { cursor }),
    })
    pages.push(page)
    cursor = nextCursor
  } while (cursor)
  return pages
}
