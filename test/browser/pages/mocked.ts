import { createClient, TokenError } from '@quire/client'
import { createMockQuire } from '@quire/client/mock'
import { setupWorker } from 'msw/browser'
import { edit } from './edit.ts'

/**
 * Runs the client with fetch, answered by the mock in a service worker on the page's own origin.
 */
export async function run() {
  const mock = await createMockQuire({ baseUrl: '/quire' })
  const worker = setupWorker(...mock.handlers)
  await worker.start({ onUnhandledFrame: 'error', quiet: true })
  const edited = await edit(createClient({ baseUrl: mock.baseUrl, auth: mock.auth }))
  const stranger = createClient({ baseUrl: mock.baseUrl, auth: { ...mock.auth, clientSecret: 'wrong' } })
  const refused: unknown = await stranger.roles.list().catch((error: unknown) => error)
  await worker.stop()
  await mock.quire.close()
  return { edited, refused: refused instanceof TokenError && refused.status }
}
