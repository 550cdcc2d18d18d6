import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { failure } from '../test/failure.ts'
import { aFreePort, aRawSink, aRequest, aSink } from '../test/sink.ts'
import { undiciOutbound } from './undici-outbound.ts'

const outbound = undiciOutbound({ allow: ['127.0.0.1', '192.0.2.0/24'], lookup: async () => ['127.0.0.1'] })

/** Why a request failed, and after how many milliseconds. */
async function failing(work: Promise<unknown>) {
  const began = performance.now()
  const { problem, message, cause } = await failure(work)
  return { problem, message, cause, ms: performance.now() - began }
}

const inTime = (ms: number, limit: number) => {
  expect(ms).toBeGreaterThanOrEqual(limit * 0.99)
  expect(ms).toBeLessThanOrEqual(limit * 1.1)
}

describe('within its time limit ends', () => {
  it('a request that nobody answers', async () => {
    const sink = await aRawSink((socket) => socket.resume())
    const { problem, message, ms } = await failing(outbound.send(aRequest(sink.url, { totalMs: 1_500 })))
    expect([problem, message]).toEqual(['timeout', 'There was no complete response within 1.5 s.'])
    inTime(ms, 1_500)
    await expect.poll(() => sink.open()).toBe(0)
  })

  it.each([
    ['of a byte at a time', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', 'x'],
    ['of a header at a time', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
    ['that is always announced', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['of a chunk at a time', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ])('a response %s', async (_, head, more) => {
    const dribble = (socket: Socket) => {
      socket.write(head)
      const timer = setInterval(() => socket.write(more), 50)
      socket.on('close', () => clearInterval(timer))
    }
    const sink = await aRawSink((socket) => socket.once('data', () => dribble(socket)))
    const { problem, ms } = await failing(outbound.send(aRequest(sink.url, { totalMs: 1_500 })))
    expect(problem).toBe('timeout')
    inTime(ms, 1_500)
    await expect.poll(() => sink.open()).toBe(0)
  })

  it('a request whose body nobody reads', async () => {
    const sink = await aRawSink((socket) => socket.pause())
    const body = new Uint8Array(16 * 1_048_576)
    const { problem, ms } = await failing(
      outbound.send(aRequest(sink.url, { method: 'POST', body, totalMs: 1_500 })),
    )
    expect(problem).toBe('timeout')
    inTime(ms, 1_500)
  })

  it('a connection that cannot be opened', async () => {
    const url = 'http://192.0.2.1/'
    const { problem, message, ms } = await failing(outbound.send(aRequest(url, { connectMs: 1_500 })))
    // On a machine without a network, this fails at once.
    if (problem === 'unreachable') return
    expect([problem, message]).toEqual(['timeout', 'There was no connection within 1.5 s.'])
    inTime(ms, 1_500)
  })

  it('TLS that nobody answers', async () => {
    const sink = await aRawSink((socket) => socket.resume())
    const url = sink.url.replace('http:', 'https:')
    const { problem, message, ms } = await failing(outbound.send(aRequest(url, { connectMs: 1_500 })))
    expect([problem, message]).toEqual(['timeout', 'There was no connection within 1.5 s.'])
    inTime(ms, 1_500)
    await expect.poll(() => sink.open()).toBe(0)
  })

  it('a name whose lookup does not end', async () => {
    const deaf = undiciOutbound({ lookup: () => new Promise(() => undefined) })
    const { problem, message, ms } = await failing(
      deaf.send(aRequest('http://silent.example', { connectMs: 1_500 })),
    )
    expect([problem, message]).toEqual(['timeout', 'There was no connection within 1.5 s.'])
    inTime(ms, 1_500)
  })

  it('a request whose total time is shorter than the time to connect', async () => {
    const deaf = undiciOutbound({ lookup: () => new Promise(() => undefined) })
    const { message, ms } = await failing(deaf.send(aRequest('http://silent.example', { totalMs: 1_500 })))
    expect(message).toBe('There was no complete response within 1.5 s.')
    inTime(ms, 1_500)
  })
})

describe('cannot be reached', () => {
  it('a name that does not exist', async () => {
    const nowhere = undiciOutbound({
      lookup: async () => {
        throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
      },
    })
    const { problem, message } = await failing(nowhere.send(aRequest('http://nowhere.example')))
    expect([problem, message]).toEqual([
      'unreachable',
      '"nowhere.example" cannot be reached: the name does not exist.',
    ])
  })

  it('a name without addresses', async () => {
    const empty = undiciOutbound({ lookup: async () => [] })
    expect((await failing(empty.send(aRequest('http://nowhere.example')))).problem).toBe('unreachable')
  })

  it('a name that the system cannot resolve', async () => {
    const { problem } = await failing(undiciOutbound().send(aRequest('http://nowhere.invalid')))
    expect(problem).toBe('unreachable')
  })

  it('a port where nobody listens, without revealing the address', async () => {
    const port = await aFreePort()
    const { problem, message, cause } = await failing(
      outbound.send(aRequest(`http://public.example:${port}`)),
    )
    expect([problem, message]).toEqual([
      'unreachable',
      '"public.example" cannot be reached: nothing accepts connections there.',
    ])
    expect(cause).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('a server that does not speak TLS', async () => {
    const sink = await aSink()
    const { problem, message } = await failing(outbound.send(aRequest(sink.url.replace('http:', 'https:'))))
    expect([problem, message]).toEqual([
      'unreachable',
      '"127.0.0.1" cannot be reached: the TLS handshake failed.',
    ])
    expect(sink.hits).toEqual([])
  })

  it('one of several addresses, but another one answers', async () => {
    const sink = await aSink()
    const both = undiciOutbound({ allow: ['127.0.0.0/8', '::1'], lookup: async () => ['::1', '127.0.0.1'] })
    expect((await both.send(aRequest(`http://public.example:${sink.port}`))).status).toBe(200)
  })
})

describe('breaks', () => {
  it.each([
    ['before the response', ''],
    ['in its headers', 'HTTP/1.1 200 OK\r\nX: 1'],
    ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfive!'],
    ['in its chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfi'],
  ])('a connection that ends %s', async (_, text) => {
    const sink = await aRawSink((socket) => socket.once('data', () => socket.end(text)))
    const { problem, message } = await failing(
      outbound.send(aRequest(sink.url, { method: 'POST', body: 'x' })),
    )
    expect([problem, message]).toEqual(['broken', expect.stringMatching(/ended before|not HTTP/)])
    expect(sink.connections()).toBe(1)
  })

  it('a connection that is reset', async () => {
    const sink = await aRawSink((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect((await failing(outbound.send(aRequest(sink.url)))).problem).toBe('broken')
    expect(sink.connections()).toBe(1)
  })

  it('a response whose headers are too large', async () => {
    const sink = await aRawSink((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)),
    )
    const { problem, message } = await failing(outbound.send(aRequest(sink.url)))
    expect([problem, message]).toEqual([
      'broken',
      'The response is not HTTP/1.1, or its headers are too large.',
    ])
  })
})

describe('is canceled', () => {
  it('before it is sent', async () => {
    const sink = await aSink()
    const signal = AbortSignal.abort(new Error('enough'))
    const { problem, message, cause } = await failing(outbound.send(aRequest(sink.url, { signal })))
    expect([problem, message, cause]).toEqual(['aborted', 'The request was canceled.', new Error('enough')])
    expect(sink.connections()).toBe(0)
  })

  it.each([
    ['before the answer', ''],
    ['in the middle of the answer', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfive!'],
  ])('%s', async (_, text) => {
    const controller = new AbortController()
    const sink = await aRawSink((socket) =>
      socket.once('data', () => {
        socket.write(text)
        setTimeout(() => controller.abort(), 50)
      }),
    )
    const { problem, ms } = await failing(outbound.send(aRequest(sink.url, { signal: controller.signal })))
    expect(problem).toBe('aborted')
    expect(ms).toBeLessThan(500)
    await expect.poll(() => sink.open()).toBe(0)
  })

  it('while its name is resolved, and does not connect afterwards', async () => {
    const sink = await aSink()
    const found = Promise.withResolvers<readonly string[]>()
    const slow = undiciOutbound({ allow: ['127.0.0.1'], lookup: () => found.promise })
    const controller = new AbortController()
    const url = `http://public.example:${sink.port}`
    const work = failing(slow.send(aRequest(url, { signal: controller.signal })))
    setTimeout(() => controller.abort(), 20)
    expect((await work).problem).toBe('aborted')
    found.resolve(['127.0.0.1'])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(sink.connections()).toBe(0)
  })
})
