import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../contract.ts'
import { events } from '../automation/events/endpoints.ts'
import { createEventsDecoder } from './decode-events.ts'
import { decodeInput, encodeEvents, type StreamedEvent } from './index.ts'

const context = { method: 'GET', requestId: 'REQ_1' }

function streamOf(messages: AsyncIterator<StreamedEvent>, heartbeatMs?: number) {
  const { open } = encodeEvents({ messages: () => messages }, { ...context, heartbeatMs })
  if (!open) throw new Error('The response has no body')
  return open()
}

async function* each<T>(values: Iterable<T | Promise<T>>): AsyncGenerator<T> {
  yield* values
}

async function wholeText(texts: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const text of texts) whole += text
  return whole
}

/** A source that sends nothing until it is left. */
function silence() {
  const { promise, resolve } = Promise.withResolvers<IteratorReturnResult<undefined>>()
  const over = { done: true, value: undefined } as const
  return {
    next: () => promise,
    return: async () => {
      resolve(over)
      return over
    },
  }
}

describe('a stream of events', () => {
  it('sends the id, the name, and the data in one line', async () => {
    const messages = each<StreamedEvent>([
      { id: 'a1', name: 'ITEM_CREATED', data: { text: 'one\ntwo\r\u{2028}' } },
      { data: null },
    ])
    expect(await wholeText(streamOf(messages))).toBe(
      'retry: 2000\n\nid: a1\nevent: ITEM_CREATED\ndata: {"text":"one\\ntwo\\r\u{2028}"}\n\ndata: null\n\n',
    )
  })

  it('is not cached or buffered, and HEAD does not open one', () => {
    const source = { messages: () => expect.unreachable('nobody reads it') }
    const { status, headers, open } = encodeEvents(source, { ...context, method: 'HEAD' })
    expect({ status, open }).toEqual({ status: 200, open: undefined })
    expect(headers).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': 'REQ_1',
    })
  })

  it('sends a heartbeat while nothing happens, and loses no event', async () => {
    const { promise, resolve } = Promise.withResolvers<StreamedEvent>()
    const texts = streamOf(each([promise]), 5)
    await texts.next()
    expect([await texts.next(), await texts.next()]).toEqual([
      { done: false, value: ':\n\n' },
      { done: false, value: ':\n\n' },
    ])
    resolve({ data: 1 })
    expect(await texts.next()).toEqual({ done: false, value: 'data: 1\n\n' })
    expect(await texts.next()).toEqual({ done: true, value: undefined })
  })

  it('ends when it is left while it is waiting', async () => {
    const texts = streamOf(silence())
    await texts.next()
    const waiting = texts.next()
    await texts.return()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('survives the round trip, however its text is cut', async () => {
    const event = fc.record({ id: fc.stringMatching(/^[\w-]{1,9}$/), data: fc.jsonValue() })
    await fc.assert(
      fc.asyncProperty(fc.array(event), fc.array(fc.nat(20)), async (sent, cuts) => {
        const decode = createEventsDecoder()
        let text = await wholeText(streamOf(each(sent)))
        const values: unknown[] = []
        for (const cut of [...cuts, text.length]) {
          values.push(...decode(text.slice(0, cut)))
          text = text.slice(cut)
        }
        expect(values).toEqual(sent.map(({ data }) => JSON.parse(JSON.stringify(data))))
      }),
    )
  })

  it('is read with any line endings', () => {
    const decode = createEventsDecoder()
    expect(decode('\u{feff}: hello\r\ndata:1\r\rdata: [\ndata: 2\ndata: ]\n\ndata: 3')).toEqual([1, [2]])
    expect(() => decode('\n\ndata: nonsense\n\n')).toThrow(SyntaxError)
  })
})

describe('the position to continue from', () => {
  const decoded = (query: object, lastEventId?: string, endpoint = events.stream) =>
    decodeInput(endpoint, { params: {}, query: { ...query }, lastEventId })

  it('is taken from the header that a browser sends, rather than from the URL', () => {
    expect(decoded({ repositories: 'a,b' }, 'x')).toEqual({ repositories: ['a', 'b'], lastEventId: 'x' })
    expect(decoded({ lastEventId: 'old' }, 'new')).toEqual({ lastEventId: 'new' })
    expect(decoded({ lastEventId: 'old' }, '')).toEqual({ lastEventId: 'old' })
    expect(decoded({})).toEqual({})
  })

  it('is ignored by operations that do not take one', () => {
    const others = endpoints.filter(({ endpoint }) => !('lastEventId' in endpoint.input.shape))
    expect(others.length).toBeGreaterThan(100)
    for (const { endpoint } of others)
      expect(decodeInput(endpoint, { params: {}, query: {}, lastEventId: 'x' })).toEqual({})
  })
})

describe('operations that stream events', () => {
  const streams = endpoints.filter(({ endpoint }) => endpoint.answer === 'events')

  it('are reads, without idempotency keys and dry runs', () => {
    expect(streams.length).toBeGreaterThan(1)
    for (const { endpoint } of streams) {
      expect(endpoint).toMatchObject({ method: 'GET', success: 200 })
      expect(endpoint.errors).toContain('too_many_requests')
      expect(endpoint.errors).not.toContain('idempotency_mismatch')
      expect(endpoint.input.shape).not.toHaveProperty('dryRun')
    }
  })

  it('have one event as their example', () => {
    for (const { endpoint } of streams)
      expect(endpoint.output.parse(endpoint.example.output)).toEqual(endpoint.example.output)
  })
})
