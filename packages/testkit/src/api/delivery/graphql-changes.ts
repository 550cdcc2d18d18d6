import type { Item } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { codesOf, dataOf, resultOf } from './graphql-sender.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

/** Mutations: the operations on items. */
export function graphqlChangeTests(bench: () => Bench): void {
  describe('a GraphQL mutation', () => {
    let item: Item
    beforeAll(async () => {
      const fields = { title: 'First', tags: ['a'], seo: { title: 'kept' } }
      item = await bench().api.items.create({
        repositoryId: configId,
        type: 'article',
        name: 'Changed',
        fields,
      })
    })

    const update = (input: string) =>
      `mutation { updateArticle(id: "${item.id}", input: ${input}) { title currentVersion } }`

    it('creates with members, and uses defaults for the others', async () => {
      const { api } = bench()
      const query =
        'mutation { createArticle(input: { name: "New", slug: "own", description: "Said", fields: { title: "T" } }) { id slug status description } }'
      const { createArticle } = await dataOf(api, query)
      expect(createArticle).toMatchObject({ slug: 'own', status: 'draft', description: 'Said' })
      expect(await codesOf(api, query)).toEqual(['slug_taken'])
    })

    it('changes only what it names; null removes', async () => {
      const { api } = bench()
      const data = await dataOf(api, update('{ fields: { title: "Second", tags: null } }'))
      expect(data).toEqual({ updateArticle: { title: 'Second', currentVersion: 2 } })
      const { fields } = (await api.items.get({ configId, id: item.id })) as Item
      expect(fields).toMatchObject({ title: 'Second', seo: { title: 'kept' } })
      expect(fields['tags'] ?? null).toBeNull()
    })

    it('reports invalid values by their paths, and saves nothing', async () => {
      const { api } = bench()
      const result = await resultOf(api, update('{ fields: { price: -1 } }'))
      expect(result).toMatchObject({
        data: null,
        errors: [
          { path: ['updateArticle'], extensions: { code: 'invalid', issues: [{ path: 'fields.price' }] } },
        ],
      })
      expect(await api.items.get({ configId, id: item.id })).toMatchObject({ currentVersion: 2 })
    })

    it('reports concurrent changes', async () => {
      const { api } = bench()
      const { errors } = await resultOf(api, update('{ baseVersion: 1, fields: { title: "Mine" } }'))
      expect(errors).toMatchObject([
        { extensions: { code: 'version_conflict', conflicts: [{ path: 'fields.title', yours: 'Mine' }] } },
      ])
    })

    it('of one type does not affect items of other types', async () => {
      const { api } = bench()
      const author = await api.items.create({ repositoryId: configId, type: 'author', name: 'No article' })
      for (const change of [
        `updateArticle(id: "${author.id}", input: { name: "Mine" }) { id }`,
        `publishArticle(id: "${author.id}") { id }`,
        `deleteArticle(id: "${author.id}")`,
      ])
        expect(await codesOf(api, `mutation { ${change} }`)).toEqual(['not_found'])
      expect(await api.items.get({ configId, id: author.id })).toEqual(author)
    })

    it('publishes, unpublishes, archives, restores and deletes', async () => {
      const { api } = bench()
      const marked = (name: string) => dataOf(api, `mutation { ${name}Article(id: "${item.id}") { status } }`)
      for (const [name, status] of [
        ['publish', 'published'],
        ['unpublish', 'draft'],
        ['archive', 'archived'],
        ['unarchive', 'draft'],
      ] as const)
        expect(await marked(name)).toEqual({ [`${name}Article`]: { status } })
      const deleting = `mutation { deleteArticle(id: "${item.id}") }`
      expect(await dataOf(api, deleting)).toEqual({ deleteArticle: true })
      expect(await codesOf(api, deleting)).toEqual(['not_found'])
    })

    it('runs several in order, and reads their results', async () => {
      const query = `mutation {
        one: createAuthor(input: { name: "One" }) { slug }
        two: createAuthor(input: { name: "One" }) { slug }
      }`
      expect(await dataOf(bench().api, query)).toEqual({ one: { slug: 'one' }, two: { slug: 'one-2' } })
    })
  })
}
