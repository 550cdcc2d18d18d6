import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { JournalEntry, Store } from '@quire/core/ports'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askForStream, openStream } from '../../test/events.ts'
import { serve, type Serving } from '../../test/serving.ts'
import { quirePlugin } from './plugin.ts'
import type { ServerOptions } from './server.ts'

/** A server whose reads of the journal are counted. */
async function open(options: Partial<ServerOptions> = {}) {
  const reads = { count: 0 }
  const store = counting(createMemoryStore(), reads)
  const quire = createQuire({ store, baseUrl: 'http://quire.test' })
  const served = await serve({ quire, ...options })
  onTestFinished(() => served.app.close())
  const note = (name: string) =>
    served.api.items.create({ repositoryId: 'magazine', type: 'article', name, fields: { title: name } })
  return { ...served, store, reads, note }
}

function counting(store: Store, reads: { count: number }): Store {
  const { journal } = store
  return {
    ...store,
    journal: {
      ...journal,
      read(query) {
        reads.count += 1
        return journal.read(query)
      },
    },
  }
}

function connections({ app }: Pick<Serving, 'app'>): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

describe('a stream over HTTP', () => {
  it('is Server-Sent Events that nothing caches or delays', async () => {
    const server = await open()
    const stream = await openStream(server)
    const { status, headers } = stream.response
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    const { id } = await server.note('Live')
    const text = await stream.until(/\n\n.+\n\n$/s)
    expect(text).toMatch(/^retry: 2000\n\nid: [\w.-]+\nevent: ITEM_CREATED\ndata: \{.*\}\n\n$/)
    expect(text).toContain(`"entityId":"${id}"`)
    stream.leave()
  })

  it('continues after the Last-Event-ID that a browser sends on reconnecting', async () => {
    const server = await open()
    const first = await openStream(server)
    await server.note('One')
    const [, lastEventId = ''] = /id: (\S+)/.exec(await first.until(/data/)) ?? []
    first.leave()
    const two = await server.note('Two')
    const again = await openStream(server, '/api/events?repositories=magazine', {
      'last-event-id': lastEventId,
    })
    expect(await again.until(/data: .*\n\n/)).toContain(two.id)
    again.leave()
    const refused = await server.fetch('/api/events', { headers: { 'last-event-id': '17' } })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ issues: [{ path: 'lastEventId' }] })
  })

  it('sends heartbeats, and is not subject to the time limit of responses', async () => {
    const server = await open({ heartbeatMs: 20, answerMs: 50, receiveMs: 50 })
    const stream = await openStream(server)
    expect(await stream.until(/(:\n\n){6}/)).toBe(`retry: 2000\n\n${':\n\n'.repeat(6)}`)
    await server.note('Later')
    expect(await stream.until(/ITEM_CREATED/)).not.toBe('')
    stream.leave()
  })

  it('of a HEAD has headers only', async () => {
    const server = await open()
    const response = await server.fetch('/api/events', { method: 'HEAD' })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream',
      '',
    ])
  })

  it('is one of ten of an account, and its slot is free soon after its reader disconnected', async () => {
    const server = await open()
    const streams = await Promise.all(Array.from({ length: 10 }, () => openStream(server)))
    const eleventh = await server.fetch('/api/events')
    expect(eleventh.status).toBe(429)
    expect(eleventh.headers.get('retry-after')).toBe('5')
    streams[0]?.leave()
    const left = performance.now()
    const status = async () => {
      const one = await openStream(server)
      one.leave()
      return one.response.status
    }
    await expect.poll(status, { timeout: 2000 }).toBe(200)
    expect(performance.now() - left).toBeLessThan(2000)
    for (const stream of streams) stream.leave()
  })

  it('leaves nothing behind when it is cut a thousand times', async () => {
    const server = await open()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    for (let round = 0; round < 200; round++) {
      const sockets = await Promise.all(Array.from({ length: 5 }, () => askForStream(server)))
      if (round % 2 === 0) await Promise.all(sockets.map((socket) => once(socket.resume(), 'data')))
      for (const socket of sockets) socket.destroy()
    }
    expect(server.reads.count).toBeGreaterThan(400)
    await expect.poll(() => connections(server), { timeout: 5000 }).toBe(0)
    // The polling has its own timers.
    await expect.poll(timers, { timeout: 2000 }).toBeLessThan(before + 5)
    // A stream that still followed would poll again within a second.
    const { count } = server.reads
    await server.note('Nobody follows')
    await wait(1200)
    expect(server.reads.count).toBe(count)
    const streams = await Promise.all(Array.from({ length: 10 }, () => openStream(server)))
    expect(streams.map(({ response }) => response.status)).toEqual(Array.from({ length: 10 }, () => 200))
    for (const stream of streams) stream.leave()
  })

  it('is read no faster than the connection accepts it', async () => {
    const server = await open()
    const socket = await askForStream(server)
    await expect.poll(() => server.reads.count).toBeGreaterThan(0)
    const { id: repositoryId } = await server.api.repositories.get({ id: 'magazine' })
    const entries = 50_000
    await server.store.transaction(async (tx) => {
      for (let index = 0; index < entries; index++) await tx.journal.record(entry(repositoryId, index))
    })
    await server.note('Wakes it up')
    const isStill = async () => {
      const { count } = server.reads
      await wait(200)
      return server.reads.count === count
    }
    await expect.poll(isStill, { timeout: 15_000 }).toBe(true)
    expect(server.reads.count * 100).toBeLessThan(entries / 2)
    socket.destroy()
  })
})

describe('a server that stops', () => {
  it('ends its streams at once, each with a proper end', async () => {
    const server = await open()
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(server)))
    const begun = performance.now()
    const closed = server.app.close()
    for (const stream of streams) {
      expect(await stream.next()).toBe('retry: 2000\n\n')
      expect(await stream.next()).toBe(null)
    }
    await closed
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  it('also does so in a foreign app', async () => {
    const { quire, token } = await open()
    const app = fastify()
    await app.register(quirePlugin, { quire })
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    const authorization = `Bearer ${token}`
    const stream = await openStream({
      fetch: (path, init) => fetch(`${baseUrl}${path}`, { ...init, headers: { authorization } }),
    })
    await stream.next()
    const closed = app.close()
    expect(await stream.next()).toBe(null)
    await closed
  })
})

function entry(repositoryId: string, index: number): JournalEntry {
  return {
    repositoryId,
    packageId: null,
    entityId: repositoryId,
    entityType: 'repository',
    event: 'REPOSITORY_UPDATED',
    version: null,
    status: null,
    date: index,
    user: { userName: 'ada', displayName: 'Ada', email: '' },
    requestId: 'REQ_1',
    details: {},
  }
}
