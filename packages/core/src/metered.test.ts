import { beforeEach, expect, it, vi } from 'vitest'
import type { Api, Budget } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from './index.ts'
import { createMemoryStore, fixedClock } from './memory/index.ts'
import type { Store } from './ports/index.ts'

const configId = 'magazine'

let store: Store
let quire: Quire
let api: Api
const logged: string[] = []

beforeEach(async () => {
  logged.length = 0
  store = { ...createMemoryStore() }
  const log = { write: (_level: string, event: string) => void logged.push(event) }
  quire = createQuire({ store, clock: fixedClock(), jobs: 'elsewhere', log })
  api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: configId })
})

/** The API of a new account. */
async function as(
  bundle: string,
  more: { branchOnly?: boolean; budget?: Partial<Budget> } = {},
): Promise<Api> {
  const { branchOnly = false, budget } = more
  const roles = [(await api.roles.create({ name: crypto.randomUUID(), bundles: [bundle] })).id]
  const settings = budget && { settings: { budget } }
  const { id } = await api.serviceAccounts.create({ name: 'A', roles, branchOnly, ...settings })
  return quire.as({ kind: 'service', id })
}

it.each([
  { who: 'an account without a budget', bundle: 'bundle.editor', more: {}, cost: [0, 0] },
  { who: 'a reader', bundle: 'bundle.viewer', more: {}, cost: [0, 0] },
  { who: 'an account with a budget', bundle: 'bundle.editor', more: { budget: { calls: 9 } }, cost: [1, 1] },
  { who: 'an agent', bundle: 'bundle.editor', more: { branchOnly: true }, cost: [0, 1] },
])('a read of $who costs $cost reads of the store and transactions', async ({ bundle, more, cost }) => {
  const caller = await as(bundle, more)
  await caller.items.list({ configId })
  const reads = vi.spyOn(store.ephemera, 'get')
  const transactions = vi.spyOn(store, 'transaction')
  await caller.items.list({ configId })
  expect([reads.mock.calls.length, transactions.mock.calls.length]).toEqual(cost)
})

it('a call succeeds although its entry cannot be written, and counts in this process', async () => {
  const caller = await as('bundle.editor', { branchOnly: true, budget: { calls: 2, bytes: null } })
  await caller.items.list({ configId })
  const failing = vi.spyOn(store, 'transaction').mockRejectedValue(new Error('the disk is gone'))
  await caller.items.list({ configId })
  expect(logged).toEqual(['call.not-recorded'])
  failing.mockRestore()
  await expect(caller.items.list({ configId })).rejects.toMatchObject({ code: 'budget_exceeded' })
  const { items } = await api.activity.list({ configId, event: 'AGENT_CALLED' })
  expect(items.map(({ call }) => call?.outcome)).toEqual(['budget_exceeded', 'ok'])
})

it('calls that are under way count, also when they fail', async () => {
  const caller = await as('bundle.editor', { budget: { calls: 2 } })
  const [first, second] = [caller.items.list({ configId }), caller.items.get({ configId, id: 'CONT_none' })]
  await expect(caller.items.list({ configId })).rejects.toMatchObject({ code: 'budget_exceeded' })
  await first
  await expect(second).rejects.toMatchObject({ code: 'not_found' })
  await expect(caller.items.list({ configId })).rejects.toMatchObject({ code: 'budget_exceeded' })
})

it('a call that its caller aborts is recorded as aborted', async () => {
  const caller = await as('bundle.editor', { branchOnly: true })
  const leaving = new AbortController()
  const reason = new Error('left')
  leaving.abort(reason)
  await expect(caller.items.list({ configId }, { signal: leaving.signal })).rejects.toBe(reason)
  const { items } = await api.activity.list({ configId, event: 'AGENT_CALLED' })
  expect(items.map(({ call }) => call?.outcome)).toEqual(['aborted'])
})

it('an archive counts as far as it was read', async () => {
  const caller = await as('bundle.editor', { budget: { bytes: 1e6 } })
  const file = new File(['x'.repeat(500)], 'x.txt')
  await api.types.create({ name: 'document', settings: { isAsset: true }, fields: [] })
  const { id } = await api.assets.create({ configId, type: 'document', name: 'X', file })
  const used = async () => {
    const { identity } = await caller.auth.myPermissions()
    return (await api.serviceAccounts.usage({ id: identity.id })).budget?.usedBytes ?? 0
  }
  const before = await used()
  const unread = await caller.assets.zip({ configId, ids: [id] })
  const started = await used()
  expect(unread.size).toBeNull()
  expect((await unread.bytes()).length).toBeGreaterThan(500)
  const both = (await used()) - started
  // Twice the answer about the permissions, and once the archive.
  expect(both - (started - before)).toBeGreaterThan(400)
})
