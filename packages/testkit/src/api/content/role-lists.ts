import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const repo = configId

/**
 * Who may set the role lists of an item, and what they limit: nobody can lock everyone out of an
 * item, or open one that was limited.
 */
export function roleListTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  let made = 0
  const aRole = async () => (await bench().system.roles.create({ name: `Listed ${++made}` })).id
  const named = (name: string, more: object = {}) =>
    bench().system.items.create(anArticle({ name, fields: { title: name }, ...more }))
  const contributor = () => bench().as({ bundles: ['bundle.contributor'] })
  /** A contributor who also has a role of a list. */
  const insider = async (role: string): Promise<Api> => {
    const { system, as } = bench()
    const api = await as({ bundles: ['bundle.contributor'] })
    const { id } = (await api.auth.myPermissions()).identity
    const { roles } = await system.serviceAccounts.get({ id })
    await system.serviceAccounts.update({ id, roles: [...roles, role] })
    return api
  }

  describe('the role lists of an item', () => {
    it.each(['readPerm', 'writePerm', 'deletePerm'] as const)(
      '%s is set by holders of one of its roles, by every operation',
      async (list) => {
        const { system, as } = bench()
        const role = await aRole()
        const lists = { [list]: [role] }
        const item = await named(`Open ${list}`)
        const at = { configId, id: item.id }
        const stranger = await as({
          bundles: ['bundle.contributor'],
          permissions: { global: ['graphql.query', 'packages.create', 'packages.update', 'items.delete'] },
        })
        const query = `mutation { updateArticle(id: "${item.id}", input: { ${list}: ["${role}"] }) { id } }`
        const { errors } = await stranger.graphql.execute({ configId, query })
        expect(errors).toMatchObject([{ extensions: { code: 'forbidden' } }])
        const bulk = await stranger.items.bulk({ configId, ids: [item.id], action: 'update', input: lists })
        expect(bulk.outcomes).toMatchObject([{ ok: false, error: { code: 'forbidden' } }])
        await allFailing(
          [
            stranger.items.update({ ...at, ...lists }),
            stranger.items.create(anArticle({ name: 'Closed', ...lists })),
          ],
          'forbidden',
        )
        expect(await system.items.get(at)).toEqual(item)
        const holder = await insider(role)
        expect(await holder.items.update({ ...at, ...lists })).toMatchObject(lists)
        expect(await holder.items.create(anArticle({ name: 'Ours', ...lists }))).toMatchObject(lists)
        // Other members are not changed.
        expect(await holder.items.update({ ...at, name: 'Renamed', ...lists })).toMatchObject(lists)
      },
    )

    it('are restored with an old version by callers who may set them', async () => {
      const { system } = bench()
      const role = await aRole()
      const { id } = await named('Once closed', { writePerm: [role] })
      const at = { configId, id }
      const item = await system.items.update({ ...at, writePerm: [] })
      await failing((await contributor()).items.restore({ ...at, version: 1 }), 'forbidden')
      expect(await system.items.get(at)).toEqual(item)
      expect(await (await insider(role)).items.restore({ ...at, version: 1 })).toMatchObject({
        writePerm: [role],
      })
    })

    it('do not limit callers who hold every key there', async () => {
      const { system, api, as } = bench()
      const lists = { readPerm: [await aRole()], writePerm: [await aRole()], deletePerm: [await aRole()] }
      const { id: repositoryId } = await system.repositories.create({ name: 'reached' })
      const owner = await as({
        bundles: ['bundle.administrator'],
        overrides: { grant: [], revoke: ['items.read'] },
        permissions: { repos: { [repositoryId]: ['items.read'] } },
      })
      for (const principal of [owner, api]) {
        const folder = await system.folders.create({ configId: 'reached', name: 'Closed' })
        const packageName = `closed ${++made}`
        await system.packages.create({ repo: 'reached', name: packageName })
        const article = {
          ...anArticle({ name: 'Closed', ...lists }),
          repositoryId: 'reached',
          folderId: folder.id,
        }
        const { id } = await system.items.create(article)
        const inPackage = await system.items.create({
          ...article,
          name: 'In a package',
          folderId: null,
          packageName,
        })
        const at = { configId: 'reached', id }
        expect((await principal.items.list({ configId: 'reached' })).count).toBe(1)
        expect(await principal.items.update({ ...at, name: 'Reached' })).toMatchObject({ name: 'Reached' })
        expect((await principal.items.get({ ...at, version: '1' })).name).toBe('Closed')
        expect(await principal.packages.diff({ repo: 'reached', packageName })).toMatchObject({ count: 1 })
        await principal.packages.removeChange({ repo: 'reached', packageName, entityId: inPackage.id })
        await principal.packages.merge({ repo: 'reached', packageName })
        await principal.folders.delete({ configId: 'reached', id: folder.id, recursive: true })
        await failing(system.items.get(at), 'not_found')
      }
    })

    it('are copied with the item', async () => {
      const [role, foreign] = [await aRole(), await aRole()]
      const { id } = await named('To be copied', { readPerm: [role], writePerm: [foreign] })
      const copy = await (await insider(role)).items.copy({ configId, id })
      expect(copy).toMatchObject({ readPerm: [role], writePerm: [foreign] })
    })
  })

  describe('what is published', () => {
    it('is limited only by callers who may unpublish it, by every operation', async () => {
      const { system } = bench()
      const [role, other] = [await aRole(), await aRole()]
      const { id } = await named('Public')
      const at = { configId, id }
      const holder = await insider(role)
      await holder.items.update({ ...at, readPerm: [role] })
      await system.items.update({ ...at, readPerm: [] })
      const item = await system.items.publish(at)
      const bulk = await holder.items.bulk({
        configId,
        ids: [id],
        action: 'update',
        input: { readPerm: [role] },
      })
      expect(bulk.outcomes).toMatchObject([{ ok: false, error: { code: 'forbidden' } }])
      const refused = [
        await failing(holder.items.update({ ...at, readPerm: [role] }), 'forbidden'),
        await failing(holder.items.restore({ ...at, version: 2 }), 'forbidden'),
      ]
      for (const { details } of refused) expect(details).toEqual({ permission: 'items.publish' })
      expect(await system.items.get(at)).toEqual(item)
      await system.items.update({ ...at, readPerm: [role, other] })
      await system.items.publish(at)
      await failing(holder.items.update({ ...at, readPerm: [role] }), 'forbidden')
      await holder.items.update({ ...at, readPerm: [] })
      await system.items.unpublish(at)
      expect(await holder.items.update({ ...at, readPerm: [role] })).toMatchObject({ readPerm: [role] })
    })

    it('is not limited by a merge of a caller who may not unpublish it', async () => {
      const { system, as } = bench()
      const role = await aRole()
      const { id } = await named('Public and merged')
      await system.items.publish({ configId, id })
      const packageName = 'closing'
      await system.packages.create({ repo, name: packageName })
      await (await insider(role)).items.update({ configId, packageName, id, readPerm: [role] })
      const merger = await as({
        repos: [],
        bundles: ['bundle.administrator'],
        overrides: { grant: [], revoke: ['items.publish'] },
      })
      const { id: account } = (await merger.auth.myPermissions()).identity
      const { roles } = await system.serviceAccounts.get({ id: account })
      await system.serviceAccounts.update({ id: account, roles: [...roles, role] })
      const { details } = await failing(merger.packages.merge({ repo, packageName }), 'forbidden')
      expect(details).toEqual({ permission: 'items.publish' })
      expect(await system.items.get({ configId, id })).toMatchObject({ readPerm: [], currentVersion: 1 })
    })
  })

  describe('a list that main gets later', () => {
    it.each(['open', 'merged'])('limits who may read the version of a package that is %s', async (state) => {
      const { system, as } = bench()
      const role = await aRole()
      const { id, slug } = await named(`Later limited ${state}`)
      const other = await named(`Refers to it ${state}`)
      const packageName = `later ${state}`
      const [at, within] = [
        { configId, id },
        { configId, packageName },
      ]
      await system.packages.create({ repo, name: packageName })
      const fields = { title: 'SALARY 8888', related: [other.id] }
      await system.items.update({ ...at, packageName, fields })
      await system.packages.addComment({ repo, packageName, body: 'SALARY 7777', entityId: id })
      if (state === 'merged') await system.packages.merge({ repo, packageName })
      await system.items.update({ ...at, readPerm: [role] })

      const stranger = await as({
        bundles: ['bundle.contributor'],
        permissions: { global: ['graphql.query', 'packages.view', 'packages.update', 'activity.view'] },
      })
      const inPackage = { ...at, packageName }
      await allFailing(
        [
          stranger.items.get(inPackage),
          stranger.items.getBySlug({ ...within, slug }),
          stranger.items.versions(inPackage),
          stranger.items.diff({ ...inPackage, from: '1', to: '2' }),
          stranger.items.update({ ...inPackage, name: 'Mine' }),
          stranger.items.get({ ...inPackage, version: '2' }),
          stranger.references.sites({ ...within, assetId: id }),
        ],
        'not_found',
      )
      const query = '{ articles(limit: 1000) { items { name title } } }'
      const seen = [
        await stranger.items.list({ ...within, limit: 1000 }),
        await stranger.items.list({ ...within, text: 'SALARY' }),
        await stranger.items.list({ ...within, type: 'article', sort: 'fields.title', limit: 1000 }),
        await stranger.items.list({ ...within, type: 'article', filter: { 'fields.title': 'SALARY 8888' } }),
        await stranger.packages.changes({ repo, packageName }),
        await stranger.packages.diff({ repo, packageName }).catch(() => null),
        await stranger.packages.comments({ repo, packageName }),
        await stranger.graphql.execute({ ...within, query }),
      ]
      expect(JSON.stringify(seen)).not.toMatch(new RegExp(`SALARY|${id}`))
      expect(seen.at(-1)).toMatchObject({ data: { articles: {} } })
      const holder = await insider(role)
      expect(await holder.items.get(inPackage)).toMatchObject({ fields: { title: 'SALARY 8888' } })
      expect(await holder.items.list({ ...within, text: 'SALARY' })).toMatchObject({ count: 1 })
      if (state === 'merged') return
      // Main's list does not become the package's.
      expect(await system.items.update({ ...inPackage, name: 'Still mine' })).toMatchObject({ readPerm: [] })
      await system.items.update({ ...at, readPerm: [] })
      expect(await stranger.items.get(inPackage)).toMatchObject({ name: 'Still mine' })
    })
  })

  describe('a limited old version', () => {
    it('is read by callers who may read both it and the newest, by every operation', async () => {
      const { system, scope } = bench()
      const role = await aRole()
      const { id } = await named('SALARY 9999', { readPerm: [role] })
      const at = { configId, id }
      const then = scope.clock.now()
      scope.clock.advance(1000)
      await system.items.update({ ...at, name: 'Redacted', fields: { title: 'Redacted' }, readPerm: [] })
      const stranger = await contributor()
      await allFailing(
        [
          stranger.items.get({ ...at, version: '1' }),
          stranger.items.get({ ...at, at: then }),
          stranger.items.diff({ ...at, from: '1', to: '2' }),
          stranger.items.diff({ ...at, from: 'latest', to: '1' }),
          stranger.items.restore({ ...at, version: 1 }),
          stranger.items.update({ ...at, name: 'Mine', baseVersion: 1 }),
        ],
        'not_found',
      )
      expect(await stranger.items.versions(at)).toMatchObject({ count: 1, items: [{ version: 2 }] })
      expect(await stranger.items.versions({ ...at, cursor: '', limit: 1 }).catch(() => null)).toBeNull()
      const holder = await insider(role)
      expect((await holder.items.get({ ...at, version: '1' })).name).toBe('SALARY 9999')
      expect(await holder.items.versions(at)).toMatchObject({
        count: 2,
        items: [{ version: 2 }, { version: 1 }],
      })
      expect((await holder.items.diff({ ...at, from: '1' })).changes).toHaveLength(3)
      expect(JSON.stringify(await stranger.items.list({ configId, limit: 1000 }))).not.toContain('SALARY')
    })

    it('does not open the published version', async () => {
      const { system } = bench()
      const [one, two] = [await aRole(), await aRole()]
      const { id } = await named('Published for few', { readPerm: [one] })
      const at = { configId, id }
      await system.items.publish(at)
      await system.items.update({ ...at, name: 'For others', readPerm: [two] })
      await failing((await insider(two)).items.get({ ...at, version: 'latestpublished' }), 'not_found')
      await failing((await insider(two)).published.item(at), 'not_found')
    })
  })
}
