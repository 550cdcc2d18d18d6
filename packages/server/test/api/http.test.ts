import { createClient } from '@quire/client'
import { createMemoryStore } from '@quire/core/memory'
import { apiSuite } from '@quire/testkit/suites'
import { createServer, noRateLimits } from '../../src/index.ts'
import { authOf, engineOn, impatient } from './engine.ts'

// Client, server and store share one thread here, which is late on a busy machine. Refusals because
// of that have their own tests.
const load = { loopDelayMs: Infinity, inFlight: 1000, callerMs: Infinity }

apiSuite('over HTTP', async () => {
  const engine = engineOn(createMemoryStore())
  const app = createServer({ quire: engine.quire, baseUrl: 'http://quire.test', rates: noRateLimits, load })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...engine,
    connect: (caller) => createClient({ baseUrl, ...impatient, ...authOf(engine, caller) }),
    close: async () => {
      await app.close()
      await engine.quire.close()
    },
  }
})
