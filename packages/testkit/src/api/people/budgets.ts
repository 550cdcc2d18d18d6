import type { Api, Budget } from '@quire/contract'
import { createQuire } from '@quire/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle } from '../delivery/magazine.ts'
import { bytesOf, prepareFiles, textFile } from '../files/files.ts'
import { failing, invalidAt } from '../failing.ts'
import { everything, newAccount, type Bench } from '../host.ts'

const configId = 'magazine'
const dayMs = 86_400_000

/** Budgets of accounts, per day (UTC). */
export function budgetTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))

  /** A new administrator with a budget. */
  const limited = async (budget: Partial<Budget>) => {
    const { system, scope } = bench()
    const account = await newAccount(system, everything)
    await system.serviceAccounts.update({ id: account.id, settings: { budget } })
    const usage = async () => (await system.serviceAccounts.usage({ id: account.id })).budget
    return { ...account, api: scope.connect(account), usage }
  }

  const read = (api: Api) => api.items.list({ configId, limit: 1 })

  describe('a budget', () => {
    it('of calls refuses the next one, and says limit, use, and what to do until when', async () => {
      const { id, api, usage } = await limited({ calls: 2 })
      await read(api)
      await read(api)
      const { status, message, details } = await failing(read(api), 'budget_exceeded')
      const now = bench().scope.clock.now()
      const resetsAt = now - (now % dayMs) + dayMs
      expect(status).toBe(429)
      expect(message).toBe(
        `The account "${id}" has a budget of 2 calls a day, of which 2 are used: call again from ${new Date(resetsAt).toISOString()} on, or have settings.budget.calls raised.`,
      )
      expect(details).toEqual({
        budget: 'calls',
        limit: 2,
        used: 2,
        resetsAt,
        retryAfter: Math.ceil((resetsAt - now) / 1000),
      })
      expect(await usage()).toMatchObject({ calls: 2, bytes: null, usedCalls: 2, resetsAt })
      await failing(read(api), 'budget_exceeded')
      expect(await usage()).toMatchObject({ usedCalls: 2 })
    })

    it('begins anew at midnight UTC, and at once when it is raised', async () => {
      const { id, api, usage } = await limited({ calls: 1 })
      const { clock } = bench().scope
      await read(api)
      await failing(read(api), 'budget_exceeded')
      const { resetsAt = 0 } = (await usage()) ?? {}
      clock.advance(resetsAt - clock.now() - 1)
      await failing(read(api), 'budget_exceeded')
      clock.advance(1)
      await read(api)
      expect(await usage()).toMatchObject({ usedCalls: 1, resetsAt: resetsAt + dayMs })
      await failing(read(api), 'budget_exceeded')
      await bench().system.serviceAccounts.update({ id, settings: { budget: { calls: 2 } } })
      await read(api)
      await failing(read(api), 'budget_exceeded')
      await bench().system.serviceAccounts.update({ id, settings: { budget: { calls: null } } })
      await read(api)
    })

    it('of bytes counts what is sent and received, and refuses the call after the one that uses it up', async () => {
      const { api, usage } = await limited({ bytes: 20_000 })
      const name = 'x'.repeat(100)
      const before = (await usage())?.usedBytes ?? 0
      const { id } = await api.items.create(
        anArticle({ name, fields: { title: 'T', notes: 'n'.repeat(5000) } }),
      )
      const written = (await usage())?.usedBytes ?? 0
      // The notes are in the input and in the answer.
      expect(written - before).toBeGreaterThan(10_000)
      expect(written - before).toBeLessThan(13_000)
      await api.items.get({ configId, id })
      await api.items.get({ configId, id })
      const { message } = await failing(api.items.get({ configId, id }), 'budget_exceeded')
      expect(message).toContain('has a budget of 20000 bytes a day')
    })

    it('counts files that are sent and served by their size', async () => {
      const { api, usage } = await limited({ bytes: 1_000_000 })
      const used = async () => (await usage())?.usedBytes ?? 0
      const file = textFile('a'.repeat(2000))
      const { id: assetId } = await api.assets.create({ configId, type: 'document', name: 'Counted', file })
      const sent = await used()
      // The answer is an item.
      expect(sent).toBeGreaterThan(2500)
      expect(sent).toBeLessThan(4500)
      await bytesOf(api.assets.get({ configId, assetId, rendition: 'original' }))
      const whole = await used()
      expect(whole - sent).toBeGreaterThan(2000)
      expect(whole - sent).toBeLessThan(2200)
      const range = { start: 0, end: 9 }
      await bytesOf(api.assets.get({ configId, assetId, rendition: 'original' }, { range }))
      // In process the range is read; over HTTP the server cuts it out of the whole file.
      expect((await used()) - whole).toBeLessThan(2200)
      // An archive has no size until it has been read.
      await bytesOf(api.assets.zip({ configId, ids: [assetId] }))
      expect((await used()) - whole).toBeGreaterThan(200)
    })

    it('counts calls that fail, in GraphQL and in process too, but none of the process itself', async () => {
      const { id, api, usage } = await limited({ calls: 5 })
      await failing(api.items.get({ configId, id: 'CONT_none' }), 'not_found')
      expect(await invalidAt(api.items.create({ repositoryId: configId } as never))).not.toEqual([])
      await api.graphql.execute({ configId, query: '{ __typename }' })
      await bench().scope.quire.as({ kind: 'service', id }).auth.myPermissions()
      expect(await usage()).toMatchObject({ usedCalls: 4 })
      await read(api)
      await failing(api.graphql.execute({ configId, query: '{ __typename }' }), 'budget_exceeded')
    })

    it('of calls is never exceeded by calls that arrive together', async () => {
      const { api, usage } = await limited({ calls: 5 })
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => read(api)))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
      expect(await usage()).toMatchObject({ usedCalls: 5 })
    })

    it('is the same for every process on the store, and after a restart', async () => {
      const { store, clock } = bench().scope
      const { id, api } = await limited({ calls: 3 })
      const other = createQuire({ store, clock, jobs: 'elsewhere' }).as({ kind: 'service', id })
      await read(api)
      await read(other)
      await read(api)
      await failing(read(other), 'budget_exceeded')
      await failing(read(api), 'budget_exceeded')
      const restarted = createQuire({ store, clock, jobs: 'elsewhere' }).as({ kind: 'service', id })
      await failing(read(restarted), 'budget_exceeded')
    })

    it('of 0 lets no call through, and without one nothing is counted or reported', async () => {
      const { api } = await limited({ calls: 0 })
      await failing(read(api), 'budget_exceeded')
      const free = await limited({ calls: null, bytes: null })
      await read(free.api)
      expect(await free.usage()).toBeUndefined()
    })

    it('belongs to users too, and is a merge patch beside the quota', async () => {
      const { system, asUser } = bench()
      const id = 'budgeted@example.org'
      const roles = [(await system.roles.create({ name: 'Budgeted', bundles: ['bundle.viewer'] })).id]
      const made = await system.users.create({ id, name: 'B', roles, settings: { budget: { calls: 2 } } })
      const none = { bytes: null, items: null, versions: null }
      expect(made.settings).toEqual({ quota: none, budget: { calls: 2, bytes: null } })
      await system.users.update({ id, settings: { quota: { items: 7 } } })
      const { settings } = await system.users.update({ id, settings: { budget: { bytes: 1_000_000 } } })
      expect(settings).toEqual({ quota: { ...none, items: 7 }, budget: { calls: 2, bytes: 1_000_000 } })
      expect(await asUser(id).users.usage({ id })).toMatchObject({ budget: { calls: 2, usedCalls: 0 } })
      await read(asUser(id))
      await failing(read(asUser(id)), 'budget_exceeded')
      const wrong = system.users.update({ id, settings: { budget: { calls: -1 } } })
      expect(await invalidAt(wrong)).toEqual(['settings.budget.calls'])
    })

    it('is none in settings that are older than budgets', async () => {
      const { system, scope } = bench()
      const { id } = await system.serviceAccounts.create({ name: 'Older', settings: { quota: { items: 1 } } })
      await scope.store.transaction(async ({ records }) => {
        const stored = await records.get('serviceAccount', id)
        if (!stored?.settings) throw new Error('it is there')
        const { revision, settings, ...account } = stored
        await records.put('serviceAccount', { ...account, settings: { quota: settings.quota } }, revision)
      })
      const { settings } = await system.serviceAccounts.get({ id })
      expect(settings?.budget).toEqual({ calls: null, bytes: null })
    })
  })
}
