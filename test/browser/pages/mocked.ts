import { createClient, TokenError } from '@quire/client'
import { createMockQuire } from '@quire/client/mock'
import type { Api } from '@quire/contract'
import { setupWorker } from 'msw/browser'
import { edit } from './edit.ts'

/**
 * Runs the client with fetch, answered by the mock in a service worker on the page's own origin.
 */
export async function run() {
  const mock = await createMockQuire({ baseUrl: '/quire' })
  const worker = setupWorker(...mock.handlers)
  await worker.start({ onUnhandledFrame: 'error', quiet: true })
  const client = createClient({ baseUrl: mock.baseUrl, auth: mock.auth })
  const edited = await edit(client)
  const { text, length } = await storeFile(client)
  const wrongMethod = await fetch(`${mock.baseUrl}/oauth2/token`)
  const stranger = createClient({ baseUrl: mock.baseUrl, auth: { ...mock.auth, clientSecret: 'wrong' } })
  const refused: unknown = await stranger.roles.list().catch((error: unknown) => error)
  await worker.stop()
  await mock.quire.close()
  return {
    edited,
    text,
    length,
    allowed: [wrongMethod.status, wrongMethod.headers.get('allow')],
    refused: refused instanceof TokenError && refused.status,
  }
}

/** Sends a file as a form, and reads it. */
async function storeFile(client: Api): Promise<{ text: string; length: number | null }> {
  await client.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  const file = new File(['Gallnuts, öl'], 'ink.txt', { type: 'text/plain' })
  const { id: assetId } = await client.assets.create({ configId: 'magazine', name: 'Ink', file })
  const original = await client.assets.get({ configId: 'magazine', assetId, rendition: 'original' })
  return { text: new TextDecoder().decode(await original.bytes()), length: original.size }
}
