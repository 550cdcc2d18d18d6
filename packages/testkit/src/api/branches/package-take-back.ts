import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { articlesOnMain, inPackage, onMain } from './package-steps.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo

/** Taking back what an agent did. */
export function packageTakeBackTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const anArticleOnMain = articlesOnMain(bench)
  let agents = 0

  /** An agent, with a function that makes a package of it and works in that. */
  const anAgent = async () => {
    const api = await bench().as({ bundles: ['bundle.administrator'], branchOnly: true })
    const { id } = (await api.auth.myPermissions()).identity
    const prefix = `agent ${++agents}`
    const work = async (name: string, run: (api: Api, packageName: string) => Promise<unknown>) => {
      const { name: packageName } = await api.packages.create({ repo, name: `${prefix}/${name}` })
      await run(api, packageName)
      return { repo, packageName }
    }
    return { id, api, work, named: (name: string) => `${prefix}/${name}` }
  }

  const setPrice = (id: string, price: number) => (api: Api, packageName: string) =>
    api.items.update({ configId, packageName, id, fields: { price } })

  describe('packages.takeBack', () => {
    it('deletes what is not merged, and reverts what is, the newest merge first', async () => {
      const { api, scope } = bench()
      const [changed, other] = [await anArticleOnMain('Ink', { price: 1 }), await anArticleOnMain('Paper')]
      await api.items.publish(onMain(changed))
      const { id: agent, work, named } = await anAgent()
      const first = await work('first', setPrice(changed.id, 2))
      await api.packages.merge({ ...first, publish: true })
      scope.clock.advance(1000)
      const second = await work('second', async (agent, packageName) => {
        await setPrice(changed.id, 3)(agent, packageName)
        await agent.items.create(
          anArticle({ name: 'New', slug: 'of-the-agent', packageName, fields: { title: 'New' } }),
        )
        await agent.items.delete(inPackage(other, packageName))
      })
      await api.packages.merge({ ...second, publish: true })
      await work('open', setPrice(changed.id, 4))
      const person = await api.packages.create({ repo, name: 'of a person' })

      const before = await api.packages.list({ repo, limit: 1000 })
      const expected = {
        count: 3,
        items: [
          { packageName: named('open'), action: 'deleted' },
          { packageName: named('second'), action: 'reverted', revert: `revert-${named('second')}` },
          { packageName: named('first'), action: 'reverted', revert: `revert-${named('first')}` },
        ],
      }
      expect(await api.packages.takeBack({ repo, agent, dryRun: true })).toEqual(expected)
      expect(await api.packages.list({ repo, limit: 1000 })).toEqual(before)
      expect(await api.packages.takeBack({ repo, agent })).toEqual(expected)

      const published = await api.published.item({ configId, id: changed.id })
      expect(published.fields).toMatchObject({ price: 1 })
      expect((await api.items.get(onMain(changed))).fields).toMatchObject({ price: 1 })
      expect((await api.items.get(onMain(other))).name).toBe('Paper')
      await failing(api.items.getBySlug({ configId, slug: 'of-the-agent' }), 'not_found')
      await failing(api.packages.get({ repo, packageName: named('open') }), 'not_found')
      expect(await api.packages.get({ repo, packageName: person.name })).toEqual(person)
      expect(await api.packages.takeBack({ repo, agent })).toEqual({ count: 0, items: [] })
    })

    it('leaves a revert open that conflicts with later changes on main, and does not repeat it', async () => {
      const { api } = bench()
      const [one, two] = [
        await anArticleOnMain('One', { price: 1 }),
        await anArticleOnMain('Two', { price: 1 }),
      ]
      const { id: agent, work, named } = await anAgent()
      await api.packages.merge(await work('one', setPrice(one.id, 2)))
      await api.packages.merge(await work('two', setPrice(two.id, 2)))
      await api.items.update({ ...onMain(one), fields: { price: 9 } })
      const { items } = await api.packages.takeBack({ repo, agent })
      const revert = `revert-${named('one')}`
      expect(items.toSorted((a, b) => (a.packageName < b.packageName ? -1 : 1))).toEqual([
        { packageName: named('one'), action: 'revertOpen', revert, conflicts: 1 },
        { packageName: named('two'), action: 'reverted', revert: `revert-${named('two')}` },
      ])
      expect((await api.items.get(onMain(one))).fields).toMatchObject({ price: 9 })
      const open = { packageName: named('one'), action: 'revertOpen', revert }
      expect(await api.packages.takeBack({ repo, agent })).toEqual({ count: 1, items: [open] })
      const resolutions = [{ id: one.id, path: 'fields.price', use: 'ours' as const }]
      await api.packages.merge({ repo, packageName: revert, resolutions })
      expect((await api.items.get(onMain(one))).fields).toMatchObject({ price: 1 })
      expect(await api.packages.takeBack({ repo, agent })).toEqual({ count: 0, items: [] })
    })

    it('takes back the others if one fails, and says why', async () => {
      const { api } = bench()
      const item = await anArticleOnMain('Ink', { price: 1 })
      const { id: agent, work, named } = await anAgent()
      await api.packages.merge(await work('merged', setPrice(item.id, 2)))
      await work('open', setPrice(item.id, 3))
      const { id: role } = await api.roles.create({ name: 'Nobody', permissions: {} })
      await api.items.update({ ...onMain(item), writePerm: [role] })
      const publisher = await bench().as({ bundles: ['bundle.publisher'] })
      expect(await publisher.packages.takeBack({ repo, agent }, { ifMatch: 'PACK_x.9' })).toEqual({
        count: 2,
        items: [
          { packageName: named('open'), action: 'deleted' },
          {
            packageName: named('merged'),
            action: 'failed',
            error: { code: 'forbidden', message: expect.stringContaining(item.id) },
          },
        ],
      })
      expect((await api.items.get(onMain(item))).fields).toMatchObject({ price: 2 })
    })

    it('reverts under another name if somebody holds the usual one', async () => {
      const { api } = bench()
      const item = await anArticleOnMain('Ink', { price: 1 })
      const { id: agent, work, named } = await anAgent()
      await api.packages.merge(await work('merged', setPrice(item.id, 2)))
      const { api: other } = await anAgent()
      await other.packages.create({ repo, name: `revert-${named('merged')}` })
      expect((await api.packages.takeBack({ repo, agent })).items).toEqual([
        { packageName: named('merged'), action: 'reverted', revert: expect.stringMatching(/^revert-PACK_/) },
      ])
      expect((await api.items.get(onMain(item))).fields).toMatchObject({ price: 1 })
    })

    it('concerns packages that the agent made since a time, and is repeated by its key', async () => {
      const { api, scope } = bench()
      const item = await anArticleOnMain('Ink')
      const { id: agent, work, named } = await anAgent()
      await work('before', setPrice(item.id, 1))
      scope.clock.advance(60_000)
      const since = scope.clock.now()
      const after = await work('after', setPrice(item.id, 2))
      const once = { idempotencyKey: 'take-back-1' }
      const taken = await api.packages.takeBack({ repo, agent, since }, once)
      expect(taken).toEqual({ count: 1, items: [{ packageName: after.packageName, action: 'deleted' }] })
      expect(await api.packages.takeBack({ repo, agent, since }, once)).toEqual(taken)
      await failing(api.packages.takeBack({ repo, agent }, once), 'idempotency_mismatch')
      expect((await api.packages.list({ repo, agent })).items.map(({ name }) => name)).toEqual([
        named('before'),
      ])
    })

    it('needs the keys to merge and to delete, which no agent has', async () => {
      const { as, api, limited } = bench()
      const { id: agent, api: itself, work, named } = await anAgent()
      await work('open', (api, packageName) => api.items.create(anArticle({ name: 'New', packageName })))
      const editor = await as({ bundles: ['bundle.editor'] })
      const undeleting = await as({
        bundles: ['bundle.publisher'],
        overrides: { grant: [], revoke: ['packages.delete'] },
      })
      for (const caller of [itself, editor, undeleting])
        await failing(caller.packages.takeBack({ repo, agent }), 'forbidden')
      await failing(api.packages.takeBack({ repo: 'nowhere', agent }), 'not_found')
      const { id: role } = await api.roles.create({ name: 'Readers of a secret' })
      const packageName = named('open')
      await api.items.create(anArticle({ name: 'Secret', packageName, readPerm: [role] }))
      const { items } = await limited.packages.takeBack({ repo, agent })
      expect(items).toMatchObject([{ packageName, action: 'failed', error: { code: 'forbidden' } }])
    })
  })
}
