import { setTimeout as pause } from 'node:timers/promises'
import { createQuire, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { StoreUnavailable } from '@quire/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

let server: Serving
afterEach(() => server.app.close())

const inkPath = '/api/items/magazine/slug/ink'

describe('overload', () => {
  it('is 503 with a Retry-After, while the health routes answer', async () => {
    const held = holding(createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test' }))
    server = await serve({ quire: held.quire, load: { loopDelayMs: 10_000, inFlight: 2 } })
    held.hold()
    const waiting = [server.fetch(inkPath), server.fetch(inkPath)]
    await expect.poll(() => held.waiting()).toBe(2)
    const refused = await server.fetch(inkPath)
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: true, code: 'unavailable' }])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await server.fetch('/livez')).status).toBe(200)
    held.release()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
    await expect.poll(async () => (await server.fetch(inkPath)).status).toBe(200)
  })

  it('is detected by a late event loop', async () => {
    server = await serve({ load: { loopDelayMs: 20, inFlight: 1000 } })
    const end = Date.now() + 1600
    const blocking = setInterval(() => {
      const until = Date.now() + 80
      while (Date.now() < until);
    })
    const statuses = new Set<number>()
    while (Date.now() < end) statuses.add((await server.fetch(inkPath)).status)
    clearInterval(blocking)
    expect(statuses).toContain(503)
    await expect.poll(async () => (await server.fetch(inkPath)).status, { timeout: 5000 }).toBe(200)
  })

  it('is charged to the caller of a long response, even if its data arrived later', async () => {
    const quire = createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test' })
    let isLong = false
    const long: Quire = {
      ...quire,
      async run(call) {
        const answer = await quire.run(call)
        if (!isLong || call.group !== 'items') return answer
        await pause(1)
        return { toJSON: () => busyFor(80) }
      },
    }
    server = await serve({ quire: long })
    isLong = true
    const statuses: number[] = []
    for (let at = 0; at < 8; at += 1) {
      statuses.push((await server.fetch(inkPath)).status)
      expect((await fetch(`${server.baseUrl}/oauth2/jwks`)).status).toBe(200)
    }
    expect(statuses).toContain(429)
  })

  it('does not count callers who disconnected', async () => {
    const held = holding(createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test' }))
    server = await serve({ quire: held.quire, load: { loopDelayMs: 10_000, inFlight: 1 } })
    held.hold()
    const leaving = new AbortController()
    const left = server.fetch(inkPath, { signal: leaving.signal }).catch(() => 'left')
    await expect.poll(() => held.waiting()).toBe(1)
    leaving.abort()
    expect(await left).toBe('left')
    held.release()
    await expect.poll(async () => (await server.fetch(inkPath)).status).toBe(200)
  })
})

describe('a server that stops', () => {
  it('finishes running requests and accepts no new ones', async () => {
    const held = holding(createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test' }))
    server = await serve({ quire: held.quire })
    held.hold()
    const underWay = server.fetch(inkPath)
    await expect.poll(() => held.waiting()).toBe(1)
    const closed = server.app.close()
    held.release()
    const response = await underWay
    expect([response.status, response.headers.get('connection')]).toEqual([
      200,
      expect.stringMatching(/close|keep-alive/),
    ])
    await closed
  })
})

describe('a store that fails', () => {
  it('is 503 at /readyz', async () => {
    const store = createMemoryStore()
    const quire = createQuire({ store, baseUrl: 'http://quire.test' })
    const broken: Quire = {
      ...quire,
      ready: () => Promise.reject(new StoreUnavailable('closed', 'the disk is gone')),
    }
    server = await serve({ quire: broken })
    const ready = await server.fetch('/readyz')
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable' }])
    expect(ready.headers.get('retry-after')).toBe('1')
  })

  it('is 500 without details for an unexpected error', async () => {
    const quire = createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test' })
    let isBroken = false
    const broken: Quire = {
      ...quire,
      run: (call) => (isBroken ? Promise.reject(new Error('SELECT secret FROM table')) : quire.run(call)),
    }
    server = await serve({ quire: broken })
    isBroken = true
    const response = await server.fetch(inkPath, { headers: { 'x-request-id': 'broken-1' } })
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toContain('SELECT')
    expect(JSON.parse(text)).toMatchObject({ error: true, code: 'internal', requestId: 'broken-1' })
    const reported = server.entries.find(({ event }) => event === 'request.failed')
    expect(reported).toMatchObject({
      level: 'error',
      members: { requestId: 'broken-1', cause: /SELECT secret/ },
    })
  })
})

/** Keeps the thread busy for this many milliseconds of CPU time. */
function busyFor(ms: number): string {
  const workedMs = () => process.threadCpuUsage().user / 1000
  const until = workedMs() + ms
  while (workedMs() < until);
  return 'long'
}

/** An engine whose calls wait while they are held. */
function holding(quire: Quire) {
  let gate: Promise<void> | undefined
  let open = () => {}
  let count = 0
  return {
    hold() {
      count = 0
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    release() {
      gate = undefined
      open()
    },
    waiting: () => count,
    quire: {
      ...quire,
      async run(call: Parameters<Quire['run']>[0]) {
        if (gate) count += 1
        await gate
        return quire.run(call)
      },
    },
  }
}
