import { expect, it } from 'vitest'
import type { Store } from '../ports/index.ts'
import { createQuire } from '../quire.ts'
import { createMemoryStore } from '../memory/index.ts'
import { systemIdentity } from './access/identity.ts'

it('an overlong Idempotency-Key is refused before anything is done', async () => {
  const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
  await expect(
    api.repositories.create({ name: 'x' }, { idempotencyKey: 'k'.repeat(256) }),
  ).rejects.toMatchObject({ code: 'invalid' })
  expect((await api.repositories.list()).count).toBe(0)
})

it('does not store a secret of an answer in plain text', async () => {
  const store = createMemoryStore()
  const stored: string[] = []
  const watched: Store = {
    ...store,
    transaction: (work) =>
      store.transaction((tx) =>
        work({
          ...tx,
          ephemera: {
            ...tx.ephemera,
            put: (key, value, expires) => tx.ephemera.put(key, noted(value), expires),
          },
        }),
      ),
  }
  const noted = (value: string) => {
    stored.push(value)
    return value
  }
  const api = createQuire({ store: watched }).as(systemIdentity('test'))
  const first = await api.serviceAccounts.create({ name: 'x' }, { idempotencyKey: 'k' })
  expect(stored).toHaveLength(1)
  expect(stored[0]).not.toContain(first.secret)
  expect(await api.serviceAccounts.create({ name: 'x' }, { idempotencyKey: 'k' })).toEqual(first)
})
