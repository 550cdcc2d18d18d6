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
beforeEach(async () => {
  store = createMemoryStore()
  queueing = createQuire({ store, jobs: 'elsewhere' })
  working = createQuire({ store })
  api = queueing.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note', fields: [{ name: 'title', kind: 'text', localized: true }] })
  await api.items.create({ repositoryId: 'magazine', type: 'note', name: 'One', fields: { title: 'One' } })
})
afterEach(async () => {
  await queueing.close()
  await working.close()
})

/** Runs what is queued, and returns the job once it has ended. */
async function ended(jobId: string) {
  working.work()
  for await (const job of await working.as(systemIdentity('test')).queue.watch({ jobId }))
    if (job.finishedAt !== null) return job
  throw new Error(`The job ${jobId} has not ended.`)
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
    expect((await set(inBoth)).convert).toBe(0)
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

  it('runs with the rights that its caller has then', async () => {
    const role = await api.roles.create({
      name: 'Setters',
      permissions: { global: ['admin.repositories.update'] },
    })
    const { id } = await api.serviceAccounts.create({ name: 'Setter', roles: [role.id] })
    const setter = queueing.as({ kind: 'service', id })
    const { job } = await setter.repositories.setLocales({ id: 'magazine', locales: inEnglish })
    await api.roles.update({ id: role.id, permissions: {} })
    expect(await ended(job?.id ?? '')).toMatchObject({ state: 'failed' })
    expect(await localesNow()).toBeUndefined()
  })
})
