import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { quirePlugin, type QuirePluginOptions } from './plugin.ts'

const prefix = '/cms'
let quire: Quire
beforeEach(async () => {
  quire = createQuire({ store: createMemoryStore(), baseUrl: `https://quire.test${prefix}` })
  await quire.as(systemIdentity('test')).repositories.create({ name: 'magazine', public: true })
})
afterEach(() => quire.close())

async function mounted(options: Partial<QuirePluginOptions> = {}) {
  const app = fastify()
  app.get('/', async () => 'own')
  await app.register(quirePlugin, { quire, prefix, ...options })
  onTestFinished(() => app.close())
  return app
}

const statusOf = async (app: Awaited<ReturnType<typeof mounted>>, url: string) =>
  (await app.inject(url)).statusCode

describe('a plugin', () => {
  it('serves the API below its prefix, beside routes of the app', async () => {
    const app = await mounted()
    expect((await app.inject('/')).body).toBe('own')
    expect(await statusOf(app, '/cms/api/published/items/magazine')).toBe(200)
    expect(await statusOf(app, '/cms/api/items/magazine')).toBe(401)
    expect(await statusOf(app, '/api/published/items/magazine')).toBe(404)
  })

  it('serves explorer, document and health only if it is told to', async () => {
    const paths = ['/cms/api-docs', '/cms/api-docs/openapi.json', '/cms/livez', '/cms/readyz']
    const statuses = async (options?: Partial<QuirePluginOptions>) => {
      const app = await mounted(options)
      return Promise.all(paths.map((path) => statusOf(app, path)))
    }
    expect(await statuses()).toEqual([404, 404, 404, 404])
    expect(await statuses({ explorer: 'public', health: true })).toEqual([200, 200, 200, 200])
  })

  it('names its own addresses in the document', async () => {
    const app = await mounted({ explorer: 'public' })
    const { servers } = (await app.inject('/cms/api-docs/openapi.json')).json()
    expect(servers).toEqual([expect.objectContaining({ url: 'https://quire.test/cms' })])
  })

  it('answers the requests that another server of Node passes on', async () => {
    const app = await mounted()
    await app.ready()
    const server = createServer((request, response) => app.routing(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/cms/api/published/items/magazine`)
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ count: 0 })])
  })
})
