import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { createClient } from '@quire/client'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { callApi } from '../server/api-access.ts'
import { beginAppend, beginUpload, progressOf } from '../uploads/append.ts'
import { ask } from '../uploads/ask.ts'
import { hashOf, hashOfItem } from '../uploads/look.ts'
import { Location, repository } from '../uploads/location.ts'
import { startCaddy, startNginx, type Proxy } from './proxy.ts'
import { program } from './samples.ts'

const MiB = 1024 ** 2
const appOrigin = 'https://app.example.org'

vi.setConfig({ testTimeout: 30_000 })

const proxies = [
  { name: 'nginx', start: startNginx },
  { name: 'caddy', start: startCaddy },
] as const

describe.each(proxies)('a service behind $name', ({ name, start }) => {
  describe.skipIf(program(name).isMissing)(`run ${program(name).location}`, () => {
    const bytes = randomBytes(20 * MiB)
    let location: Location
    let proxy: Proxy

    beforeAll(async () => {
      const env = { QUIRE_TRUST_PROXY: '127.0.0.1', QUIRE_CORS_ORIGIN: appOrigin }
      location = await new Location(env).open()
      proxy = await start(location.url)
    }, 90_000)

    afterAll(async () => {
      await proxy.stop()
      await location.close()
    })

    /** The service through the proxy. */
    const through = () => ({ url: proxy.url, token: location.token })
    const client = () => createClient({ baseUrl: proxy.url, auth: { token: location.token } })

    it('is ready, and answers with its own headers', async () => {
      const answer = await fetch(`${proxy.url}/readyz`)
      expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
    })

    it('accepts a file of 20 MB in one request', async () => {
      const file = new File([bytes], 'whole.bin')
      const { id } = await client().assets.create({ configId: repository, type: 'file', file })
      expect(await hashOfItem(location, id)).toBe(hashOf(bytes))
    })

    it('receives an upload while it is sent, and resumes after what had arrived', async () => {
      const path = await beginUpload(through(), bytes.length)
      const appending = beginAppend(through(), path, { offset: 0, bytes: bytes.subarray(0, 16 * MiB) })
      await appending.reached(12 * MiB)
      appending.cut('reset')
      await expect
        .poll(async () => (await progressOf(location, path)).offset, { timeout: 10_000 })
        .toBeGreaterThan(MiB)
      const id = await resume(path)
      expect(await hashOfItem(location, id)).toBe(hashOf(bytes))
    })

    /** Completes an upload with tus-js-client, and returns the id of its item. */
    function resume(path: string): Promise<string> {
      return new Promise((resolve, reject) => {
        const upload = new Upload(bytes, {
          endpoint: `${proxy.url}/api/items/upload`,
          uploadUrl: new URL(path, proxy.url).href,
          headers: { authorization: `Bearer ${location.token}` },
          retryDelays: [50, 200, 500, 1000, 2000],
          onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('quire-item-id') ?? ''),
          onError: reject,
        })
        upload.start()
      })
    }

    it('sends each event as it happens', async () => {
      const quire = client()
      const stream = await quire.events.stream({ events: ['FOLDER_CREATED'] })
      const received: string[] = []
      const reading = (async () => {
        for await (const { entityId } of stream) if (received.push(entityId) === 2) break
      })()
      for (const folder of ['One', 'Two']) {
        const { id } = await quire.folders.create({ configId: repository, name: folder })
        await expect.poll(() => received.at(-1), { timeout: 3000 }).toBe(id)
      }
      await reading
    })

    it('knows the address of the client, and not one that the client claims', async () => {
      await post('/api/security/roles', { name: 'From elsewhere', permissions: {} })
      const { items } = await callApi<{ items: { event: string; address: string }[] }>(location, 'GET', {
        path: '/api/security/audit?limit=10',
      })
      expect(items.find(({ event }) => event === 'ROLE_CREATED')?.address).toBe('127.0.0.2')
    })

    /** Sends JSON through the proxy from 127.0.0.2, with the address of somebody else in a header. */
    function post(path: string, body: unknown): Promise<void> {
      const { hostname, port } = new URL(proxy.url)
      const headers = {
        authorization: `Bearer ${location.token}`,
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
      }
      return new Promise((resolve, reject) => {
        const at = { hostname, port, path, method: 'POST', headers, localAddress: '127.0.0.2', agent: false }
        const sending = request(at, (answer) => {
          answer.resume().on('end', () => {
            if (answer.statusCode === 201) resolve()
            else reject(new Error(`POST ${path}: ${answer.statusCode}`))
          })
        })
        sending.on('error', reject).end(JSON.stringify(body))
      })
    }

    it('answers conditional, partial and compressed requests, and those of other origins', async () => {
      const file = new File([bytes.subarray(0, 1000)], 'part.bin')
      const { id } = await client().assets.create({ configId: repository, type: 'file', file })
      const item = `/api/items/${repository}/${id}`
      const { headers } = await ask(through(), { path: item })
      const unchanged = await ask(through(), { path: item, headers: { 'if-none-match': headers.etag ?? '' } })
      expect([headers.etag, unchanged.status]).toEqual([expect.any(String), 304])

      const path = `/api/assets/${repository}/${id}/original`
      const part = await ask(through(), { path, headers: { range: 'bytes=100-199' } })
      expect([part.status, part.headers['content-range']]).toEqual([206, 'bytes 100-199/1000'])
      expect(part.body).toEqual(bytes.subarray(100, 200))

      const document = { path: '/api-docs/openapi.json', headers: { 'accept-encoding': 'gzip' } }
      expect((await ask(through(), document)).headers['content-encoding']).toBe('gzip')

      const asking = { origin: appOrigin, 'access-control-request-method': 'PUT' }
      const preflight = await ask(through(), { method: 'OPTIONS', path: item, headers: asking })
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, appOrigin])
    })
  })
})
