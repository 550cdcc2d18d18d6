import { createClient } from '@quire/client'
import { quireHandlers } from '@quire/client/mock'
import { createMemoryStore } from '@quire/core/memory'
import { apiSuite } from '@quire/testkit/suites'
import { setupServer } from 'msw/node'
import { authOf, engineOn, impatient } from './engine.ts'

const baseUrl = 'http://quire.test'

apiSuite('through the mock', async () => {
  const engine = engineOn(createMemoryStore(), { baseUrl })
  const server = setupServer(...quireHandlers({ quire: engine.quire, baseUrl }))
  server.listen()
  return {
    ...engine,
    connect: (caller) => createClient({ baseUrl, ...impatient, ...authOf(engine, caller) }),
    close: async () => {
      server.close()
      await engine.quire.close()
    },
  }
})
