import type { Api, Locales } from '@quire/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createQuire, systemIdentity, type Quire } from '../../index.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Store } from '../../ports/index.ts'

const english = { code: 'en', name: 'English', fallback: null, direction: 'ltr' } as const
const german = { code: 'de', name: 'Deutsch', fallback: null, direction: 'ltr' } as const
const inEnglish: Locales = { default: 'en', list: [english] }
const inBoth: Locales = { default: 'en', list: [english, german] }

/** A store that two engines share: one queues the jobs, the other runs them once it is told to. */
let store: Store
let queueing: Quire
let working: Quire
let api: Api
/** Milliseconds by which the clock is ahead. */
let ahead: number
/** What happens once while the second engine reads items outside of a transaction. */
let whileReading: (() => Promise<void>) | null
beforeEach(async () => {
  store = createMemoryStore()
  whileReading = null
  ahead = 0
  const clock = { now: () => Date.now() + ahead }
  queueing = createQuire({ store, jobs: 'elsewhere', clock })
  working = createQuire({ clock, store: { ...store, entities: { ...store.entities, getMany: readMany } } })
  api = queueing.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note', fields: [{ name: 'title', kind: 'text', localized: true }] })
  await api.items.create({ repositoryId: 'magazine', type: 'note', name: 'One', fields: { title: 'One' } })
})
afterEach(async () => {
  await queueing.close()
  await working.close()
})

const readMany: Store['entities']['getMany'] = async (...asked) => {
  const then = whileReading
  whileReading = null
  await then?.()
  return store.entities.getMany(...asked)
}

/** Runs what is queued, and returns the job once it has ended. */
async function ended(jobId: string) {
  working.work()
  for await (const job of await working.as(systemIdentity('test')).queue.watch({ jobId }))
    if (job.finishedAt !== null) return job
  throw new Error(`The job ${jobId} has not ended.`)
}

/** A change that was queued by an account which may do nothing else, and which expires after a minute. */
async function queued() {
  const permissions = { global: ['admin.repositories.update' as const] }
  const role = await api.roles.create({ name: 'Setters', permissions })
  const account = { name: 'Setter', roles: [role.id], expiresAt: Date.now() + 60_000 }
  const { id } = await api.serviceAccounts.create(account)
  const setter = queueing.as({ kind: 'service', id })
  const { job } = await setter.repositories.setLocales({ id: 'magazine', locales: inEnglish })
  return { role, setter, job }
}

const set = (locales: Locales | null) => api.repositories.setLocales({ id: 'magazine', locales })
const localesNow = async () => (await api.repositories.get({ id: 'magazine' })).settings.locales

describe('a queued change of locales', () => {
  it('is joined by the same change, and another one is told its job', async () => {
    const { job } = await set(inEnglish)
    expect((await set(inEnglish)).job?.id).toBe(job?.id)
    await expect(set(inBoth)).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(job?.id ?? ''),
    })
    expect(await ended(job?.id ?? '')).toMatchObject({ state: 'succeeded', error: null })
    expect(await localesNow()).toEqual(inEnglish)
    expect(await set(inEnglish)).toEqual({ convert: null, lose: null, unpublish: null, job: null })
  })

  it('fails and changes nothing once the locales are others', async () => {
    const { job } = await set(inEnglish)
    await api.repositories.update({ id: 'magazine', settings: { locales: inBoth }, migrate: true })
    expect(await ended(job?.id ?? '')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('plan the change again'),
    })
    expect(await localesNow()).toEqual(inBoth)
  })

  it('is not joined by the same change of other locales', async () => {
    const { job } = await set(inEnglish)
    await api.repositories.update({ id: 'magazine', settings: { locales: inBoth }, migrate: true })
    await expect(set(inEnglish)).rejects.toMatchObject({ message: expect.stringContaining(job?.id ?? '') })
  })

  it('fails if a package has changed an item meanwhile', async () => {
    const { job } = await set(inEnglish)
    await api.packages.create({ repo: 'magazine', name: 'autumn' })
    const {
      items: [item],
    } = await api.items.list({ configId: 'magazine' })
    await api.items.update({
      configId: 'magazine',
      packageName: 'autumn',
      id: item?.id ?? '',
      fields: { title: 'Other' },
    })
    expect(await ended(job?.id ?? '')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('open packages'),
    })
    expect(await localesNow()).toBeUndefined()
  })

  it('is followed by its caller, and runs with the rights that they have when it writes', async () => {
    const { role, setter, job } = await queued()
    expect(await setter.queue.get({ jobId: job?.id ?? '' })).toMatchObject({ state: 'queued' })
    whileReading = async () => void (await api.roles.update({ id: role.id, permissions: {} }))
    expect(await ended(job?.id ?? '')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('that you may see'),
    })
    expect(await localesNow()).toBeUndefined()
  })

  it('is refused before its items are read if its caller has lost the right', async () => {
    const { role, job } = await queued()
    await api.roles.update({ id: role.id, permissions: {} })
    let reads = 0
    whileReading = async () => void (reads += 1)
    expect(await ended(job?.id ?? '')).toMatchObject({ state: 'failed', progress: { total: 0 } })
    expect(reads).toBe(0)
  })

  it('is refused once the account of its caller has expired', async () => {
    const { job } = await queued()
    ahead = 120_000
    expect((await ended(job?.id ?? '')).state).toBe('failed')
    expect(await localesNow()).toBeUndefined()
  })
})

it('a dry run lets others write while it reads', async () => {
  const name = 'Written meanwhile'
  whileReading = async () =>
    void (await api.items.create({ repositoryId: 'magazine', type: 'note', name, fields: {} }))
  const planning = working.as(systemIdentity('test'))
  const asked = { id: 'magazine', locales: inEnglish, dryRun: true }
  expect(await planning.repositories.setLocales(asked)).toEqual({
    convert: 1,
    lose: 0,
    unpublish: 0,
    job: null,
  })
  expect((await api.items.list({ configId: 'magazine', filter: { name } })).count).toBe(1)
})
