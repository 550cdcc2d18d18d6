import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { articlesOnMain, inPackage, newPackage, onMain } from './package-steps.ts'
import type { Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo

/** The last decision about a package, and which agent made it. */
export function packageReviewTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const anArticleOnMain = articlesOnMain(bench)

  const decide = (ref: Ref, decision: 'request' | 'approve' | 'requestChanges') =>
    bench().api.packages.addComment({ ...ref, body: decision, decision })
  const stateOf = async (ref: Ref) => (await bench().api.packages.get(ref)).review?.state

  /** An approved package that changes an article, and another article that it only pins. */
  const approved = async () => {
    const { api } = bench()
    const ref = await newPackage(api)
    const item = await anArticleOnMain('Ink')
    await api.items.update({ ...inPackage(item, ref.packageName), fields: { price: 2 } })
    await decide(ref, 'approve')
    return { ref, item }
  }

  describe('the review of a package', () => {
    it('is its last decision, by which packages are listed', async () => {
      const { api, scope } = bench()
      const ref = await newPackage(api)
      const created = await api.packages.get(ref)
      expect(created.review).toBeNull()
      await api.packages.addComment({ ...ref, body: 'No decision' })
      expect(await api.packages.get(ref)).toEqual(created)
      const states = {
        request: 'requested',
        requestChanges: 'changesRequested',
        approve: 'approved',
      } as const
      for (const [decision, state] of Object.entries(states)) {
        const comment = await decide(ref, decision as keyof typeof states)
        const review = {
          state,
          date: scope.clock.now(),
          user: comment.createdByUser,
          commentId: comment.id,
        }
        const reviewed = { ...created, review }
        expect(await api.packages.get(ref)).toEqual(reviewed)
        expect((await api.packages.list({ repo, review: state })).items).toContainEqual(reviewed)
        expect((await api.packages.list({ repo, review: 'outdated' })).items).toEqual([])
      }
      expect(await invalidAt(api.packages.list({ repo, review: 'merged' as never }))).toEqual(['review'])
    })

    it('is outdated by the first change of content after its approval', async () => {
      const { api } = bench()
      const other = await anArticleOnMain('Other')
      const changes: Readonly<
        Record<string, (given: Awaited<ReturnType<typeof approved>>) => Promise<unknown>>
      > = {
        update: ({ ref, item }) =>
          api.items.update({ ...inPackage(item, ref.packageName), fields: { price: 3 } }),
        create: ({ ref: { packageName } }) => api.items.create(anArticle({ name: 'New', packageName })),
        publish: ({ ref, item }) => api.items.publish(inPackage(item, ref.packageName)),
        delete: ({ ref }) => api.items.delete(inPackage(other, ref.packageName)),
        folder: ({ ref: { packageName } }) => api.folders.create({ configId, packageName, name: 'New' }),
        addItem: ({ ref }) => api.packages.addItem({ ...ref, id: other.id }),
        removeChange: ({ ref, item }) => api.packages.removeChange({ ...ref, entityId: item.id }),
        sync: async ({ ref, item }) => {
          await api.items.update({ ...onMain(item), fields: { notes: 'Meanwhile' } })
          expect(await stateOf(ref)).toBe('approved')
          return api.packages.sync(ref)
        },
        graphql: ({ ref: { packageName } }) =>
          api.graphql.execute({
            configId,
            packageName,
            query: 'mutation { createArticle(input: { name: "New", fields: { title: "New" } }) { id } }',
          }),
        bulk: ({ ref: { packageName }, item }) =>
          api.items.bulk({
            configId,
            packageName,
            action: 'update',
            ids: [item.id],
            input: { name: 'In bulk' },
          }),
      }
      for (const [name, change] of Object.entries(changes)) {
        const given = await approved()
        const before = await api.packages.get(given.ref)
        await change(given)
        const after = await api.packages.get(given.ref)
        expect(after.review, name).toEqual({ ...before.review, state: 'outdated', date: expect.any(Number) })
      }
      expect((await api.packages.list({ repo, review: 'outdated' })).count).toBe(Object.keys(changes).length)
    })

    it('stays when nothing in the package changes, and after its merge', async () => {
      const { api } = bench()
      const { ref, item } = await approved()
      const unchanged = [
        () => api.items.update({ ...onMain(item), fields: { notes: 'On main' } }),
        () => api.items.create(anArticle({ name: 'On main' })),
        () => api.packages.update({ ...ref, description: 'Described' }),
        () => api.packages.addComment({ ...ref, body: 'Well done' }),
        () => api.packages.sync({ ...ref, dryRun: true }),
        () =>
          api.items.update({ ...inPackage(item, ref.packageName), fields: { price: -1 } }).catch(() => null),
        () => api.packages.merge(ref),
      ]
      for (const call of unchanged) {
        await call()
        expect(await stateOf(ref), String(call)).toBe('approved')
      }
    })

    it('of a package that was sent back or that nobody decided about is not outdated', async () => {
      const { api } = bench()
      const ref = await newPackage(api)
      const name = 'New'
      await api.items.create(anArticle({ name, packageName: ref.packageName }))
      expect(await stateOf(ref)).toBeUndefined()
      for (const [decision, state] of [
        ['request', 'requested'],
        ['requestChanges', 'changesRequested'],
      ] as const) {
        await decide(ref, decision)
        await api.items.create(anArticle({ name, packageName: ref.packageName }))
        expect(await stateOf(ref)).toBe(state)
      }
    })
  })

  describe('the agent of a package', () => {
    const anAgent = (more: object = {}) =>
      bench().as({ bundles: ['bundle.administrator'], branchOnly: true, ...more })
    const idOf = async (api: Api) => (await api.auth.myPermissions()).identity.id

    it('is no person who merely has few permissions', async () => {
      const global = ['packages.view', 'packages.create', 'packages.delete']
      const person = await bench().as({ permissions: { global } })
      expect((await person.packages.create({ repo, name: 'person/few' })).agent).toBeNull()
      await bench().api.packages.create({ repo, name: 'person/other' })
      await person.packages.delete({ repo, packageName: 'person/other' })
    })

    it('is the account that created it and can change nothing on main, with its program', async () => {
      const { api } = bench()
      const agent = await anAgent()
      const { id, name } = (await agent.auth.myPermissions()).identity
      const plain = await agent.packages.create({ repo, name: 'agent/one' })
      expect(plain.agent).toEqual({ id, name })
      const named = await agent.packages.create({ repo, name: 'agent/two' }, { program: 'translator 2' })
      expect(named.agent).toEqual({ id, name, program: 'translator 2' })
      expect((await api.packages.create({ repo, name: 'person/one' })).agent).toBeNull()
      const another = await (await anAgent()).packages.create({ repo, name: 'another/one' })
      const listed = async (agent: string) => (await api.packages.list({ repo, agent })).items
      expect(await listed(id)).toEqual([plain, named])
      expect(await listed('*')).toEqual([plain, named, another])
      expect(await listed('SVCA_none')).toEqual([])
    })

    it('is also that of a package made by create-and-save', async () => {
      const { system } = bench()
      const rule = await system.autoPackageRules.create({
        repositoryId: repo,
        name: 'All',
        types: ['author'],
      })
      const agent = await anAgent()
      await agent.autoPackage.createAndSave({
        repositoryId: repo,
        ruleId: rule.id,
        item: { type: 'author', name: 'Ada' },
        packageAction: 'createNew',
        newPackageName: 'agent/by a save',
      })
      const saved = await agent.packages.get({ repo, packageName: 'agent/by a save' })
      expect(saved.agent?.id).toBe(await idOf(agent))
      await system.autoPackageRules.delete({ id: rule.id })
    })

    it('and its review are null for a package that is older than they are', async () => {
      const { api, scope } = bench()
      const ref = await newPackage(api)
      const created = await api.packages.get(ref)
      await scope.store.transaction(async ({ records }) => {
        const stored = await records.get('package', created.id)
        if (!stored) throw new TypeError('The package is not stored.')
        const { revision, review: _review, agent: _agent, ...old } = stored
        await records.put('package', old, revision)
      })
      expect(await api.packages.get(ref)).toEqual(created)
      const { items } = await api.packages.list({ repo })
      expect(items).toContainEqual(created)
      expect((await api.packages.list({ repo, agent: '*' })).items).not.toContainEqual(created)
      await api.items.create(anArticle({ name: 'In an old one', packageName: ref.packageName }))
      expect((await api.packages.merge(ref)).package).toMatchObject({ review: null, agent: null })
    })
  })
}

interface Ref {
  readonly repo: string
  readonly packageName: string
}
