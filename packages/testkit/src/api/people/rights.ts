import { beforeAll, describe, expect, it } from 'vitest'
import { contract, endpoints, type Endpoint } from '@quire/contract'
import { failing } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { codeOf, type Bench } from '../host.ts'

const configId = 'magazine'

/** Permissions: by key, by type, and by the role lists of an item. */
export function rightsTests(bench: () => Bench): void {
  describe('rights', () => {
    beforeAll(() => prepareMagazine(bench().system))

    const guarded = endpoints.filter(({ endpoint }) => !isOpen(endpoint))
    it.each(guarded)('$group.$operation is forbidden without its key', async (named) => {
      const { group, operation, endpoint } = named
      const nobody = await bench().as({})
      const call = callByName(nobody, group, operation)
      expect(codeOf(await call(endpoint.example.input).catch((error: unknown) => error))).toBe('forbidden')
    })

    it('apply to one content type only, if granted so', async () => {
      const { system, as } = bench()
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const article = await system.items.create(anArticle({ name: 'Mine' }))
      const author = await system.items.create({ repositoryId: configId, type: 'author', name: 'Not mine' })
      const keys = ['items.read', 'items.update', 'items.create']
      const api = await as({
        permissions: { repos: { [`${repositoryId}:article`]: keys, [repositoryId]: ['items.read'] } },
      })
      await api.items.update({ configId, id: article.id, name: 'Changed' })
      await failing(api.items.update({ configId, id: author.id, name: 'Changed' }), 'forbidden')
      await failing(api.items.create({ repositoryId: configId, type: 'author', name: 'x' }), 'forbidden')
      await failing(api.items.copy({ configId, id: author.id }), 'forbidden')
      await failing(api.items.delete({ configId, id: article.id }), 'forbidden')
      expect(await system.items.get({ configId, id: author.id })).toEqual(author)
    })

    it('are limited by the role lists of an item, except for callers who hold every key', async () => {
      const { system, api: administrator, limited: api } = bench()
      const role = await system.roles.create({ name: 'The few' })
      const limit = [role.id]
      const unseen = await system.items.create(anArticle({ name: 'Unseen', readPerm: limit }))
      await failing(api.items.get({ configId, id: unseen.id }), 'not_found')
      const fixed = await system.items.create(
        anArticle({ name: 'Fixed', writePerm: limit, deletePerm: limit }),
      )
      await failing(api.items.update({ configId, id: fixed.id, name: 'x' }), 'forbidden')
      await failing(api.items.delete({ configId, id: fixed.id }), 'forbidden')
      expect(await api.items.get({ configId, id: fixed.id })).toEqual(fixed)
      expect(await administrator.items.get({ configId, id: unseen.id })).toEqual(unseen)
      await administrator.items.update({ configId, id: fixed.id, name: 'Mended', writePerm: [] })
      await administrator.items.delete({ configId, id: fixed.id })
    })

    it('to change a role list belong to holders of its roles', async () => {
      const { system, limited: api } = bench()
      const role = await system.roles.create({ name: 'Deleters' })
      const item = await system.items.create(anArticle({ name: 'Guarded', deletePerm: [role.id] }))
      await failing(api.items.update({ configId, id: item.id, deletePerm: [] }), 'forbidden')
      expect(await api.items.get({ configId, id: item.id })).toEqual(item)
    })

    it('do not allow deleting a role that an item names, on any branch', async () => {
      const { system } = bench()
      const role = await system.roles.create({ name: 'Named by items' })
      const { id } = await system.items.create(anArticle({ name: 'Names it', deletePerm: [role.id] }))
      await failing(system.roles.delete({ id: role.id }), 'role_in_use')
      const packageName = 'keeps-a-role'
      await system.packages.create({ repo: configId, name: packageName })
      await system.items.update({ configId, packageName, id, name: 'Taken in' })
      await system.items.update({ configId, id, deletePerm: [] })
      await failing(system.roles.delete({ id: role.id }), 'role_in_use')
      await system.packages.delete({ repo: configId, packageName })
      expect(await system.roles.delete({ id: role.id })).toBeUndefined()
    })

    it('keep references from showing what the caller may not read', async () => {
      const { system, limited: api } = bench()
      const role = await system.roles.create({ name: 'Secret keepers' })
      const secret = await system.items.create({
        repositoryId: configId,
        type: 'author',
        name: 'Secret',
        readPerm: [role.id],
      })
      const article = await system.items.create(
        anArticle({ name: 'Pointing', fields: { title: 'T', author: secret.id } }),
      )
      const read = await api.items.get({ configId, id: article.id, include: ['author'] })
      expect(read.included).toEqual({ author: [] })
    })
  })
}

function isOpen({ permission }: Endpoint): boolean {
  return permission === 'public' || permission === 'published' || permission === 'authenticated'
}

/** Calls an operation by its group and name. The contract lists both. */
export function callByName(
  api: object,
  group: string,
  operation: string,
): (input: unknown) => Promise<unknown> {
  const groups = api as Readonly<
    Record<string, Readonly<Record<string, (input: unknown) => Promise<unknown>>>>
  >
  const call = groups[group]?.[operation]
  return (
    call ?? (() => Promise.reject(new Error(`no ${group}.${operation} in ${Object.keys(contract).join()}`)))
  )
}
