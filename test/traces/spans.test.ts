import type { Server } from 'node:http'
import { context, trace, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { systemIdentity } from '@quire/core'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { registerSdk, treeOf } from './sdk.ts'
import { aFolder, aNote, openEngine, openReceiver, prepare, serve } from './service.ts'

const exporter = registerSdk()
afterEach(() => exporter.reset())

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const system = systemIdentity('test')

const spanNamed = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name)

/** A service whose webhook goes to a receiver. Its own spans so far are forgotten. */
async function open(path = '') {
  const { url, received } = await openReceiver()
  const quire = await openEngine(aFolder())
  onTestFinished(() => quire.close())
  const api = quire.as(system)
  await prepare(api, `${url}${path}`)
  const service = await serve(quire)
  await quire.settled()
  exporter.reset()
  return { ...service, quire, api, received }
}

describe('a request', () => {
  it('is one trace up to the webhook, through another engine on the store', async () => {
    const { url, received } = await openReceiver()
    const folder = aFolder()
    const first = await openEngine(folder, { jobs: 'elsewhere' })
    await prepare(first.as(system), url)
    const { send } = await serve(first)
    exporter.reset()
    expect((await send('/api/items', aNote('Ink', { traceparent }))).status).toBe(201)
    await first.close()

    const second = await openEngine(folder)
    second.work()
    await expect.poll(() => received.length).toBe(1)
    await second.close()
    const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId)
    expect(treeOf(spans)).toEqual([
      'items.create',
      '  quire.transaction',
      '    process webhook.deliver',
      '      POST',
    ])
    expect(spans.find(({ name }) => name === 'items.create')?.parentSpanContext).toMatchObject({
      spanId: '00f067aa0ba902b7',
      isRemote: true,
    })
    const sent = spans.find(({ name }) => name === 'POST')?.spanContext().spanId
    expect(received[0]?.headers['traceparent']).toBe(`00-${traceId}-${sent}-01`)
  })

  it('has attributes of the operation, and of where it works', async () => {
    const { send, quire, api, entries } = await open()
    const { id: repository } = await api.repositories.get({ id: 'magazine' })
    exporter.reset()
    await send('/api/items', aNote('Ink', { 'x-request-id': 'request-1', traceparent }))
    await quire.settled()
    expect(spanNamed('items.create')).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: {
        'quire.operation': 'items.create',
        'quire.principal.kind': 'service',
        'quire.request.id': 'request-1',
        'quire.repository': repository,
      },
    })
    expect(spanNamed('quire.transaction')?.attributes).toEqual({
      'quire.transaction.wait_ms': expect.any(Number),
    })
    expect(spanNamed('process webhook.deliver')).toMatchObject({
      kind: SpanKind.CONSUMER,
      attributes: { 'quire.job.kind': 'webhook.deliver', 'quire.job.attempt': 1 },
    })
    expect(spanNamed('POST')).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
      },
    })
    await expect.poll(() => entries.at(-1)).toMatchObject({ requestId: 'request-1', traceId })
  })

  it('has the same attributes if the answer was kept', async () => {
    const { send, api } = await open()
    const { id: repository } = await api.repositories.get({ id: 'magazine' })
    for (const _again of [1, 2]) {
      exporter.reset()
      await send('/api/items/magazine')
      expect(spanNamed('items.list')?.attributes).toMatchObject({ 'quire.repository': repository })
    }
  })

  it('begins a trace of its own if the header is malformed', async () => {
    const { send } = await open()
    await send('/api/items/magazine', { headers: { traceparent: `${traceparent}-01` } })
    const span = spanNamed('items.list')
    expect(span?.parentSpanContext).toBeUndefined()
    expect(span?.spanContext().traceId).not.toBe(traceId)
  })

  it('is a child of the span of the host, whatever the header says', async () => {
    const { send, server } = await open()
    instrument(server)
    expect((await send('/api/items', aNote('Ink', { traceparent }))).status).toBe(201)
    await expect.poll(() => spanNamed('host')).toBeDefined()
    const host = spanNamed('host')?.spanContext()
    expect(spanNamed('items.create')?.parentSpanContext).toMatchObject({ spanId: host?.spanId })
  })

  it('that is refused says why, and is not an error', async () => {
    const { send } = await open()
    expect((await send('/api/items/magazine/slug/absent')).status).toBe(404)
    const span = spanNamed('items.getBySlug')
    expect(span?.attributes).toMatchObject({ 'error.type': 'not_found' })
    expect(span?.status.code).toBe(SpanStatusCode.UNSET)
  })
})

it('a delivery that fails is an error, of the request and of the job', async () => {
  const { send, quire } = await open('/fails')
  await send('/api/items', aNote('Ink'))
  await quire.settled()
  expect(spanNamed('POST')).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { 'error.type': '500', 'http.response.status_code': 500 },
  })
  expect(spanNamed('process webhook.deliver')?.status).toEqual({ code: SpanStatusCode.ERROR })
})

it('a call in process is a child of the active span', async () => {
  const { api } = await open()
  const span = trace.getTracer('host').startSpan('host')
  await context.with(trace.setSpan(context.active(), span), () => api.items.list({ configId: 'magazine' }))
  expect(spanNamed('items.list')?.parentSpanContext?.spanId).toBe(span.spanContext().spanId)
})

it('jobs do not belong to the request that was running when they began', async () => {
  const { quire, api } = await open()
  const span = trace.getTracer('host').startSpan('host')
  await context.with(trace.setSpan(context.active(), span), async () => {
    quire.work()
    await api.items.list({ configId: 'magazine' })
  })
  await quire.settled()
  const jobs = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CONSUMER)
  expect(jobs.length).toBeGreaterThan(0)
  expect(jobs.map(({ parentSpanContext }) => parentSpanContext)).toEqual(jobs.map(() => undefined))
})

it('instrumentation of the host sees no requests to other servers', async () => {
  const active: boolean[] = []
  const outbound = {
    send: async () => {
      const span = trace.getTracer('undici').startSpan('instrumented')
      active.push(span.isRecording())
      return { status: 204, headers: [], body: new Uint8Array(), isCut: false }
    },
    open: () => Promise.reject(new Error('not used')),
    problemOf: () => null,
    close: async () => undefined,
  }
  const quire = await openEngine(aFolder(), { outbound })
  onTestFinished(() => quire.close())
  await prepare(quire.as(system), 'https://hooks.example.com/')
  await quire.as(system).items.create({ repositoryId: 'magazine', type: 'note', name: 'Ink' })
  await quire.settled()
  expect(active).toEqual([false])
})

it('spans have no content, no secret and no name of a person', async () => {
  const { send, token, quire, api } = await open('/secret-path?secret-query')
  const [hook] = (await api.webhooks.list({})).items
  const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
  await api.webhooks.update({
    id: hook?.id ?? '',
    secret,
    headers: [{ name: 'X-Key', value: 'header-secret' }],
  })
  await api.users.create({ id: 'eva@example.com', name: 'Eva Person' })
  await send('/api/items', aNote('Content of the note'))
  await send('/api/items/magazine/slug/content-of-the-note')
  await send('/api/items/magazine?search=searched-words')
  await send('/api/items', aNote('Unknown', { 'idempotency-key': 'key-of-the-call' }))
  await send('/api/security/users/eva@example.com')
  await send('/api/security/users/nobody@example.com')
  await quire.settled()
  const spans = exporter.getFinishedSpans()
  expect(spans.length).toBeGreaterThan(10)
  const recorded = spans.flatMap(({ name, attributes, events, status }) => [name, attributes, events, status])
  const text = JSON.stringify(recorded)
  const canaries = [
    token,
    secret,
    'secret',
    'Content',
    'content-of',
    'searched',
    'key-of',
    'eva',
    '@',
    'magazine',
  ]
  expect(canaries.filter((canary) => text.toLowerCase().includes(canary.toLowerCase()))).toEqual([])
})

/** What instrumentation of HTTP does: each request is handled in a span. */
function instrument(server: Server): void {
  const emit = server.emit.bind(server) as (event: string, ...given: unknown[]) => boolean
  const emitInSpan = (event: string, ...given: unknown[]) => {
    if (event !== 'request') return emit(event, ...given)
    const span = trace.getTracer('host').startSpan('host', { kind: SpanKind.SERVER })
    const [, response] = given as [unknown, NodeJS.EventEmitter]
    response.once('close', () => span.end())
    return context.with(trace.setSpan(context.active(), span), () => emit(event, ...given))
  }
  Object.assign(server, { emit: emitInSpan })
}
