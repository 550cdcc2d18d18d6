import { fakePeers } from '@quire/testkit'
import { expect, it } from 'vitest'
import { createMemoryStore, memorySecrets } from './memory/index.ts'
import { createQuire, systemIdentity } from './index.ts'

/** Two engines on one store that notify each other. */
async function twoEngines() {
  const [store, secrets] = [createMemoryStore(), memorySecrets()]
  const [peers, others] = fakePeers(2)
  const one = createQuire({ store, secrets, ...(peers && { peers }) })
  const other = createQuire({ store, secrets, ...(others && { peers: others }) })
  const api = one.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note', fields: [] })
  return { one, other, api }
}

it('an event stream of one engine immediately delivers what another engine commits', async () => {
  const { one, other, api } = await twoEngines()
  const stream = await other.as(systemIdentity('reader')).events.stream()
  const first = (async () => {
    for await (const { event } of stream) return event
    return null
  })()
  const started = performance.now()
  await api.items.create({ repositoryId: 'magazine', type: 'note', name: 'Ink' })
  expect(await first).toBe('ITEM_CREATED')
  // Polling would take a second.
  expect(performance.now() - started).toBeLessThan(900)
  await Promise.all([one.close(), other.close()])
})
