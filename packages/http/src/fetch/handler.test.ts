import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noRateLimits } from '../admission/rate.ts'
import { createFetchHandler, type FetchHandlerOptions } from './create-fetch-handler.ts'
import type { FetchHandler } from './options.ts'

const origin = 'https://quire.test'
let quire: Quire
const opened: FetchHandler[] = []

beforeEach(async () => {
  quire = createQuire({ store: createMemoryStore(), baseUrl: `${origin}/cms` })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({ name: 'article', fields: [] })
})
afterEach(async () => {
  for (const handler of opened.splice(0)) handler.close()
  await quire.close()
})

function create(options?: FetchHandlerOptions): FetchHandler {
  const handler = createFetchHandler(quire, options)
  opened.push(handler)
  return handler
}

// The types of Node lack it, and a body that is a stream needs it.
const halfDuplex = { duplex: 'half' }
const published = `${origin}/cms/api/published/items/magazine`
const items = `${origin}/cms/api/items/magazine`
const article = JSON.stringify({ repositoryId: 'magazine', type: 'article', name: 'One' })
const createOne = () =>
  new Request(`${origin}/cms/api/items`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: article,
  })
const asSystem = { context: () => ({ identity: systemIdentity('host') }) }

describe('the base path of a handler', () => {
  it('is that of the engine if none is given', async () => {
    expect((await create()(new Request(published))).status).toBe(200)
  })

  it.each(['cms', '/cms', '/cms/', '//cms//'])('may be written as %s', async (basePath) => {
    expect((await create({ basePath })(new Request(published))).status).toBe(200)
  })

  it('may be shorter than the public path, of which a proxy removes the first part', async () => {
    const handler = create({ basePath: '/' })
    expect((await handler(new Request(`${origin}/api/published/items/magazine`))).status).toBe(200)
  })

  it('fails the start when links would lead elsewhere, and says what to set', () => {
    expect(() => create({ basePath: '/other' })).toThrow(
      "The handler is mounted at /other, but the engine's baseUrl is https://quire.test/cms: links would lead elsewhere. Set baseUrl to https://quire.test/other, or basePath to /cms.",
    )
  })

  it.each(['/cmsx/api/items/magazine', '/api/items/magazine', '/'])(
    'leaves %s to the host, and its body unread',
    async (path) => {
      const request = new Request(`${origin}${path}`, { method: 'POST', body: 'x' })
      expect(await create().handle(request)).toEqual({ matched: false, response: undefined })
      expect(request.bodyUsed).toBe(false)
      const answer = await create()(request)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('set basePath to the path where the handler is mounted'),
      })
    },
  )

  it('leaves unknown addresses to the host where there is none', async () => {
    const handler = create({ basePath: '' })
    expect((await handler.handle(new Request(`${origin}/about`))).matched).toBe(false)
    expect((await handler(new Request(`${origin}/about`))).status).toBe(404)
    const put = new Request(`${origin}/api/items/magazine/x`, { method: 'PUT' })
    expect((await handler.handle(put)).matched).toBe(true)
    expect((await handler.handle(new Request(`${origin}/about/%zz`))).matched).toBe(false)
    const unreadable = await handler.handle(new Request(`${origin}/api/items/magazine/%zz`))
    expect(unreadable.response?.status).toBe(400)
  })
})

describe('a host', () => {
  it('may name the caller, who then needs no token', async () => {
    const handler = create()
    const context = { identity: systemIdentity('host') }
    const handled = await handler.handle(new Request(items), { context })
    expect(handled.response?.status).toBe(200)
    expect((await handler(new Request(items))).status).toBe(401)
    expect((await create(asSystem)(new Request(items))).status).toBe(200)
  })

  it('does not make a caller stronger than the credential if it knows none', async () => {
    const handler = create({ context: () => ({}) })
    expect((await handler(new Request(items))).status).toBe(401)
  })

  it('is given the work that continues after a write, and none after a read', async () => {
    const works: Promise<unknown>[] = []
    const handler = create({ ...asSystem, waitUntil: (work) => void works.push(work) })
    expect((await handler(new Request(items))).status).toBe(200)
    expect(works).toEqual([])
    expect((await handler(createOne())).status).toBe(201)
    expect(works).toHaveLength(1)
    await works[0]
  })

  it('tells the addresses of callers, each of which has its own rate', async () => {
    const rates = { authenticated: null, anonymous: { perSecond: 1, burst: 1 } }
    const address = (request: Request) => request.headers.get('x-real-ip') ?? undefined
    const handler = create({ rates, address })
    const from = async (ip: string) =>
      (await handler(new Request(published, { headers: { 'x-real-ip': ip } }))).status
    expect([await from('10.0.0.1'), await from('10.0.0.2'), await from('10.0.0.1')]).toEqual([200, 200, 429])
  })

  it('tells the address that the journal records, whole, and none where it is not known', async () => {
    const address = (request: Request) => request.headers.get('x-real-ip') ?? undefined
    const handler = create({ ...asSystem, address })
    const addressOf = async (headers: Record<string, string>, name: string) => {
      const body = JSON.stringify({ name })
      const type = { 'content-type': 'application/json' }
      const url = `${origin}/cms/api/security/roles`
      await handler(new Request(url, { method: 'POST', headers: { ...type, ...headers }, body }))
      const { items } = await quire.as(systemIdentity('test')).security.audit({ limit: 1 })
      return items[0]?.address
    }
    expect(await addressOf({ 'x-real-ip': '2001:db8:1:2:3:4:5:6' }, 'One')).toBe('2001:db8:1:2:3:4:5:6')
    expect(await addressOf({}, 'Two')).toBe(null)
  })

  it('is refused overload and, once it closed the handler, everything', async () => {
    const handler = create({ load: { loopDelayMs: 250, inFlight: 0 } })
    const refused = await handler(new Request(published))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    const closed = create()
    closed.close()
    expect((await closed(new Request(published))).status).toBe(503)
  })
})

describe('a request', () => {
  it('whose body does not arrive in time is refused, and nothing is changed', async () => {
    const handler = create({ ...asSystem, receiveMs: 50 })
    const body = new ReadableStream({ pull: () => new Promise(() => undefined) })
    const headers = { 'content-type': 'application/json' }
    const request = new Request(`${origin}/cms/api/items`, { method: 'POST', headers, body, ...halfDuplex })
    const answer = await handler(request)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ message: 'The body did not arrive within 0.05 seconds.' }),
    ])
  })

  it('whose body is larger than it says is refused before it has been read', async () => {
    let sent = 0
    const chunk = new Uint8Array(256 * 1024).fill(32)
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length
        controller.enqueue(chunk)
      },
    })
    const headers = { 'content-type': 'application/json' }
    const request = new Request(`${origin}/cms/api/items`, { method: 'POST', headers, body, ...halfDuplex })
    expect((await create(asSystem)(request)).status).toBe(413)
    expect(sent).toBeLessThan(8 * 1024 ** 2)
  })

  it('whose body breaks off is refused, and is no failure of the service', async () => {
    const lines: string[] = []
    const log = { write: (_: string, event: string) => void lines.push(event) }
    const handler = create({ ...asSystem, log })
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const headers = { 'content-type': 'application/json' }
    const request = new Request(`${origin}/cms/api/items`, { method: 'POST', headers, body, ...halfDuplex })
    expect((await handler(request)).status).toBe(400)
    expect(lines).toEqual([])
  })

  it('that is slow is answered while the operation continues', async () => {
    const never = { ...quire, run: () => new Promise<never>(() => undefined) }
    const handler = createFetchHandler(never, { ...asSystem, answerMs: 20 })
    opened.push(handler)
    expect((await handler(createOne())).status).toBe(503)
  })
})

describe('a caller who keeps the thread busy', () => {
  it('is refused while others are active, also for the decoding of bodies', async () => {
    const address = (request: Request) => request.headers.get('x-real-ip') ?? undefined
    const handler = create({ ...asSystem, rates: noRateLimits, address })
    const body = JSON.stringify({ name: '&"'.repeat(1_500_000) })
    const heavy = () =>
      handler(
        new Request(`${origin}/cms/api/items`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-real-ip': '10.0.0.1' },
          body,
        }),
      )
    const other = () => handler(new Request(published))
    const statuses = new Set<number>()
    for (let count = 0; count < 60 && !statuses.has(429); count++) {
      statuses.add((await heavy()).status)
      await other()
    }
    expect([...statuses]).toEqual([400, 429])
  })
})

describe('a stream of events', () => {
  const events = new Request(`${origin}/cms/api/events?repositories=magazine`)

  it('counts as under way until its reader leaves', async () => {
    const handler = create({ ...asSystem, load: { loopDelayMs: 1000, inFlight: 1 } })
    const answer = await handler(events.clone())
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect((await handler(new Request(items))).status).toBe(503)
    await answer.body?.cancel()
    await expect.poll(async () => (await handler(new Request(items))).status).toBe(200)
  })

  it('delivers what others write, and ends when the handler closes', async () => {
    const handler = create(asSystem)
    const answer = await handler(events.clone())
    const texts = answer.body?.pipeThrough(new TextDecoderStream())
    let text = ''
    const reading = (async () => {
      for await (const piece of texts ?? []) text += piece
    })()
    expect((await handler(createOne())).status).toBe(201)
    await expect.poll(() => text).toContain('ITEM_CREATED')
    handler.close()
    await reading
  })
})
