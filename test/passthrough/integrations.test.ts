import { once } from 'node:events'
import { request as sendPlain, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { accessTo, anotherServer, aLocation, isLeft, type Location } from './location.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a path verbatim, without the normalization of HTTP clients. */
async function send(
  { url, token }: Location,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const request = sendPlain({
    hostname,
    port,
    path,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  request.end()
  const [response] = await once(request, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

/**
 * Writes as long as the reader accepts data. Returns a function that tells how much was written.
 */
function endless(response: ServerResponse): () => number {
  const piece = Buffer.alloc(64 * 1024)
  let written = 0
  const write = () => {
    while (!response.destroyed && response.write(piece)) written += piece.length
  }
  response.on('error', () => undefined)
  response.on('drain', write)
  write()
  return () => written
}

describe('a path', () => {
  it.each([
    '../admin',
    '%2e%2e/admin',
    '%2E%2E%2Fadmin',
    '%252e%252e/admin',
    'a/..%2fadmin',
    'a/%2e%2e%5cadmin',
    '..%5cadmin',
    '/SINK',
    '//SINK/',
    'http://SINK/',
    'http:%2f%2fSINK/',
    '%00',
    'a%0d%0ab',
    '%ff',
  ])('that leads outside of the upstream is not sent: %s', async (path) => {
    const at = await aLocation()
    const upstream = await anotherServer((_, response) => response.end())
    const sink = await anotherServer((_, response) => response.end())
    const accessId = await accessTo(at, `${upstream.url}/prefix`)
    const { status } = await send(
      at,
      `/api/integration/${accessId}/${path.replace('SINK', new URL(sink.url).host)}`,
    )
    expect(status).toBe(400)
    expect([...upstream.paths, ...sink.paths]).toEqual([])
  })

  it('is sent encoded and below the prefix, and cannot select another base URL', async () => {
    const at = await aLocation()
    const sink = await anotherServer((_, response) => response.end())
    const upstream = await anotherServer((_, response) => response.end('found'))
    const accessId = await accessTo(at, `${upstream.url}/prefix`)
    const query = `api_base=${sink.url}&url=${sink.url}`
    const { status } = await send(at, `/api/integration/${accessId}/a%20b;x=1/@c?${query}`)
    expect(status).toBe(200)
    expect(upstream.paths).toEqual([`/prefix/a%20b%3Bx%3D1/%40c?${query}`])
    expect(sink.paths).toEqual([])
  })

  it('in a redirect is not followed', async () => {
    const at = await aLocation()
    const sink = await anotherServer((_, response) => response.end())
    const upstream = await anotherServer((_, response) =>
      response.writeHead(302, { location: sink.url }).end(),
    )
    const answer = await send(at, `/api/integration/${await accessTo(at, upstream.url)}/x`)
    expect(answer.status).toBe(302)
    expect(answer.headers).not.toHaveProperty('location')
    expect(sink.paths).toEqual([])
  })
})

describe('headers', () => {
  it('of the caller that identify it do not reach the upstream', async () => {
    const at = await aLocation()
    const upstream = await anotherServer((_, response) => response.end())
    const accessId = await accessTo(at, upstream.url, { apiKey: 'sk-ours' })
    await send(at, `/api/integration/${accessId}/x`, {
      cookie: 'token=CANARY',
      'proxy-authorization': 'Basic CANARY',
      'x-api-key': 'CANARY',
      'x-forwarded-for': '10.1.2.3',
      forwarded: 'for=10.1.2.3',
      'x-real-ip': '10.1.2.3',
      origin: 'http://CANARY',
      referer: 'http://CANARY',
      te: 'trailers',
      'x-request-id': 'CANARY',
      prefer: 'return=minimal',
    })
    expect(Object.keys(upstream.headers()).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'prefer',
    ])
    expect(upstream.headers()).toMatchObject({
      authorization: 'Bearer sk-ours',
      'accept-encoding': 'identity',
    })
    expect(JSON.stringify(upstream.headers())).not.toMatch(new RegExp(`CANARY|10\\.1|${at.token}`))
  })

  it('of the caller with entity tags reach the upstream unchanged, even if they look like our own', async () => {
    const at = await aLocation()
    const upstream = await anotherServer((_, response) => response.end())
    const accessId = await accessTo(at, upstream.url)
    const conditions = { 'if-match': '"a-gzip", "b"', 'if-none-match': '"c-br"' }
    await send(at, `/api/integration/${accessId}/x`, conditions)
    expect(upstream.headers()).toMatchObject(conditions)
  })

  it('of the upstream that would affect our origin do not reach the caller, and its pages cannot run here', async () => {
    const at = await aLocation()
    const upstream = await anotherServer((_, response) => {
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': 'token=theirs',
          'access-control-allow-origin': '*',
          'strict-transport-security': 'max-age=0',
          'content-security-policy': "default-src * 'unsafe-inline'",
          'www-authenticate': 'Basic',
          'clear-site-data': '"*"',
          refresh: '0; url=http://elsewhere',
          'x-request-id': 'theirs',
          'cache-control': 'public, max-age=600',
        })
        .end('<script>1</script>')
    })
    const { headers } = await send(at, `/api/integration/${await accessTo(at, upstream.url)}/x`)
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'quire-upstream-status': '200',
    })
    expect(JSON.stringify(headers)).not.toMatch(
      /theirs|access-control|transport-security|www-auth|clear-site|refresh|unsafe/,
    )
  })
})

describe('an answer', () => {
  it('is streamed', async () => {
    const at = await aLocation()
    let goOn = () => {}
    const upstream = await anotherServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      goOn = () => void response.end('data: 2\n\n')
    })
    const accessId = await accessTo(at, upstream.url)
    const answer = await at.client.integrations.pass({ accessId, path: 'x', method: 'GET' })
    const reader = answer.stream().getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n')
    goOn()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 2\n\n')
    expect((await reader.read()).done).toBe(true)
  })

  it('without an end is cut off at the size limit', async () => {
    const at = await aLocation()
    const upstream = await anotherServer((_, response) => void endless(response))
    const accessId = await accessTo(at, upstream.url, { maxBytes: 300_000 })
    const answer = await at.client.integrations.pass({ accessId, path: 'x', method: 'GET' })
    let length = 0
    const reading = (async () => {
      for await (const piece of answer.stream() as unknown as AsyncIterable<Uint8Array>)
        length += piece.length
    })()
    await expect(reading).rejects.toThrow('terminated')
    expect(length).toBeLessThanOrEqual(300_000)
    expect(await isLeft(upstream)).toBe(true)
  })

  it('that is late becomes 504, and one that stalls breaks off', async () => {
    const at = await aLocation()
    const silent = await anotherServer(() => undefined)
    const accessId = await accessTo(at, silent.url, { timeoutMs: 200 })
    const asked = at.client.integrations.pass({ accessId, path: 'x', method: 'GET' })
    await expect(asked).rejects.toMatchObject({ code: 'upstream_timeout', status: 504 })
    expect(await isLeft(silent)).toBe(true)
    const stopping = await anotherServer((_, response) => void response.write('a part'))
    const other = await accessTo(at, stopping.url, { timeoutMs: 300 })
    const answer = await at.client.integrations.pass({ accessId: other, path: 'x', method: 'GET' })
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow('terminated')
    expect(await isLeft(stopping)).toBe(true)
  })

  it('is not read faster than the caller reads it', async () => {
    const at = await aLocation()
    let written = () => 0
    const upstream = await anotherServer((_, response) => {
      written = endless(response)
    })
    const accessId = await accessTo(at, upstream.url, { maxBytes: 100 * 1024 * 1024 })
    const leaving = new AbortController()
    const { signal } = leaving
    await at.client.integrations.pass({ accessId, path: 'x', method: 'GET' }, { signal })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const before = written()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(written()).toBe(before)
    expect(written()).toBeLessThan(32 * 1024 * 1024)
    leaving.abort()
    expect(await isLeft(upstream)).toBe(true)
  })
})

describe('a caller who disconnects', () => {
  it('before the answer starts ends the request to the upstream', async () => {
    const at = await aLocation()
    const arrived = Promise.withResolvers<void>()
    const upstream = await anotherServer(() => arrived.resolve())
    const accessId = await accessTo(at, upstream.url)
    const leaving = new AbortController()
    const { signal } = leaving
    const asked = at.client.integrations.pass({ accessId, path: 'x', method: 'GET' }, { signal })
    await arrived.promise
    leaving.abort(new Error('I left'))
    await expect(asked).rejects.toThrow('I left')
    expect(await isLeft(upstream)).toBe(true)
  })

  it.each(['by the signal', 'by leaving the stream'])('during the answer ends it, too: %s', async (how) => {
    const at = await aLocation()
    const upstream = await anotherServer((_, response) => void response.write('a part'))
    const accessId = await accessTo(at, upstream.url)
    const leaving = new AbortController()
    const { signal } = leaving
    const answer = await at.client.integrations.pass({ accessId, path: 'x', method: 'GET' }, { signal })
    const reader = answer.stream().getReader()
    await reader.read()
    if (how === 'by the signal') leaving.abort()
    else await reader.cancel()
    expect(await isLeft(upstream)).toBe(true)
  })
})

describe('a body', () => {
  it('is streamed to the upstream', async () => {
    const at = await aLocation()
    const first = Promise.withResolvers<string>()
    const upstream = await anotherServer((request, response) => {
      request.once('data', (piece: Buffer) => first.resolve(piece.toString()))
      void text(request).then((all) => response.end(`${all.length}`))
    })
    const accessId = await accessTo(at, upstream.url)
    const { hostname, port } = new URL(at.url)
    const request = sendPlain({
      hostname,
      port,
      method: 'POST',
      path: `/api/integration/${accessId}/x`,
      headers: { authorization: `Bearer ${at.token}`, 'content-type': 'text/plain' },
    })
    request.write('first')
    expect(await first.promise).toBe('first')
    request.end('last')
    const [response] = await once(request, 'response')
    expect(await text(response)).toBe('9')
  })

  it('without an end is cut off at the size limit', async () => {
    const at = await aLocation()
    let came = 0
    const upstream = await anotherServer((request) => {
      request.on('data', (piece: Buffer) => (came += piece.length))
      request.on('error', () => undefined)
    })
    const accessId = await accessTo(at, upstream.url, { maxBytes: 200_000 })
    const { hostname, port } = new URL(at.url)
    const request = sendPlain({
      hostname,
      port,
      method: 'POST',
      path: `/api/integration/${accessId}/x`,
      headers: { authorization: `Bearer ${at.token}` },
    })
    request.on('error', () => undefined)
    const sending = setInterval(() => request.write(Buffer.alloc(64 * 1024)), 5)
    const [response] = await once(request, 'response')
    clearInterval(sending)
    expect(response.statusCode).toBe(413)
    request.destroy()
    expect(came).toBeLessThanOrEqual(200_000)
    expect(await isLeft(upstream)).toBe(true)
  })
})

it('a local port cannot be an upstream if it is not allowed', async () => {
  const at = await aLocation()
  await expect(accessTo(at, 'http://10.0.0.1')).rejects.toMatchObject({ code: 'invalid' })
})
