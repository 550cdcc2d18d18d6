import { expect, it } from 'vitest'
import { createQuire } from '../quire.ts'
import { createMemoryStore } from '../memory/index.ts'
import { systemIdentity } from '../access/identity.ts'

it('an overlong Idempotency-Key is refused before anything is done', async () => {
  const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
  await expect(
    api.repositories.create({ name: 'x' }, { idempotencyKey: 'k'.repeat(256) }),
  ).rejects.toMatchObject({ code: 'invalid' })
  expect((await api.repositories.list()).count).toBe(0)
})
