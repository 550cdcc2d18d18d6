import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aFolder, aNote, openEngine, openReceiver, prepare, serve } from './service.ts'

// No SDK is registered in this file.
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const otherTraceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`
const system = systemIdentity('test')

/** A service whose webhook goes to a receiver. */
async function open() {
  const { url, received } = await openReceiver()
  const quire = await openEngine(aFolder())
  onTestFinished(() => quire.close())
  const api = quire.as(system)
  await prepare(api, url)
  return { ...(await serve(quire)), quire, api, url, received }
}

it('the trace of a request reaches the webhook, through another engine on the store', async () => {
  const { url, received } = await openReceiver()
  const folder = aFolder()
  const first = await openEngine(folder, { jobs: 'elsewhere' })
  await prepare(first.as(system), url)
  const { send, entries } = await serve(first)
  const headers = { traceparent, tracestate: 'vendor=1' }
  expect((await send('/api/items', aNote('Ink', headers))).status).toBe(201)
  await expect.poll(() => entries.at(-1)).toMatchObject({ status: 201, traceId })
  const jobs = await (await send('/api/queue?kind=webhook.deliver')).text()
  expect(jobs).toContain('webhook.deliver')
  expect(jobs).not.toContain(traceId)
  await first.close()
  expect(received).toEqual([])

  const second = await openEngine(folder)
  second.work()
  await expect.poll(() => received.length).toBe(1)
  await second.close()
  expect(received[0]?.headers).toMatchObject({ traceparent, tracestate: 'vendor=1' })
})

describe('a delivery', () => {
  it('without a trace has no header of one, also when the one that was sent is malformed', async () => {
    const { send, quire, received, entries } = await open()
    await send('/api/items', aNote('Ink'))
    await send('/api/items', aNote('Pen', { traceparent: traceparent.toUpperCase(), tracestate: 'vendor=1' }))
    await quire.settled()
    expect(received).toHaveLength(2)
    for (const { headers } of received) {
      expect(headers).not.toHaveProperty('traceparent')
      expect(headers).not.toHaveProperty('tracestate')
    }
    for (const entry of entries) expect(entry).not.toHaveProperty('traceId')
  })

  it('that is sent again belongs to the request that asked for it', async () => {
    const { send, quire, api, received } = await open()
    await send('/api/items', aNote('Ink', { traceparent }))
    await quire.settled()
    const [hook] = (await api.webhooks.list({})).items
    const [delivery] = (await api.webhooks.deliveries({ id: hook?.id ?? '' })).items
    const path = `/api/admin/webhooks/${hook?.id}/deliveries/${delivery?.id}/redeliver`
    const init = { method: 'POST', headers: { traceparent: otherTraceparent } }
    expect((await send(path, init)).status).toBe(202)
    await quire.settled()
    expect(received.map(({ headers }) => headers['traceparent'])).toEqual([traceparent, otherTraceparent])
  })

  it('keeps the header that its webhook sets', async () => {
    const { send, quire, api, received } = await open()
    const [hook] = (await api.webhooks.list({})).items
    const headers = [{ name: 'Traceparent', value: 'of-the-owner' }]
    await api.webhooks.update({ id: hook?.id ?? '', headers })
    await send('/api/items', aNote('Ink', { traceparent, tracestate: 'vendor=1' }))
    await quire.settled()
    expect(received[0]?.headers).toMatchObject({ traceparent: 'of-the-owner' })
    expect(received[0]?.headers).not.toHaveProperty('tracestate')
  })
})

it('requests to models and engines carry the trace', async () => {
  const { send, api, url, received } = await open()
  const { id: accessId } = await api.admin.generateKey({
    name: 'Model',
    type: 'openai',
    baseUrl: url,
    apiKey: 'key',
  })
  const engine = await api.workflowConnections.create({ name: 'Engine', baseUrl: url, callbackBaseUrl: url })
  const headers = { traceparent, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
  expect((await send(`/api/ai/${accessId}/chat/completions`, { method: 'POST', headers, body })).status).toBe(
    200,
  )
  const path = `/api/admin/workflow/connections/${engine.id}/test`
  expect((await send(path, { method: 'POST', headers: { traceparent } })).status).toBe(200)
  expect(received.map((one) => [one.method, one.headers['traceparent']])).toEqual([
    ['POST', traceparent],
    ['GET', traceparent],
  ])
})

it('a page of another origin may send the headers', async () => {
  const { send } = await open()
  const asked = 'traceparent,tracestate'
  const headers = {
    origin: 'https://www.example.org',
    'access-control-request-method': 'GET',
    'access-control-request-headers': asked,
  }
  const answer = await send('/api/published/items/magazine', { method: 'OPTIONS', headers })
  expect(answer.headers.get('access-control-allow-headers')).toBe(asked)
})

it('a job that calls an operation does not pass the trace as input', async () => {
  let now = Date.now()
  const quire = createQuire({ store: createMemoryStore(), clock: { now: () => now } })
  onTestFinished(() => quire.close())
  const api = quire.as(system)
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note' })
  const { id } = await api.items.create({ repositoryId: 'magazine', type: 'note', name: 'Ink' })
  const input = { configId: 'magazine', id, at: now + 60_000 }
  const origin = { trace: { traceparent } }
  await quire.run({ group: 'items', operation: 'publish', principal: system, input, origin })
  now += 61_000
  quire.work()
  await quire.settled()
  await expect.poll(async () => (await api.items.get({ configId: 'magazine', id })).isPublished).toBe(true)
})
