import { setTimeout as wait } from 'node:timers/promises'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { fakePeers } from '@quire/testkit'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  createRate,
  defaultRateLimits,
  networkOf,
  noRateLimits,
  ratesOf,
  type SharedRate,
} from '@quire/http/shared'
import { createServer, type ServerOptions } from './server.ts'

const baseUrl = 'http://quire.test'
const quire = createQuire({ store: createMemoryStore(), baseUrl })
const api = quire.as(systemIdentity('test'))
const apps: FastifyInstance[] = []
const accounts: { id: string; secret: string }[] = []

beforeAll(async () => {
  for (const name of ['One', 'Other', 'Third']) accounts.push(await api.serviceAccounts.create({ name }))
})
afterAll(async () => {
  for (const app of apps) await app.close()
})

/** A new server that has counted nothing yet, with the default rates unless given. */
function open(options: Partial<ServerOptions> = {}): FastifyInstance {
  // Other work on the machine is another reason to refuse requests.
  const load = { loopDelayMs: 60_000, inFlight: 10_000 }
  const app = createServer({ quire, baseUrl, load, ...options })
  apps.push(app)
  return app
}

async function bearerOf(index: number): Promise<Headers> {
  const { id, secret } = accounts[index] ?? { id: '', secret: '' }
  const input = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  return { authorization: `Bearer ${(await api.auth.token(input)).access_token}` }
}

type Headers = Readonly<Record<string, string>>

interface Client {
  readonly url?: string
  readonly from?: string
  readonly headers?: Headers
}

const mine = '/api/security/me/permissions'
const open4all = '/oauth2/jwks'

function ask(app: FastifyInstance, { url = mine, from = '192.0.2.1', headers = {} }: Client = {}) {
  return app.inject({ url, remoteAddress: from, headers })
}

/** A callback of an unknown engine. */
function notify(app: FastifyInstance, from: string) {
  const payload = {
    workflowInstanceId: 'one',
    repositoryId: 'magazine',
    packageName: 'Spring',
    currentStep: 'legal',
    status: 'active',
  }
  const headers = { 'x-api-key': 'nobody-knows-this-key' }
  return app.inject({
    method: 'POST',
    url: '/api/workflow/status',
    remoteAddress: from,
    headers,
    payload,
  })
}

/** Sends many requests at once. Returns how many got each status, and in how many seconds. */
async function burst(app: FastifyInstance, times: number, asking: (index: number) => Client) {
  const start = performance.now()
  const answers = await Promise.all(Array.from({ length: times }, (_, index) => ask(app, asking(index))))
  const seconds = (performance.now() - start) / 1000
  const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length
  return { answers, count, seconds }
}

describe('with default rates', () => {
  it('an account gets 200 at once and 100 a second, then 429; another one is not affected', async () => {
    const app = open()
    const headers = await bearerOf(0)
    const { answers, count, seconds } = await burst(app, 400, () => ({ headers }))
    expect(count(200)).toBeGreaterThanOrEqual(200)
    expect(count(200)).toBeLessThanOrEqual(201 + 100 * seconds)
    expect(count(200) + count(429)).toBe(400)
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect(refused?.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' })
    expect(refused?.json()).toMatchObject({ error: true, code: 'too_many_requests' })
    // By account, not by address.
    expect((await ask(app, { headers: await bearerOf(1) })).statusCode).toBe(200)
    const elsewhere = await burst(app, 200, (index) => ({ headers, from: `192.0.2.${index}` }))
    expect(elsewhere.count(429)).toBeGreaterThan(0)
    await wait(1100)
    expect((await ask(app, { headers })).statusCode).toBe(200)
  })

  it('a browser gets the files of a page at once, 200 of them, which takes nothing from its requests', async () => {
    const app = open()
    const file = '/api-docs/swagger-ui.css'
    const { count, seconds } = await burst(app, 300, () => ({ url: file }))
    expect(count(200)).toBeGreaterThanOrEqual(200)
    expect(count(200)).toBeLessThanOrEqual(201 + 100 * seconds)
    expect(count(200) + count(429)).toBe(300)
    expect((await ask(app, { url: open4all })).statusCode).toBe(200)
  })

  it('an address without a token gets 40 at once and 20 a second, then 429; another one is not affected', async () => {
    const app = open()
    const { answers, count, seconds } = await burst(app, 100, () => ({ url: open4all }))
    expect(count(200)).toBeGreaterThanOrEqual(40)
    expect(count(200)).toBeLessThanOrEqual(41 + 20 * seconds)
    expect(count(200) + count(429)).toBe(100)
    expect(answers.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('1')
    expect((await ask(app, { url: open4all, from: '192.0.2.2' })).statusCode).toBe(200)
    // A caller with a token is not affected by others at the same address.
    expect((await ask(app, { headers: await bearerOf(0) })).statusCode).toBe(200)
  })

  it('requests without a token, with invalid ones, and to other paths and methods count as one address', async () => {
    const app = open()
    const ways = (index: number): Client[] => [
      { headers: { authorization: `Bearer made-up-${index}` } },
      { headers: { cookie: `token=made-up-${index}` } },
      { headers: { authorization: `Basic ${index}` } },
      { url: `/nowhere/${index}` },
      { url: `/api/items/magazine?nr=${index}` },
      { url: open4all, headers: { authorization: `Bearer made-up-${index}` } },
    ]
    const { count, seconds } = await burst(app, 120, (index) => ways(index)[index % 6] ?? {})
    expect(count(429)).toBeGreaterThanOrEqual(120 - 41 - 20 * seconds)
    expect(count(429)).toBeLessThanOrEqual(80)
    // Slow answers let the rate recover, but not by as much as these.
    expect((await burst(app, 40, () => ({}))).count(429)).toBeGreaterThan(0)
  })

  it('callbacks from an address have the rate of an account, and count separately', async () => {
    const app = open()
    const reported = async (times: number, from: string) => {
      const start = performance.now()
      const answers = await Promise.all(Array.from({ length: times }, () => notify(app, from)))
      const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length
      return { count, seconds: (performance.now() - start) / 1000 }
    }
    const { count, seconds } = await reported(400, '192.0.2.1')
    // None of these is authenticated: they were admitted.
    expect(count(401)).toBeGreaterThanOrEqual(200)
    expect(count(401)).toBeLessThanOrEqual(201 + 100 * seconds)
    expect(count(401) + count(429)).toBe(400)
    expect((await reported(1, '192.0.2.2')).count(401)).toBe(1)
    expect((await ask(app, { url: open4all })).statusCode).toBe(200)
    expect((await ask(app, { headers: await bearerOf(0) })).statusCode).toBe(200)
  })

  it('callbacks from an IPv6 network count together', async () => {
    const app = open({ rates: ratesOf(1) })
    const from = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1']
    const statuses: number[] = []
    for (const address of from) statuses.push((await notify(app, address)).statusCode)
    expect(statuses).toEqual([401, 401, 429, 401])
  })

  it('the health routes have no rate', async () => {
    const { count } = await burst(open(), 100, () => ({ url: '/livez' }))
    expect(count(200)).toBe(100)
  })
})

describe('an address', () => {
  const forwarded = (index: number): Headers => ({
    'x-forwarded-for': `198.51.100.${index % 250}`,
    forwarded: `for=198.51.100.${index % 250}`,
    'x-real-ip': `198.51.100.${index % 250}`,
  })

  it('is that of the socket: X-Forwarded-For is ignored', async () => {
    const { count, seconds } = await burst(open(), 100, (index) => ({
      url: open4all,
      headers: forwarded(index),
    }))
    expect(count(200)).toBeLessThanOrEqual(41 + 20 * seconds)
  })

  it('is what a trusted proxy reports, and no other', async () => {
    const app = open({ trustProxy: '10.0.0.0/8' })
    const viaProxy = await burst(app, 100, (index) => ({
      url: open4all,
      from: '10.0.0.1',
      headers: forwarded(index),
    }))
    expect(viaProxy.count(200)).toBe(100)
    const direct = await burst(app, 100, (index) => ({
      url: open4all,
      from: '192.0.2.3',
      headers: forwarded(index),
    }))
    expect(direct.count(429)).toBeGreaterThan(0)
    // The caller's own entry, before the proxy added the real address.
    const spoofed = await burst(app, 100, (index) => ({
      url: open4all,
      from: '10.0.0.1',
      headers: { 'x-forwarded-for': `198.51.100.${index}, 203.0.113.7` },
    }))
    expect(spoofed.count(429)).toBeGreaterThan(0)
  })
})

describe('wrong secrets', () => {
  it('close the account for a minute to the address that sent them, whatever else it sends', async () => {
    const app = open({ rates: noRateLimits })
    const { id, secret } = accounts[2] ?? { id: '', secret: '' }
    const attempt = (index: number, from: string, clientSecret = 'wrong') =>
      app.inject({
        method: 'POST',
        url: '/oauth2/token',
        remoteAddress: from,
        headers: {
          'content-type':
            index % 2 ? 'application/x-www-form-urlencoded' : 'Application/X-WWW-Form-Urlencoded',
          'x-forwarded-for': `198.51.100.${index}`,
        },
        payload: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: id,
          client_secret: clientSecret,
        }).toString(),
      })
    const statuses: number[] = []
    for (let index = 0; index < 11; index++) statuses.push((await attempt(index, '192.0.2.50')).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    const closed = await attempt(12, '192.0.2.50', secret)
    expect([closed.statusCode, closed.headers['retry-after']]).toEqual([429, '60'])
    expect((await attempt(13, '192.0.2.51', secret)).statusCode).toBe(200)
  })
})

describe('rates', () => {
  it('can be turned off', async () => {
    const app = open({ rates: noRateLimits })
    const headers = await bearerOf(0)
    expect((await burst(app, 300, () => ({ headers }))).count(200)).toBe(300)
    expect((await burst(app, 100, () => ({ url: open4all }))).count(200)).toBe(100)
  })

  it('are a fifth for callers without a token, and twice as many at once', () => {
    expect(ratesOf(10)).toEqual({
      authenticated: { perSecond: 10, burst: 20 },
      anonymous: { perSecond: 2, burst: 4 },
    })
    expect(defaultRateLimits).toEqual({
      authenticated: { perSecond: 100, burst: 200 },
      anonymous: { perSecond: 20, burst: 40 },
    })
    expect(ratesOf(0)).toEqual(noRateLimits)
    expect(ratesOf(1).anonymous).toEqual({ perSecond: 0.2, burst: 1 })
    // A burst of one stays one, however long the process has run.
    const rate = createRate({ perSecond: 0.0001, burst: 1 })
    const ask = (caller: string) => rate.admit(caller)
    const callers = Array.from({ length: 1000 }, (_, index) => `caller ${index}`)
    expect(callers.filter((caller) => ask(caller))).toEqual([])
    expect(callers.filter((caller) => !ask(caller))).toEqual([])
  })

  it('below one a second report how long to wait', async () => {
    const rate = { perSecond: 0.2, burst: 1.5 }
    const app = open({ rates: { authenticated: rate, anonymous: rate } })
    expect((await ask(app, { url: open4all })).statusCode).toBe(200)
    const refused = await ask(app, { url: open4all })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3'])
  })
})

it.each([
  [undefined, 'none'],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

describe('rates that processes share', () => {
  const someProcesses = (count: number): SharedRate[] =>
    fakePeers(count).map((peers) => ({ topic: 'rate', peers }))

  it('admit a caller as often in total as a single process does, and do not affect others', async () => {
    const rates = someProcesses(4).map((shared) => createRate({ perSecond: 1, burst: 40 }, shared))
    const admitted = { many: 0, few: 0 }
    for (let round = 0; round < 30; round++) {
      for (const rate of rates) if (!rate.admit('many')) admitted.many++
      await wait(30)
    }
    for (const rate of rates) if (!rate.admit('few')) admitted.few++
    // Requests before the first exchange of counts are admitted.
    expect(admitted.many).toBeGreaterThanOrEqual(40)
    expect(admitted.many).toBeLessThan(80)
    expect(admitted.few).toBe(4)
    for (const rate of rates) rate.close()
  })

  it('count a caller who sends steadily to each of them, below the rate of each', async () => {
    const rates = someProcesses(4).map((shared) => createRate({ perSecond: 40, burst: 20 }, shared))
    let admitted = 0
    for (let round = 0; round < 80; round++) {
      for (const rate of rates) if (!rate.admit('steady')) admitted++
      await wait(25)
    }
    // Of 320 requests, two seconds and a burst admit 100, plus those that were not reported yet.
    expect(admitted).toBeLessThan(220)
    for (const rate of rates) rate.close()
  })

  it('delay nobody by more than a second because of requests that others admitted', async () => {
    const [one, other] = someProcesses(2).map((shared) => createRate({ perSecond: 10, burst: 10 }, shared))
    for (let request = 0; request < 10; request++) {
      expect(one?.admit('both')).toBeUndefined()
      expect(other?.admit('both')).toBeUndefined()
    }
    expect(one?.admit('both')?.details).toEqual({ retryAfter: 1 })
    await wait(300)
    expect(Number(one?.admit('both')?.details?.['retryAfter'])).toBeLessThanOrEqual(2)
    await vi.waitFor(() => expect(one?.admit('both')).toBeUndefined(), { timeout: 3_000, interval: 20 })
    one?.close()
    other?.close()
  })
})
