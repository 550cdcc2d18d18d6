import { expect, it, vi } from 'vitest'
import { createQuire, systemIdentity } from '../../index.ts'
import { createMemoryStore, fakeOutbound } from '../../memory/index.ts'
import { StoreUnavailable } from '../../ports/index.ts'

const url = 'https://hooks.example.com/'

it('a delivery whose item cannot be read is sent later, under the same id', async () => {
  const store = createMemoryStore()
  const outbound = fakeOutbound(() => ({ status: 204, headers: [], body: new Uint8Array(), isCut: false }))
  const logged: string[] = []
  const log = { write: (_level: string, event: string) => void logged.push(event) }
  let now = Date.now()
  const quire = createQuire({ store, outbound, log, clock: { now: () => now } })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note' })
  const hook = { repositoryId: 'magazine', name: 'Hook', url, events: ['ITEM_CREATED' as const] }
  const { id } = await api.webhooks.create(hook)
  const deliveries = async () => {
    await quire.settled()
    return (await api.webhooks.deliveries({ id })).items
  }

  const down = new StoreUnavailable('busy', 'The database does not answer.')
  vi.spyOn(store.entities, 'get').mockRejectedValueOnce(down)
  await api.items.create({ repositoryId: 'magazine', type: 'note', name: 'Ink' })
  const [waiting] = await deliveries()
  expect(waiting).toMatchObject({ state: 'queued', error: expect.stringContaining('could not be read') })
  expect(outbound.sent).toEqual([])
  expect(logged).toEqual(['job.failed'])

  now += 10_000
  await api.webhooks.test({ id })
  const [, sent] = await deliveries()
  expect(sent).toMatchObject({ id: waiting?.id, state: 'succeeded', error: null, event: 'ITEM_CREATED' })
  const ids = outbound.sent.map(({ headers }) => new Map(headers).get('webhook-id'))
  expect(ids).toHaveLength(2)
  expect(ids).toContain(waiting?.id)
})
