import { fastify, type FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createTimings, timeRequests, type EndedRequest } from './request-timings.ts'

const read: EndedRequest = { method: 'GET', route: '/api/items/:configId/:id', status: '2xx', seconds: 0.002 }
const labels = 'method="GET",route="/api/items/:configId/:id",status="2xx"'
const bucket = (le: string | number) => `quire_http_request_duration_seconds_bucket{${labels},le="${le}"}`

describe('timings of requests', () => {
  it('are a histogram: each bucket counts requests that were as fast or faster', () => {
    const timings = createTimings()
    for (const seconds of [0.0005, 0.001, 0.0011, 0.3, 31]) timings.observe({ ...read, seconds })
    const rows = timings.text().split('\n')
    expect(rows.slice(0, 2)).toEqual([
      '# HELP quire_http_request_duration_seconds Seconds from the request headers to the end of the response.',
      '# TYPE quire_http_request_duration_seconds histogram',
    ])
    expect(rows).toContain(`${bucket(0.001)} 2`)
    expect(rows).toContain(`${bucket(0.0025)} 3`)
    expect(rows).toContain(`${bucket(0.25)} 3`)
    expect(rows).toContain(`${bucket(0.5)} 4`)
    expect(rows).toContain(`${bucket(30)} 4`)
    expect(rows).toContain(`${bucket('+Inf')} 5`)
    expect(rows).toContain(`quire_http_request_duration_seconds_count{${labels}} 5`)
    const sum = rows.find((row) => row.startsWith(`quire_http_request_duration_seconds_sum{${labels}} `))
    expect(Number(sum?.split(' ')[1])).toBeCloseTo(31.3026, 6)
  })

  it('are separate by method, route and status, and empty at first', () => {
    const timings = createTimings()
    expect(timings.text().split('\n')).toHaveLength(2)
    timings.observe(read)
    timings.observe({ ...read, method: 'HEAD' })
    timings.observe({ ...read, status: '4xx' })
    timings.observe({ ...read, route: 'none' })
    const counts = timings.text().match(/_count\{.*/g)
    expect(counts).toHaveLength(4)
    expect(new Set(counts).size).toBe(4)
  })
})

describe('an app whose requests are timed', () => {
  let app: FastifyInstance
  afterEach(() => app.close())

  async function served(): Promise<{ ended: EndedRequest[]; address: string }> {
    const ended: EndedRequest[] = []
    app = fastify({ logger: false })
    app.get('/things/:id', (request, reply) => {
      const { id } = request.params as { id: string }
      if (id === 'slow') return
      void reply.code(id === 'gone' ? 404 : 200).send({ id })
    })
    timeRequests(app, { observe: (request) => void ended.push(request) })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { ended, address: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
  }

  it('counts each by the pattern of its route, never by its path', async () => {
    const { ended, address } = await served()
    for (const id of ['secret-1', 'gone']) await (await fetch(`${address}/things/${id}?q=x`)).text()
    await (await fetch(`${address}/nowhere/secret-2`)).text()
    await expect.poll(() => ended.length).toBe(3)
    expect(ended.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/things/:id', '2xx'],
      ['GET', '/things/:id', '4xx'],
      ['GET', 'none', '4xx'],
    ])
    for (const { seconds } of ended) expect(seconds).toBeGreaterThan(0)
    expect(JSON.stringify(ended)).not.toContain('secret')
  })

  it('counts callers who disconnect before the response', async () => {
    const { ended, address } = await served()
    const leaving = new AbortController()
    const left = fetch(`${address}/things/slow`, { signal: leaving.signal }).catch(() => 'left')
    setTimeout(() => leaving.abort(), 50)
    expect(await left).toBe('left')
    await expect.poll(() => ended.map(({ status }) => status)).toEqual(['aborted'])
  })
})
