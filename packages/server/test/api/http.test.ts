import { createClient } from '@quire/client'
import { createMemoryStore } from '@quire/core/memory'
import { apiSuite } from '@quire/testkit'
import { createServer } from '../../src/index.ts'
import { engineOn } from './engine.ts'

apiSuite('over HTTP', async () => {
  const engine = engineOn(createMemoryStore())
  const app = createServer({ quire: engine.quire, baseUrl: 'http://quire.test' })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...engine,
    connect: ({ id, secret }) => createClient({ baseUrl, auth: { clientId: id, clientSecret: secret } }),
    close: async () => {
      await app.close()
      await engine.quire.close()
    },
  }
})
