import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { codesOf, dataOf } from './graphql-sender.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const packageName = 'spring'

/** Versions of an item, and reads on the branch of a package. */
export function graphqlBranchTests(bench: () => Bench): void {
  describe('GraphQL on a branch', () => {
    let id = ''
    let authorId = ''
    beforeAll(async () => {
      const { system } = bench()
      const author = await system.items.create({ repositoryId: configId, type: 'author', name: 'Lina' })
      authorId = author.id
      const fields = { title: 'Main', author: authorId }
      id = (await system.items.create({ repositoryId: configId, type: 'article', name: 'Lined', fields })).id
      await system.packages.create({ repo: configId, name: packageName })
      await system.items.update({ configId, packageName, id, fields: { title: 'Package' } })
      await system.items.update({ configId, packageName, id: authorId, name: 'Lina of spring' })
    })

    const asked = 'article(id: "ID") { title author { name } }'
    const query = (given = '') => `{ ${asked.replace('"ID"', `"${id}"${given}`)} }`
    const onMain = { article: { title: 'Main', author: { name: 'Lina' } } }
    const onPackage = { article: { title: 'Package', author: { name: 'Lina of spring' } } }

    it('reads main, and the package that the path or an argument names, including references', async () => {
      const { api } = bench()
      expect(await dataOf(api, query())).toEqual(onMain)
      expect(await dataOf(api, query(), { packageName })).toEqual(onPackage)
      expect(await dataOf(api, query(`, package: "${packageName}"`))).toEqual(onPackage)
      expect(await api.graphql.query({ configId, packageName, query: query() })).toEqual({ data: onPackage })
      const both = `{ main: ${query().slice(1, -1)} spring: ${query(`, package: "${packageName}"`).slice(1, -1)} }`
      expect(await dataOf(api, both)).toEqual({ main: onMain.article, spring: onPackage.article })
    })

    it('changes only the package', async () => {
      const { api } = bench()
      const change = `mutation { updateArticle(id: "${id}", package: "${packageName}", input: { fields: { title: "Later" } }) { title packageName } }`
      expect(await dataOf(api, change)).toEqual({ updateArticle: { title: 'Later', packageName } })
      const made = 'mutation { createAuthor(input: { name: "Here only" }) { id } }'
      const { createAuthor } = await dataOf(api, made, { packageName })
      const named = `{ author(id: "${(createAuthor as { id: string }).id}") { name } }`
      expect(await dataOf(api, named)).toEqual({ author: null })
      expect(await dataOf(api, named, { packageName })).toEqual({ author: { name: 'Here only' } })
      expect(await dataOf(api, query())).toEqual(onMain)
    })

    it('refuses a package that does not exist', async () => {
      const { api } = bench()
      expect(await codesOf(api, query(', package: "nope"'))).toEqual(['not_found'])
      await failing(api.graphql.execute({ configId, packageName: 'nope', query: query() }), 'not_found')
    })

    it('reads a version by its number, the newest one and the newest published one', async () => {
      const { api, system } = bench()
      await system.items.publish({ configId, id })
      await system.items.update({ configId, id, fields: { title: 'Draft' } })
      const version = (name: string) =>
        dataOf(api, `{ article(id: "${id}", version: "${name}") { title currentVersion } }`)
      expect(await version('1')).toEqual({ article: { title: 'Main', currentVersion: 1 } })
      expect(await version('latest')).toEqual({ article: { title: 'Draft', currentVersion: 2 } })
      expect(await version('latestpublished')).toEqual({ article: { title: 'Main', currentVersion: 1 } })
      expect(await codesOf(api, `{ article(id: "${id}", version: "9") { title } }`)).toEqual(['not_found'])
    })
  })
}
