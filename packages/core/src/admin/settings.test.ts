import { expect, it } from 'vitest'
import { createQuire, systemIdentity } from '../index.ts'
import { createMemoryStore } from '../memory/index.ts'
import { currentSettings, settingsOf } from '../engine/settings.ts'

const defaults = { jobsKeptDays: 30, deliveriesKeptDays: 30, deletedItemsKeptDays: 30 }

it('are the defaults if nothing was ever set', () => {
  expect(settingsOf(null)).toEqual({ id: 'settings', ...defaults, updatedDate: null })
})

it('are the values that were set, and the defaults for the rest', () => {
  const record = { id: 'settings' as const, set: { jobsKeptDays: 7 }, updatedDate: 5 }
  expect(settingsOf(record)).toEqual({ id: 'settings', ...defaults, jobsKeptDays: 7, updatedDate: 5 })
})

it('take effect at once', async () => {
  const store = createMemoryStore()
  const quire = createQuire({ store })
  const { admin } = quire.as(systemIdentity('test'))
  expect(await currentSettings(store.records)).toMatchObject(defaults)
  await admin.updateSettings({ deliveriesKeptDays: 3 })
  expect(await currentSettings(store.records)).toMatchObject({ ...defaults, deliveriesKeptDays: 3 })
  await store.transaction(async (tx) => {
    expect((await currentSettings(tx.records)).deliveriesKeptDays).toBe(3)
  })
  await quire.close()
})
