import { expect, it } from 'vitest'
import { createMemoryStore } from '../../memory/index.ts'
import { systemIdentity } from '../../engine/access/identity.ts'
import { createQuire } from '../../quire.ts'

it('yields to the event loop between the items of a type that changes', async () => {
  const engine = createQuire({ store: createMemoryStore() })
  const api = engine.as(systemIdentity('test'))
  await api.repositories.create({ name: 'r' })
  const fieldsOf = (kind: 'text' | 'number') => [{ name: 'a', kind }]
  const { id } = await api.types.create({ name: 'row', fields: fieldsOf('text') })
  for (let index = 0; index < 300; index += 1)
    await api.items.create({ repositoryId: 'r', type: 'row', name: `n${index}`, fields: { a: `${index}` } })
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 1)
  const start = performance.now()
  await api.types.update({ id, fields: fieldsOf('number'), migrate: true })
  const took = performance.now() - start
  clearInterval(timer)
  // Work continues for at most a few milliseconds before it yields.
  expect(ticks).toBeGreaterThan(took / 20)
  await engine.close()
})
