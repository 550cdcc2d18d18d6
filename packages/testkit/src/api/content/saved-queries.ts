import type { AnswerInfo, Api, SavedQuery } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'archive'

type Saved = Omit<Parameters<Api['savedQueries']['create']>[0], 'configId' | 'name'>

/** The parameters of the tests: a required topic, a price with a default, and optional tags. */
const saved: Saved = {
  query: {
    type: 'book',
    filter: {
      'fields.topic': { $param: 'topic' },
      'fields.price': { lte: { $param: 'most' } },
      or: [{ 'fields.tags': { in: { $param: 'tags' } } }],
    },
    sort: 'name',
    select: ['name'],
    facets: ['fields.topic'],
  },
  parameters: [
    { name: 'topic', kind: 'text', required: true },
    { name: 'most', kind: 'number', default: 10 },
    { name: 'tags', kind: 'list' },
  ],
}

export function savedQueryTests(bench: () => Bench): void {
  describe('saved queries', () => {
    beforeAll(() => prepareArchive(bench()))

    const create = (name: string, given = saved) =>
      bench().api.savedQueries.create({ configId, name, ...given })
    const run = (name: string, parameters?: Record<string, string | number | boolean | string[]>) =>
      bench().api.queries.runSaved({ configId, name, ...(parameters && { parameters }) })
    const names = async (...asked: Parameters<typeof run>) =>
      (await run(...asked)).items.map(({ name }) => name)

    it('are created, read, listed, changed and deleted', async () => {
      const { api, scope, system } = bench()
      const repositoryId = (await system.repositories.get({ id: configId })).id
      const now = scope.clock.now()
      const made = await create('cheap-books')
      const { identity } = await api.auth.myPermissions()
      expect(made).toEqual({
        id: expect.stringMatching(/^QURY_/),
        repositoryId,
        name: 'cheap-books',
        description: '',
        query: saved.query,
        parameters: [
          { name: 'topic', kind: 'text', required: true, default: null, description: '' },
          { name: 'most', kind: 'number', required: false, default: 10, description: '' },
          { name: 'tags', kind: 'list', required: false, default: null, description: '' },
        ],
        createdDate: now,
        updatedDate: now,
        createdByUser: expect.objectContaining({ userName: identity.id }),
        updatedByUser: expect.objectContaining({ userName: identity.id }),
      } satisfies SavedQuery)
      const reported: AnswerInfo[] = []
      const at = { configId, name: 'cheap-books' }
      expect(await api.savedQueries.get(at, { onAnswer: (about) => reported.push(about) })).toEqual(made)
      expect(await api.savedQueries.list({ configId })).toEqual({ count: 1, items: [made] })
      const ifMatch = reported[0]?.etag ?? ''
      const changed = await api.savedQueries.update({ ...at, description: 'Cheap ones' }, { ifMatch })
      expect(changed).toEqual({ ...made, description: 'Cheap ones' })
      await allFailing(
        [
          api.savedQueries.update({ ...at, description: 'Late' }, { ifMatch }),
          api.savedQueries.delete(at, { ifMatch }),
        ],
        'precondition_failed',
      )
      expect(await api.savedQueries.get(at)).toEqual(changed)
      await api.savedQueries.delete(at)
      await failing(api.savedQueries.get(at), 'not_found')
      const entries = await scope.store.journal.read({ after: 0, limit: 100, entityId: made.id })
      expect(entries.map(({ event }) => event)).toEqual(['QUERY_CREATED', 'QUERY_UPDATED', 'QUERY_DELETED'])
    })

    it('are paged', async () => {
      const { savedQueries } = bench().api
      const all = [await create('page-one'), await create('page-two')]
      const first = await savedQueries.list({ configId, limit: 1 })
      const second = await savedQueries.list({ configId, limit: 1, cursor: first.nextCursor ?? '' })
      expect([...first.items, ...second.items]).toEqual(all)
      expect(second.nextCursor).toBeUndefined()
    })

    it('have a unique name in each repository, and are created once per key', async () => {
      const { api, system } = bench()
      await create('taken')
      await failing(create('taken'), 'name_taken')
      await system.repositories.create({ name: 'elsewhere' })
      await api.savedQueries.create({ configId: 'elsewhere', name: 'taken', ...saved })
      const idempotencyKey = 'saved-once'
      const once = { configId, name: 'once', ...saved }
      const made = await api.savedQueries.create(once, { idempotencyKey })
      expect(await api.savedQueries.create(once, { idempotencyKey })).toEqual(made)
      await failing(
        api.savedQueries.create({ ...once, name: 'twice' }, { idempotencyKey }),
        'idempotency_mismatch',
      )
      await system.repositories.delete({ id: 'elsewhere' })
    })

    it('are not found if they do not exist', async () => {
      const { queries, savedQueries } = bench().api
      const at = { configId, name: 'none' }
      await allFailing(
        [
          queries.runSaved(at),
          queries.runSaved({ ...at, configId: 'nowhere' }),
          savedQueries.list({ configId: 'nowhere' }),
          savedQueries.create({ configId: 'nowhere', name: 'none', ...saved }),
          savedQueries.get(at),
          savedQueries.update({ ...at, description: 'x' }),
          savedQueries.delete(at),
        ],
        'not_found',
      )
    })

    it('run with their parameters and defaults, without conditions on parameters that have no value', async () => {
      await create('books')
      expect(await names('books', { topic: 'craft' })).toEqual(['Folding', 'Ink'])
      expect(await names('books', { topic: 'craft', most: 3 })).toEqual(['Folding'])
      expect(await names('books', { topic: 'craft', most: '3' })).toEqual(['Folding'])
      expect(await names('books', { topic: 'craft', tags: ['wet', 'other'] })).toEqual(['Ink'])
      expect(await names('books', { topic: 'craft', tags: 'dry,wet' })).toEqual(['Folding', 'Ink'])
      expect(await names('books', { topic: 'a,b' })).toEqual(['Comma'])
      expect(await names('books', { topic: 'craft', tags: [] })).toEqual([])
      const { facets, count } = await run('books', { topic: 'craft' })
      expect({ facets, count }).toEqual({
        facets: { 'fields.topic': [{ value: 'craft', count: 2 }] },
        count: 2,
      })
    })

    it('page, and see packages', async () => {
      const { api, system } = bench()
      await create('paged', { query: { sort: 'name', limit: 1, select: ['name'] } })
      const first = await run('paged')
      expect(first.items).toHaveLength(1)
      const at = { configId, name: 'paged', cursor: first.nextCursor ?? '' }
      const rest = await api.queries.runSaved({ ...at, limit: 10 })
      expect(rest.items.map(({ name }) => name)).toEqual(['Folding', 'Ink'])
      const packageName = 'autumn'
      await system.packages.create({ repo: configId, name: packageName })
      await system.items.create({ repositoryId: configId, type: 'book', name: 'Awl', packageName })
      const seen = await api.queries.runSaved({ configId, packageName, name: 'paged', limit: 10 })
      expect(seen.items.map(({ name }) => name)).toEqual(['Awl', 'Comma', 'Folding', 'Ink'])
      expect((await run('paged')).count).toBe(3)
    })

    it.each<[string, Record<string, string | number | boolean>, string[]]>([
      ['is missing', {}, ['parameters.topic']],
      ['is unknown', { topic: 'craft', nope: 1 }, ['parameters.nope']],
      ['is no number', { topic: 'craft', most: 'dear' }, ['parameters.most']],
      ['is too long', { topic: 'x'.repeat(600) }, ['filter.fields.topic.eq']],
    ])('refuse a run when a parameter %s', async (_what, parameters, paths) => {
      expect(await invalidAt(run('books', parameters))).toEqual(paths)
    })

    it.each<[string, Saved, string[]]>([
      ['an unknown placeholder', { query: { text: { $param: 'what' } } }, ['query.text']],
      ['a placeholder beside others', { query: { text: { $param: 'a', b: 1 } } }, ['query.text']],
      ['an unknown member', { query: { nope: 1 } }, ['query.nope']],
      ['a cursor', { query: { cursor: 'x' } }, ['query.cursor']],
      ['a wrong value', { query: { limit: 0 } }, ['query.limit']],
      [
        'a parameter of another kind than its field',
        { query: { text: { $param: 'n' } }, parameters: [{ name: 'n', kind: 'number' }] },
        ['query.text'],
      ],
      [
        'a parameter twice',
        {
          query: {},
          parameters: [
            { name: 'n', kind: 'number' },
            { name: 'n', kind: 'text' },
          ],
        },
        ['parameters.1.name'],
      ],
      [
        'a default of another kind',
        { query: {}, parameters: [{ name: 'n', kind: 'number', default: 'x' }] },
        ['parameters.0.default'],
      ],
      ['a very long query', { query: { filter: { name: 'x'.repeat(70_000) } } }, ['query']],
    ])('refuse %s when they are saved or changed', async (_what, given, paths) => {
      const { savedQueries } = bench().api
      const before = await savedQueries.get({ configId, name: 'books' })
      expect(await invalidAt(create('unsound', given))).toEqual(paths)
      const whole = { parameters: [], ...given }
      expect(await invalidAt(savedQueries.update({ configId, name: 'books', ...whole }))).toEqual(paths)
      expect(await savedQueries.get({ configId, name: 'books' })).toEqual(before)
      await failing(savedQueries.get({ configId, name: 'unsound' }), 'not_found')
    })

    it('run with the permissions of their caller, and are saved by callers who may save', async () => {
      const { as, system } = bench()
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      await create('all', { query: { sort: 'name', facets: ['type'] } })
      const reader = await as({
        permissions: { repos: { [repositoryId]: ['queries.run'], [`${repositoryId}:memo`]: ['items.read'] } },
      })
      const at = { configId, name: 'all' }
      expect(await reader.queries.runSaved(at)).toEqual({ count: 0, items: [], facets: { type: [] } })
      expect(
        await invalidAt(reader.queries.runSaved({ configId, name: 'books', parameters: { topic: 'craft' } })),
      ).toContain('filter.fields.topic')
      expect(await reader.savedQueries.get(at)).toMatchObject({ name: 'all' })
      const others = await as({ permissions: { repos: { [repositoryId]: ['items.read'] } } })
      await allFailing(
        [
          reader.savedQueries.create({ ...at, name: 'mine', ...saved }),
          reader.savedQueries.update({ ...at, description: 'mine' }),
          reader.savedQueries.delete(at),
          others.savedQueries.list({ configId }),
          others.savedQueries.get(at),
          others.queries.run({ configId }),
          others.queries.runSaved(at),
        ],
        'forbidden',
      )
      expect(await system.savedQueries.get(at)).toMatchObject({ description: '' })
    })

    it('are deleted with their repository', async () => {
      const { api, system } = bench()
      await system.repositories.create({ name: 'passing' })
      await api.savedQueries.create({ configId: 'passing', name: 'one', ...saved })
      await system.repositories.delete({ id: 'passing' })
      await system.repositories.create({ name: 'passing' })
      expect(await api.savedQueries.list({ configId: 'passing' })).toEqual({ count: 0, items: [] })
    })
  })
}

async function prepareArchive({ system }: Bench): Promise<void> {
  const { items } = await system.types.list()
  await system.repositories.create({ name: configId })
  // An earlier test may have created the type.
  if (!items.some(({ name }) => name === 'book'))
    await system.types.create({
      name: 'book',
      fields: [
        { name: 'topic', kind: 'text' },
        { name: 'price', kind: 'number' },
        { name: 'tags', kind: 'text', list: true },
      ],
    })
  const books = [
    { name: 'Ink', fields: { topic: 'craft', price: 5, tags: ['wet'] } },
    { name: 'Folding', fields: { topic: 'craft', price: 3, tags: ['dry'] } },
    { name: 'Comma', fields: { topic: 'a,b', price: 1 } },
  ]
  for (const book of books) await system.items.create({ repositoryId: configId, type: 'book', ...book })
}
