import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { expect, it, onTestFinished } from 'vitest'
import { createFetchHandler } from './fetch/create-fetch-handler.ts'
import { toNodeHandler, type NodeHandler, type NodeHandlerOptions } from './node.ts'

const article = JSON.stringify({ repositoryId: 'magazine', type: 'article', name: 'One' })
const asHost: NodeHandlerOptions = { context: () => ({ identity: systemIdentity('host') }) }

/** The address of a server of Node with the handler of an engine below /cms. */
async function listening(wrap: (handler: NodeHandler) => RequestListener, options?: NodeHandlerOptions) {
  const quire = createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test/cms' })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({ name: 'article', fields: [] })
  const handler = createFetchHandler(quire)
  const server = createServer(wrap(toNodeHandler(handler, options)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    handler.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await quire.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const alone = (handler: NodeHandler): RequestListener => handler

it('a request outside of the base is 404 where nothing comes next, and passed on otherwise', async () => {
  const url = await listening(alone)
  expect((await fetch(`${url}/about`)).status).toBe(404)
  const passed = await listening((handler) => (request, response) => {
    handler(request, response, () => response.end(`own ${request.url}`))
  })
  expect(await (await fetch(`${passed}/about?x=1`)).text()).toBe('own /about?x=1')
})

it('the host may name the caller', async () => {
  const url = await listening(alone, asHost)
  const headers = { 'content-type': 'application/json' }
  const created = await fetch(`${url}/cms/api/items`, { method: 'POST', headers, body: article })
  expect(created.status).toBe(201)
})

it('a body that a parser has read is an error that says where to register Quire', async () => {
  const errors: unknown[] = []
  const url = await listening(
    (handler) => async (request: Parameters<RequestListener>[0] & { body?: unknown }, response) => {
      request.body = await request.toArray()
      handler(request, response, (error) => {
        errors.push(error)
        response.writeHead(500).end()
      })
    },
    asHost,
  )
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/cms/api/items`, { method: 'POST', headers, body: article })
  expect(answer.status).toBe(500)
  expect(String(errors[0])).toContain('register Quire before parsers such as express.json()')
})

it('a caller who leaves ends the stream of events', async () => {
  const url = await listening(alone, asHost)
  const leaving = new AbortController()
  const answer = await fetch(`${url}/cms/api/events`, { signal: leaving.signal })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  leaving.abort()
  await expect(answer.text()).rejects.toThrow(/abort/)
})

it('an error of the host is left to the host, or ends the request and not the process', async () => {
  const failing: NodeHandlerOptions = {
    context() {
      throw new Error('no session')
    },
  }
  const url = await listening(alone, failing)
  expect((await fetch(`${url}/cms/api/items/magazine`)).status).toBe(500)
  const errors: unknown[] = []
  const passing = await listening(
    (handler) => (request, response) =>
      handler(request, response, (error) => {
        errors.push(error)
        response.end()
      }),
    failing,
  )
  await fetch(`${passing}/cms/api/items/magazine`)
  expect(errors).toEqual([new Error('no session')])
})
