import { createQuire, systemIdentity } from '@quire/core'
import { expect, it, onTestFinished } from 'vitest'
import { aFolder } from '../../test/cli.ts'
import {
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../../test/services/postgres.ts'
import { type Storage, openStorage } from './storage.ts'

/** The number of characters stored for an idempotency key of a created item, and of the answer. */
async function storedFor({ store, secrets }: Storage) {
  const quire = createQuire({ store, secrets })
  onTestFinished(() => quire.close())
  const api = quire.as(systemIdentity('test'))
  const { id: repositoryId } = await api.repositories.create({ name: 'shop' })
  await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
  const create = () =>
    api.items.create(
      { repositoryId, type: 'note', name: 'Ink', fields: { text: 'Ink that remembers. '.repeat(30) } },
      { idempotencyKey: 'once' },
    )
  const first = await create()
  expect(await create()).toEqual(first)
  const sealed = await store.ephemera.get('idempotency:system:test:once', 0)
  return { stored: sealed?.length ?? 0, answered: JSON.stringify(first).length }
}

it('the answer to an idempotency key takes less room than the answer', async () => {
  const { stored, answered } = await storedFor(await openStorage({ data: aFolder() }))
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(answered)
})

it.skipIf(testDatabase === null)(`also on PostgreSQL ${location}`, async () => {
  const schema = testSchema()
  onTestFinished(() => dropSchema(schema))
  const database = { url: databaseUrl(), schema }
  const { stored, answered } = await storedFor(await openStorage({ data: aFolder(), database }))
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(answered)
})
