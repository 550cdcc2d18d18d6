import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { failing, invalidAt } from '../failing.ts'
import { everything, newAccount, type Bench } from '../host.ts'

const configId = 'magazine'
const program = 'writer/1.2 (test)'

/** What programs leave in the activity. */
export function agentTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const article = (name: string) => anArticle({ name, fields: { title: name } })

  describe('the program of a call', () => {
    it('is in the entries of the call, in every log, and in no other', async () => {
      const { api } = bench()
      const { id } = await api.items.create(article('By a program'), { program })
      await api.items.publish({ configId, id }, { program })
      await api.items.update({ configId, id, name: 'By hand' })
      const log = await api.activity.list({ configId, entityId: id })
      expect(log.items.map((entry) => entry.program)).toEqual([undefined, program, program])
      const { activity } = await api.activity.get({ configId, assetId: id })
      expect(activity.map((entry) => entry.program)).toEqual([undefined, program, program])
      await api.roles.create({ name: 'By a program' }, { program })
      const [newest] = (await api.security.audit({ limit: 1 })).items
      expect(newest).toMatchObject({ event: 'ROLE_CREATED', program })
    })

    it('is in the entries of everything that the call does', async () => {
      const { api } = bench()
      const { id: one } = await api.items.create(article('One of two'))
      const { id: two } = await api.items.create(article('Two of two'))
      await api.items.bulk({ configId, ids: [one, two], action: 'publish' }, { program })
      const { items } = await api.activity.list({ configId, event: 'ITEM_PUBLISHED', limit: 2 })
      expect(items.map((entry) => entry.program)).toEqual([program, program])
    })

    it.each(['', ' ', 'x'.repeat(201)])(
      'is left out if it is %j, and the call succeeds',
      async (unusable) => {
        const { api } = bench()
        const { id } = await api.items.create(article('Unnamed'), { program: unusable })
        const [entry] = (await api.activity.list({ configId, entityId: id })).items
        expect(entry).not.toHaveProperty('program')
      },
    )
  })
  describe('the calls of an agent', () => {
    /** A new account with the API for it. */
    const anAgent = async (rights: Parameters<typeof newAccount>[1] = everything, branchOnly = true) => {
      const { system, scope } = bench()
      const account = await newAccount(system, rights)
      await system.serviceAccounts.update({ id: account.id, branchOnly })
      return { ...account, api: scope.connect(account) }
    }

    /** The calls of an account in the log of the magazine, and those without a repository. */
    const callsOf = async (user: string) => {
      const { system } = bench()
      const { items } = await system.activity.list({ configId, event: 'AGENT_CALLED', user })
      const audit = await system.security.audit({ event: 'AGENT_CALLED', limit: 1000 })
      const elsewhere = audit.items.filter((entry) => entry.user.userName === user)
      const outcomes = [...items, ...elsewhere].map(({ call }) => `${call?.operation} ${call?.outcome}`)
      return { items, elsewhere, outcomes }
    }

    it('are recorded each, with their outcome, whatever they did', async () => {
      const { id, api } = await anAgent()
      await api.packages.create({ repo: configId, name: 'by an agent' })
      const packageName = 'by an agent'
      await api.items.create({ ...article('By an agent'), packageName }, { program, requestId: 'agent-1' })
      await failing(api.items.create(article('Refused')), 'forbidden')
      await failing(api.items.get({ configId, id: 'CONT_none' }), 'not_found')
      await invalidAt(api.items.create({ repositoryId: configId } as never))
      await failing(api.roles.create({ name: 'Refused' }), 'forbidden')
      await api.auth.myPermissions()
      const { items, elsewhere, outcomes } = await callsOf(id)
      expect(outcomes).toEqual([
        'items.create invalid',
        'items.get not_found',
        'items.create forbidden',
        'items.create ok',
        'packages.create ok',
        'auth.myPermissions ok',
        'roles.create forbidden',
      ])
      expect(elsewhere.every(({ entityId, entityType }) => entityId === id && entityType === 'account')).toBe(
        true,
      )
      const [entry] = items.slice(3)
      expect(entry).toMatchObject({
        event: 'AGENT_CALLED',
        entity: { kind: 'account', id, type: null, name: expect.stringContaining('Account') },
        version: null,
        packageName,
        program,
        requestId: 'agent-1',
        user: { userName: id },
      })
      expect(entry?.call?.bytes).toBeGreaterThan(300)
      expect(entry).not.toHaveProperty('comment')
      expect(entry?.call).not.toHaveProperty('warning')
    })

    it('are recorded once for a call that calls others', async () => {
      const { id, api } = await anAgent()
      await api.packages.create({ repo: configId, name: 'of a mutation' })
      const mutation = `mutation { createArticle(input: { name: "By GraphQL", title: "T" }) { id } }`
      await api.graphql.execute({ configId, packageName: 'of a mutation', query: mutation })
      expect((await callsOf(id)).outcomes).toEqual(['graphql.execute ok', 'packages.create ok'])
    })

    it('are in no log, count or stream that does not ask for them', async () => {
      const { system } = bench()
      const { api } = await anAgent()
      const counts = async () => [
        (await system.activity.list({ configId, limit: 1 })).count,
        (await system.security.audit({ limit: 1 })).count,
      ]
      const before = await counts()
      await api.items.list({ configId })
      await api.auth.myPermissions()
      expect(await counts()).toEqual(before)
      const [newest] = (await system.activity.list({ configId, limit: 1 })).items
      expect(newest?.event).not.toBe('AGENT_CALLED')
      const [audited] = (await system.security.audit({ limit: 1 })).items
      expect(audited?.event).not.toBe('AGENT_CALLED')
    })

    it('count for a role that is branchOnly, but not for a plain reader', async () => {
      const limited = await anAgent({ bundles: ['bundle.editor'], branchOnly: true }, false)
      const reader = await anAgent({ bundles: ['bundle.viewer'] }, false)
      for (const { api } of [limited, reader]) await api.items.list({ configId })
      expect((await callsOf(limited.id)).outcomes).toEqual(['items.list ok'])
      expect((await callsOf(reader.id)).outcomes).toEqual([])
    })

    it('that came by a transport for agents are recorded with a warning if the account may change main', async () => {
      const { quire } = bench().scope
      const plain = await anAgent(everything, false)
      const limited = await anAgent()
      for (const { id } of [plain, limited])
        await quire.run({
          group: 'items',
          operation: 'list',
          principal: { kind: 'service', id },
          input: { configId },
          origin: { isAgent: true },
        })
      const callOf = async (id: string) => (await callsOf(id)).items.map(({ call }) => call?.warning)
      expect(await callOf(plain.id)).toEqual(['not_branch_only'])
      expect(await callOf(limited.id)).toEqual([undefined])
      const { system } = bench()
      expect(await system.activity.list({ configId, event: 'AGENT_CALLED', user: 'nobody' })).toMatchObject({
        count: 0,
        items: [],
      })
    })

    it('name no repository that the account may not see', async () => {
      const { system } = bench()
      await system.repositories.create({ name: 'out-of-reach' })
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const { id, api } = await anAgent({ permissions: { repos: { [repositoryId]: ['items.read'] } } })
      await failing(api.items.list({ configId: 'out-of-reach' }), 'not_found')
      const { items } = await system.activity.list({ configId: 'out-of-reach', event: 'AGENT_CALLED' })
      expect(items).toEqual([])
      expect((await callsOf(id)).outcomes).toEqual(['items.list not_found'])
    })

    it('beyond a budget are recorded once a day', async () => {
      const { system } = bench()
      const { id, api } = await anAgent()
      await system.serviceAccounts.update({ id, settings: { budget: { calls: 1 } } })
      await api.items.list({ configId })
      for (const _ of [1, 2, 3]) await failing(api.items.list({ configId }), 'budget_exceeded')
      expect((await callsOf(id)).outcomes).toEqual(['items.list budget_exceeded', 'items.list ok'])
    })
  })
}
