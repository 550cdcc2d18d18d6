// A test in Jest, which needs --experimental-vm-modules for packages that are ES modules.
import { createClient } from '@quire/client'
import { createMockQuire } from '@quire/client/mock'
import { fixedClock, seededIds } from '@quire/testkit'
import { setupServer } from 'msw/node'

// Jest provides them.
const { expect, test } = globalThis

test('the client talks to an engine in memory', async () => {
  const clock = fixedClock()
  const mock = await createMockQuire({ clock, ids: seededIds(1, clock) })
  const server = setupServer(...mock.handlers)
  server.listen()
  const client = createClient({ baseUrl: mock.baseUrl, auth: mock.auth })
  await client.repositories.create({ name: 'magazine' })
  const { items } = await client.repositories.list()
  expect(items.map(({ createdDate }) => createdDate)).toEqual([clock.now()])
  server.close()
})
