import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Streamed } from '@quire/contract/api'
import { expect, it, onTestFinished } from 'vitest'
import { createClient, type Client, type ClientOptions } from './index.ts'

/** A client of a server that answers with the handler of the test. */
async function clientOf(
  answer: (response: ServerResponse, request: IncomingMessage) => unknown,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const server = createServer((request, response) => answer(response, request))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createClient({ baseUrl, auth: { token: 'token' }, retry: { limit: 0 }, ...options })
}

const head = { 'content-type': 'text/event-stream', 'x-request-id': 'REQ_1' }
const eventOf = (entityId: string) => `id: 1\nevent: ITEM_CREATED\ndata: ${JSON.stringify({ entityId })}\n\n`

async function idsOf(stream: Streamed<{ entityId: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { entityId } of stream) ids.push(entityId)
  return ids
}

it('reads events to the end of the stream, however their text is cut', async () => {
  const bytes = Buffer.from(`retry: 2000\n\n${eventOf('墨')}:\n\n${eventOf('two')}${eventOf('three')}`)
  const client = await clientOf(async (response, { headers }) => {
    expect(headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer token' })
    response.writeHead(200, head)
    for (const byte of bytes) {
      response.write(Buffer.of(byte))
      if (byte > 127 || byte === 10) await wait(2)
    }
    response.end()
  })
  expect(await idsOf(await client.events.stream())).toEqual(['墨', 'two', 'three'])
})

it('closes the connection when it is left, even while it is waiting', async () => {
  const closed: Promise<unknown>[] = []
  const client = await clientOf((response) => {
    closed.push(once(response, 'close'))
    response.writeHead(200, head).write(eventOf('one'))
  })
  for await (const { entityId } of await client.events.stream()) {
    expect(entityId).toBe('one')
    break
  }
  await closed[0]
  const iterator = (await client.events.stream())[Symbol.asyncIterator]()
  await iterator.next()
  const waiting = iterator.next()
  await iterator.return?.()
  expect(await waiting).toEqual({ done: true, value: undefined })
  await closed[1]
})

it('can be silent for longer than the time limit of other responses', async () => {
  const client = await clientOf(
    async (response) => {
      response.writeHead(200, head).flushHeaders()
      await wait(200)
      response.end(eventOf('late'))
    },
    { timeoutMs: 50 },
  )
  expect(await idsOf(await client.events.stream())).toEqual(['late'])
})

it('throws the reason of the signal, whether it is waiting or not', async () => {
  const client = await clientOf((response) => void response.writeHead(200, head).write(eventOf('one')))
  const controller = new AbortController()
  const iterator = (await client.events.stream({}, { signal: controller.signal }))[Symbol.asyncIterator]()
  await iterator.next()
  const waiting = iterator.next()
  const reason = new Error('enough')
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(iterator.next()).rejects.toBe(reason)
})

it('distinguishes a stream that breaks off from one that ends', async () => {
  const client = await clientOf((response) => {
    response
      .writeHead(200, head)
      .write(eventOf('one'), () => setTimeout(() => response.socket?.destroy(), 20))
  })
  await expect(idsOf(await client.events.stream())).rejects.toMatchObject({
    code: 'unavailable',
    requestId: 'REQ_1',
    message: expect.stringContaining('GET /api/events broke off'),
  })
})

it('does not treat a page of a proxy as events, and passes on errors of the service', async () => {
  const page = await clientOf((response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('Hello'),
  )
  await expect(page.events.stream()).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('not Quire'),
  })
  const body = { error: true, code: 'too_many_requests', message: 'no', requestId: 'REQ_1' }
  const refusing = await clientOf((response) =>
    response.writeHead(429, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  )
  await expect(refusing.events.stream()).rejects.toMatchObject({
    code: 'too_many_requests',
    requestId: 'REQ_1',
  })
})
