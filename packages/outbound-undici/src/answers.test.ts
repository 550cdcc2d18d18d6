import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { failure } from '../test/failure.ts'
import { aRawSink, aRequest, aSink } from '../test/sink.ts'
import { undiciOutbound } from './undici-outbound.ts'

const outbound = undiciOutbound({ allow: ['127.0.0.1'], lookup: async () => ['127.0.0.1'] })
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a request', () => {
  it('arrives as given, with the host name and without accepting encodings', async () => {
    const sink = await aSink()
    const url = `http://public.example:${sink.port}/a%20b/../c?x=1&y=%0d%0aX:1#fragment`
    await outbound.send(
      aRequest(url, {
        method: 'POST',
        headers: [
          ['Content-Type', 'application/json'],
          ['X-Twice', '1'],
          ['X-Twice', ' \t2'],
        ],
        body: '{"é":1}',
      }),
    )
    expect(sink.hits).toEqual([
      {
        method: 'POST',
        path: '/c?x=1&y=%0d%0aX:1',
        headers: [
          `host: public.example:${sink.port}`,
          'connection: keep-alive',
          'Content-Type: application/json',
          'X-Twice: 1',
          'X-Twice: 2',
          'accept-encoding: identity',
          'content-length: 8',
        ],
        body: '{"é":1}',
      },
    ])
  })

  it.each([
    ['POST', null, '0'],
    ['POST', '', '0'],
    ['POST', new TextEncoder().encode('bytes'), '5'],
    ['PUT', new TextEncoder().encode('a part of these').subarray(2, 6), '4'],
    ['PATCH', 'x', '1'],
    ['GET', null, undefined],
    ['DELETE', null, undefined],
  ])('%s with %j declares the length as %s', async (method, body, length) => {
    const sink = await aSink()
    await outbound.send(aRequest(sink.url, { method, body }))
    const { headers, body: came } = sink.hits[0]!
    expect(headers.filter((header) => /^content-length/i.test(header))).toEqual(
      length === undefined ? [] : [`content-length: ${length}`],
    )
    expect(came).toBe(body === null ? '' : typeof body === 'string' ? body : textOf(body))
  })

  it('accepts the encoding that the caller gives', async () => {
    const sink = await aSink()
    await outbound.send(aRequest(sink.url, { headers: [['Accept-Encoding', 'br']] }))
    const encodings = sink.hits[0]?.headers.filter((header) => /^accept-encoding/i.test(header))
    expect(encodings).toEqual(['Accept-Encoding: br'])
  })

  it('goes to its own host, whatever its path begins with', async () => {
    const [sink, other] = [await aSink(), await aSink()]
    await outbound.send(aRequest(`${sink.url}//127.0.0.1:${other.port}/x`))
    expect(sink.hits.map(({ path }) => path)).toEqual([`//127.0.0.1:${other.port}/x`])
    expect(other.connections()).toBe(0)
  })
})

describe('a response', () => {
  it('is returned unchanged, with every header', async () => {
    const sink = await aSink((_, response) => {
      response
        .writeHead(418, [
          ['X-One', 'a'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ])
        .end('tea')
    })
    const { status, headers, body, isCut } = await outbound.send(aRequest(sink.url))
    expect([status, textOf(body), isCut]).toEqual([418, 'tea', false])
    expect(headers.filter(([name]) => name === 'set-cookie' || name === 'x-one')).toEqual([
      ['x-one', 'a'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
  })

  it('is not decompressed', async () => {
    const packed = gzipSync('hello')
    const sink = await aSink((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    )
    const { body } = await outbound.send(aRequest(sink.url))
    expect(Buffer.from(body).equals(packed)).toBe(true)
  })

  it.each([204, 304])('of %i has no body', async (status) => {
    const sink = await aSink((_, response) => response.writeHead(status).end())
    expect(await outbound.send(aRequest(sink.url))).toMatchObject({
      status,
      body: new Uint8Array(),
      isCut: false,
    })
  })

  it('to HEAD has no body', async () => {
    const sink = await aSink((_, response) => response.writeHead(200, { 'content-length': 99 }).end())
    const answer = await outbound.send(aRequest(sink.url, { method: 'HEAD' }))
    expect(answer).toMatchObject({ status: 200, body: new Uint8Array(), isCut: false })
  })

  it('is the final one after informational responses', async () => {
    const sink = await aRawSink((socket) =>
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
        ),
      ),
    )
    expect(await outbound.send(aRequest(sink.url))).toMatchObject({ status: 200, isCut: false })
  })

  it('that ends with its connection is complete', async () => {
    const sink = await aRawSink((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it')),
    )
    const { body, isCut } = await outbound.send(aRequest(sink.url))
    expect([textOf(body), isCut]).toEqual(['all of it', false])
  })
})

describe('the bytes that are returned', () => {
  it.each([
    [0, false],
    [1, true],
    [1_024, true],
    [99_999, true],
    [100_000, false],
    [100_001, false],
  ])('of 100 000 with a limit of %i', async (maxAnswerBytes, isCut) => {
    const whole = Buffer.alloc(maxAnswerBytes === 0 ? 0 : 100_000, 'abc')
    const sink = await aSink((_, response) => response.end(whole))
    const answer = await outbound.send(aRequest(sink.url, { maxAnswerBytes }))
    expect(answer.isCut).toBe(isCut)
    expect(Buffer.from(answer.body).equals(whole.subarray(0, maxAnswerBytes))).toBe(true)
  })

  it('are limited for an endless response, which is cut off', async () => {
    let written = 0
    const piece = Buffer.alloc(65_536)
    const sink = await aRawSink((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(piece)) written += piece.length
        written += piece.length
      }
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n')
        pour()
      })
      socket.on('drain', pour)
    })
    const began = performance.now()
    const answer = await outbound.send(aRequest(sink.url))
    expect(answer).toMatchObject({ status: 200, isCut: true })
    expect(answer.body.length).toBe(65_536)
    expect(performance.now() - began).toBeLessThan(2_000)
    await expect.poll(() => sink.open()).toBe(0)
    // The content of the buffers on both sides when the connection was closed: a few MiB, not GiB.
    expect(written).toBeLessThan(32 * 1_048_576)
  })
})

describe('bytes that a server sends after a response', () => {
  it('are never taken for the response to the next request', async () => {
    const evil = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil'
    const splitting = `HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfirst${evil}`
    let answered = 0
    const sink = await aRawSink((socket) =>
      socket.on('data', () => {
        answered += 1
        socket.write(answered === 1 ? splitting : 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecond')
      }),
    )
    const first = await outbound.send(aRequest(sink.url))
    const second = await outbound.send(aRequest(sink.url))
    expect([textOf(first.body), textOf(second.body)]).toEqual(['first', 'second'])
    expect(sink.connections()).toBe(2)
  })

  it('are not taken for it when they arrive later either', async () => {
    const sink = await aRawSink((socket) =>
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine')
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil'), 20)
      }),
    )
    await outbound.send(aRequest(sink.url))
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(textOf((await outbound.send(aRequest(sink.url))).body)).toBe('fine')
  })

  it.each([
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\nX Y: 1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n',
    'HTTP/2 200 OK\r\n\r\n',
    'SSH-2.0-OpenSSH_9.9\r\n',
    '220 mail.example ESMTP\r\n',
  ])('fails the request when they are not HTTP: %j', async (text) => {
    const sink = await aRawSink((socket) => socket.once('data', () => socket.write(text)))
    const { problem, message } = await failure(outbound.send(aRequest(sink.url)))
    expect([problem, message]).toEqual(['broken', expect.stringContaining('not HTTP')])
    await expect.poll(() => sink.open()).toBe(0)
  })
})
