import { fakePeers } from '@quire/testkit'
import { expect, it, vi } from 'vitest'
import { createMemoryStore, memorySecrets } from './memory/index.ts'
import { createQuire, systemIdentity, type QuireOptions } from './index.ts'

/** Two engines on one store, which hear of each other; the second looks after the queue. */
async function twoEngines(options: Pick<QuireOptions, 'jobs'> = {}) {
  const [store, secrets] = [createMemoryStore(), memorySecrets()]
  const [peers, others] = fakePeers(2)
  const one = createQuire({ store, secrets, ...(peers && { peers }), ...options })
  const other = createQuire({ store, secrets, ...(others && { peers: others }) })
  other.work()
  const api = one.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note', fields: [] })
  return { one, other, api }
}

it('a job that one engine queues and does not do itself is done by another at once', async () => {
  const { one, other, api } = await twoEngines({ jobs: 'elsewhere' })
  const { message } = await api.admin.process({ id: 'magazine', syncDocs: true })
  const [jobId = ''] = /JOB_\w+/.exec(message) ?? []
  const started = performance.now()
  await vi.waitFor(async () => expect(await api.queue.get({ jobId })).toMatchObject({ state: 'succeeded' }))
  // It would look by itself after a second.
  expect(performance.now() - started).toBeLessThan(900)
  await Promise.all([one.close(), other.close()])
})

it('a stream of events in one engine tells at once what another one committed', async () => {
  const { one, other, api } = await twoEngines()
  const stream = await other.as(systemIdentity('reader')).events.stream()
  const first = (async () => {
    for await (const { event } of stream) return event
    return null
  })()
  const started = performance.now()
  await api.items.create({ repositoryId: 'magazine', type: 'note', name: 'Ink' })
  expect(await first).toBe('ITEM_CREATED')
  // It would look by itself after a second.
  expect(performance.now() - started).toBeLessThan(900)
  await Promise.all([one.close(), other.close()])
})
