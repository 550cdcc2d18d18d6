// Tests of content logic without a service: the engine in memory, behind the same client.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@quire/client'
import { createMockQuire } from '@quire/client/mock'
import { fixedClock, seededIds } from '@quire/testkit'
import { setupServer } from 'msw/node'

await test('the client talks to an engine in memory, with the same times and ids in every run', async () => {
  const clock = fixedClock()
  const mock = await createMockQuire({ clock, ids: seededIds(1, clock) })
  const server = setupServer(...mock.handlers)
  server.listen()
  await mock.api.repositories.create({ name: 'magazine' })
  await mock.api.types.create({ name: 'article', fields: [] })
  const client = createClient({ baseUrl: mock.baseUrl, auth: mock.auth })
  const item = await client.items.create({ repositoryId: 'magazine', type: 'article', name: 'One' })
  equal(item.createdDate, clock.now())
  const { items } = await client.items.list({ configId: 'magazine' })
  deepEqual(
    items.map(({ name }) => name),
    ['One'],
  )
  server.close()
})
