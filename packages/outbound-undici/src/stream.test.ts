import { setTimeout as wait } from 'node:timers/promises'
import type { OutboundStreamRequest } from '@quire/core/ports'
import { describe, expect, it } from 'vitest'
import { failure } from '../test/failure.ts'
import { aRequest, aSink, aStreamingSink } from '../test/sink.ts'
import { undiciOutbound } from './undici-outbound.ts'

const outbound = undiciOutbound({ allow: ['127.0.0.1'] })

const aStream = (url: string, more: Partial<OutboundStreamRequest> = {}): OutboundStreamRequest => ({
  ...aRequest(url),
  idleMs: 5_000,
  ...more,
})

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of body) text += new TextDecoder().decode(piece)
  return text
}

/** Whether a sink has no connection left, within two seconds. */
async function closed(sink: { open(): number }): Promise<boolean> {
  for (let tries = 0; sink.open() > 0 && tries < 200; tries += 1) await wait(10)
  return sink.open() === 0
}

describe('a streamed response', () => {
  it('is returned with its headers, before its end', async () => {
    let finish = () => {}
    const sink = await aSink((_, response) => {
      response.writeHead(203, { 'x-kind': 'stream' })
      response.write('first ')
      finish = () => response.end('last')
    })
    const answer = await outbound.open(aStream(sink.url))
    expect(answer.status).toBe(203)
    expect(answer.headers).toContainEqual(['x-kind', 'stream'])
    const pieces = answer.body[Symbol.asyncIterator]()
    expect(new TextDecoder().decode((await pieces.next()).value)).toBe('first ')
    finish()
    expect(new TextDecoder().decode((await pieces.next()).value)).toBe('last')
    expect((await pieces.next()).done).toBe(true)
  })

  it('passes its connection to the next request when it was read to its end', async () => {
    const sink = await aSink()
    for (let count = 0; count < 3; count += 1)
      expect(await textOf((await outbound.open(aStream(sink.url))).body)).toBe('ok')
    expect(sink.connections()).toBe(1)
  })

  it('releases its slot when nobody listens', async () => {
    const asked = Array.from({ length: 40 }, () => failure(outbound.open(aStream('http://127.0.0.1:1'))))
    const failures = await Promise.all(asked)
    expect(new Set(failures.map(({ problem }) => problem))).toEqual(new Set(['unreachable']))
  })

  it('arrives no faster than it is read', async () => {
    let written = 0
    const piece = Buffer.alloc(64 * 1024)
    const sink = await aSink((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(piece)) written += piece.length
      }
      response.on('drain', write)
      write()
    })
    const answer = await outbound.open(aStream(sink.url, { maxAnswerBytes: 1e9 }))
    await answer.body[Symbol.asyncIterator]().next()
    await wait(300)
    const before = written
    await wait(300)
    expect(written).toBe(before)
    answer.close()
    expect(await closed(sink)).toBe(true)
  })

  it.each([
    ['closed', async (answer: Awaited<ReturnType<typeof outbound.open>>) => answer.close()],
    [
      'left',
      async (answer: Awaited<ReturnType<typeof outbound.open>>) => {
        for await (const _ of answer.body) break
      },
    ],
  ])('closes its connection when it is %s', async (_, leave) => {
    const sink = await aSink((_hit, response) => void response.write('x'))
    await leave(await outbound.open(aStream(sink.url)))
    expect(await closed(sink)).toBe(true)
  })

  it('closes its connection when the signal aborts, also while it is awaited', async () => {
    const sink = await aSink((_, response) => void response.write('x'))
    const leaving = new AbortController()
    const { body } = await outbound.open(aStream(sink.url, { signal: leaving.signal }))
    const reading = textOf(body).catch((error: unknown) => error)
    leaving.abort()
    expect(await reading).toMatchObject({ problem: 'aborted' })
    expect(await closed(sink)).toBe(true)
  })

  it('fails after the most bytes', async () => {
    const sink = await aSink((_, response) => void response.write('0123456789'))
    const { body } = await outbound.open(aStream(sink.url, { maxAnswerBytes: 9 }))
    expect(await failure(textOf(body))).toMatchObject({ problem: 'broken', message: /more than 9 bytes/ })
    expect(await closed(sink)).toBe(true)
  })

  it('fails when it stalls for too long, and when it takes too long in all', async () => {
    const still = await aSink((_, response) => void response.write('x'))
    const { body } = await outbound.open(aStream(still.url, { idleMs: 50 }))
    expect(await failure(textOf(body))).toMatchObject({ problem: 'timeout' })
    const unread = await outbound.open(aStream(still.url, { totalMs: 100 }))
    expect(await closed(still)).toBe(true)
    expect(await failure(textOf(unread.body))).toMatchObject({ problem: 'timeout' })
  })

  it('fails when its connection ends early', async () => {
    const sink = await aSink((_, response) => {
      response.write('x')
      setTimeout(() => response.destroy(), 20)
    })
    const { body } = await outbound.open(aStream(sink.url))
    expect(await failure(textOf(body))).toMatchObject({ problem: 'broken' })
  })

  it('releases its slot however it ends', async () => {
    const sink = await aSink((_, response) => void response.write('x'))
    for (let count = 0; count < 40; count += 1) (await outbound.open(aStream(sink.url))).close()
    expect(await closed(sink)).toBe(true)
  })
})

describe('a streamed body', () => {
  it('arrives while it is being sent', async () => {
    const came: string[] = []
    const arrived = Promise.withResolvers<void>()
    const sink = await aStreamingSink((request, response) => {
      request.on('data', (piece: Buffer) => {
        came.push(String(piece))
        arrived.resolve()
      })
      request.on('end', () => response.end(came.join()))
    })
    async function* pieces() {
      yield Buffer.from('one')
      await arrived.promise
      yield Buffer.from('two')
    }
    const { body } = await outbound.open(aStream(sink.url, { method: 'POST', body: pieces() }))
    expect(await textOf(body)).toBe('one,two')
  })

  it('fails the request when it fails, and closes the connection', async () => {
    const sink = await aStreamingSink((request) => void request.resume())
    async function* pieces() {
      yield Buffer.from('one')
      throw new Error('gone')
    }
    const sent = outbound.open(aStream(sink.url, { method: 'POST', body: pieces() }))
    expect(await failure(sent)).toMatchObject({ problem: 'broken' })
    expect(await closed(sink)).toBe(true)
  })

  it('is read no faster than it is sent', async () => {
    let given = 0
    async function* pieces() {
      while (given < 1e9) yield Buffer.alloc(64 * 1024, (given += 64 * 1024) && 1)
    }
    const sink = await aStreamingSink((request) => void request.pause())
    const leaving = new AbortController()
    const { signal } = leaving
    const sent = outbound.open(aStream(sink.url, { method: 'POST', body: pieces(), signal }))
    const failed = failure(sent)
    await wait(300)
    const before = given
    await wait(300)
    expect(given).toBe(before)
    leaving.abort()
    expect(await failed).toMatchObject({ problem: 'aborted' })
  })
})

it.each([
  ['a private address', aStream('http://10.0.0.1/')],
  ['a header of the connection', aStream('http://127.0.0.1/', { headers: [['host', 'x']] })],
])('%s is refused before anything is sent', async (_, request) => {
  expect(await failure(outbound.open(request))).toMatchObject({ problem: 'refused' })
})

it('closing ends running streams', async () => {
  const own = undiciOutbound({ allow: ['127.0.0.1'] })
  const sink = await aSink((_, response) => void response.write('x'))
  const { body } = await own.open(aStream(sink.url))
  await own.close()
  expect(await failure(textOf(body))).toMatchObject({ problem: 'aborted' })
  expect(await closed(sink)).toBe(true)
})
