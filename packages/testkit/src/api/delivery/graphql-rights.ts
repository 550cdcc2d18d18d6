import type { Api, Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import { codesOf, dataOf, resultOf } from './graphql-sender.ts'
import type { Bench } from '../host.ts'

const configId = 'gallery'

/** GraphQL gives access to nothing that REST does not (TRUST S02, S03, S20). */
export function graphqlRightsTests(bench: () => Bench): void {
  describe('the rights of GraphQL', () => {
    let repositoryId = ''
    let hidden: Item
    let open: Item
    let reader: Api
    beforeAll(async () => {
      const { system, as } = bench()
      repositoryId = (await system.repositories.create({ name: configId })).id
      const role = await system.roles.create({ name: 'Curators' })
      const author = { repositoryId, type: 'author', name: 'Canary', readPerm: [role.id] }
      hidden = await system.items.create(author)
      const fields = { title: 'Seen', author: hidden.id, related: [hidden.id] }
      open = await system.items.create({ repositoryId, type: 'article', name: 'Open', fields })
      reader = await as({
        permissions: { repos: { [repositoryId]: ['graphql.query', 'items.read', 'queries.run'] } },
      })
    })

    it('require graphql.query, which the error names to callers who may see the repository', async () => {
      const { as, anonymous } = bench()
      const query = '{ __typename }'
      const items = await as({ permissions: { repos: { [repositoryId]: ['items.read'] } } })
      await allFailing(
        [items.graphql.execute({ configId, query }), items.graphql.query({ configId, query })],
        'forbidden',
      )
      await failing(items.graphql.schema({ configId }), 'forbidden')
      const others = await as({ permissions: { global: ['queue.view'] } })
      await failing(others.graphql.execute({ configId, query }), 'forbidden')
      await failing(anonymous.graphql.execute({ configId, query }), 'unauthorized')
      await failing(anonymous.graphql.execute({ configId: 'nope', query }), 'unauthorized')
    })

    it('return null for what the caller may not read, wherever it is requested', async () => {
      const query = `{ item(id: "${hidden.id}") { name } author(slug: "${hidden.slug}") { name }
        authors { items { name } count } article(id: "${open.id}") { title author { name } related { name } }
        search(text: "canary") { items { name } count } }`
      expect(await dataOf(reader, query, { configId })).toEqual({
        item: null,
        author: null,
        authors: { items: [], count: 0 },
        article: { title: 'Seen', author: null, related: [null] },
        search: { items: [], count: 0 },
      })
    })

    it('are those of each operation in a mutation', async () => {
      const change = `mutation { updateArticle(id: "${open.id}", input: { name: "Mine" }) { id } }`
      const made = 'mutation { createAuthor(input: { name: "Mine" }) { id } }'
      expect(await codesOf(reader, change, { configId })).toEqual(['forbidden'])
      expect(await codesOf(reader, made, { configId })).toEqual(['forbidden'])
      expect(await bench().api.items.get({ configId, id: open.id })).toMatchObject({ name: 'Open' })
    })

    it('open published content to everyone if the repository is public and allows it', async () => {
      const { api, anonymous } = bench()
      const query = `{ article(id: "${open.id}") { title currentVersion status updatedByUser { userName } }
        articles(filter: { title: { startsWith: "S" } }) { items { title } count } }`
      await api.repositories.update({ id: configId, public: true })
      await failing(anonymous.graphql.execute({ configId, query }), 'unauthorized')
      await api.repositories.update({ id: configId, settings: { graphql: { public: true } } })
      expect(await dataOf(anonymous, query, { configId })).toEqual({
        article: null,
        articles: { items: [], count: 0 },
      })
      await api.items.publish({ configId, id: open.id })
      await api.items.update({ configId, id: open.id, fields: { title: 'Secret draft' } })
      expect(await dataOf(anonymous, query, { configId })).toEqual({
        article: { title: 'Seen', currentVersion: 1, status: null, updatedByUser: null },
        articles: { items: [{ title: 'Seen' }], count: 1 },
      })
      const other = await bench().as({ permissions: { global: ['queue.view'] } })
      for (const everybody of [anonymous, other]) {
        const got = await everybody.graphql.query({ configId, query: '{ articles { items { title } } }' })
        expect(got).toEqual({ data: { articles: { items: [{ title: 'Seen' }] } } })
        expect(await codesOf(everybody, '{ __schema { types { name } } }', { configId })).not.toEqual([])
      }
      await failing(other.graphql.schema({ configId }), 'forbidden')
      const packaged = { configId, packageName: 'spring', query: '{ __typename }' }
      await failing(other.graphql.execute(packaged), 'forbidden')
    })

    it('do not reveal schema, drafts, packages and versions to everyone', async () => {
      const { anonymous } = bench()
      for (const query of ['{ __schema { types { name } } }', '{ __type(name: "Article") { name } }'])
        expect(await resultOf(anonymous, query, { configId })).toEqual({
          errors: expect.arrayContaining([
            expect.objectContaining({ message: expect.stringContaining('introspection') }),
          ]),
        })
      const { errors = [] } = await resultOf(anonymous, '{ articels { count } }', { configId })
      expect(errors[0]?.message).not.toContain('Did you mean')
      await failing(anonymous.graphql.schema({ configId }), 'unauthorized')
      const article = (given: string) => `{ article(id: "${open.id}", ${given}) { title } }`
      for (const query of [
        article('version: "2"'),
        article('package: "spring"'),
        '{ search(text: "seen") { count } }',
      ])
        expect(await resultOf(anonymous, query, { configId })).toMatchObject({ errors: [expect.anything()] })
      const packaged = { configId, packageName: 'spring', query: '{ __typename }' }
      await failing(anonymous.graphql.execute(packaged), 'unauthorized')
      const filtered = '{ articles(filter: { status: { eq: "draft" } }) { count } }'
      expect(await codesOf(anonymous, filtered, { configId })).toEqual(['invalid'])
      const made = 'mutation { createArticle(input: { name: "Mine" }) { id } }'
      expect(await codesOf(anonymous, made, { configId })).toEqual(['unauthorized'])
    })

    it('end when the repository is no longer public', async () => {
      const { api, anonymous } = bench()
      await api.repositories.update({ id: configId, public: false })
      await failing(anonymous.graphql.execute({ configId, query: '{ __typename }' }), 'unauthorized')
    })
  })
}
