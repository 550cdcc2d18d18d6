import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoints } from '@quire/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, isQuireError, QuireError, TokenError, type ClientOptions } from './index.ts'

interface Received {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answer = (request: Received, response: ServerResponse) => void

let requests: Received[] = []
let answer: Answer = () => {}
let baseUrl = ''

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const received = {
      line: `${request.method} ${request.url}`,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(received)
    answer(received, response)
  })
})

beforeEach(async () => {
  requests = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Answers with JSON. */
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

/** Gives one answer after the other, and repeats the last one. */
function answers(...list: Answer[]): Answer {
  return (request, response) => (list.length > 1 ? list.shift() : list[0])?.(request, response)
}

const ok = json(200, { count: 0, items: [] })
const failing = (status: number, headers = {}): Answer =>
  json(status, { error: true, code: codes[status], message: 'no', requestId: 'REQ_1' }, headers)
const codes: Record<number, string> = {
  401: 'unauthorized',
  404: 'not_found',
  429: 'too_many_requests',
  500: 'internal',
  503: 'unavailable',
}
const breakOff: Answer = (_, response) => response.socket?.destroy()
const breakOffInTheMiddle: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"count":', () => response.socket?.destroy())
}

const isToken = ({ line }: Received) => line === 'POST /oauth2/token'
const tokenRequests = () => requests.filter(isToken)
const calls = () => requests.filter((request) => !isToken(request))
const auth = { clientId: 'SVCA_1', clientSecret: 'secret' }
const item = { configId: 'magazine', id: 'CONT_1' }

/** Issues token-1, token-2…, and answers every other request with `then`. */
function issuing(then: Answer, expiresIn = 3600): Answer {
  return (request, response) => {
    if (!isToken(request)) return then(request, response)
    const token = {
      access_token: `token-${tokenRequests().length}`,
      expires_in: expiresIn,
      token_type: 'Bearer',
    }
    json(200, token)(request, response)
  }
}

function client(options: Partial<ClientOptions> = {}) {
  return createClient({ baseUrl, retry: { backoffMs: 5 }, ...options })
}

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it was fulfilled'),
    (error: unknown) => error,
  )
}

describe('the client', () => {
  it('has every operation of the contract', () => {
    const operations = Object.entries(client()).flatMap(([group, members]) =>
      Object.keys(members).map((operation) => `${group}.${operation}`),
    )
    const own = ['assets.upload', 'assets.download']
    expect(new Set(operations.filter((name) => !own.includes(name)))).toEqual(
      new Set(endpoints.map(({ group, operation }) => `${group}.${operation}`)),
    )
  })

  it('sends a call and returns its value', async () => {
    answer = json(200, { id: 'CONT_1', name: 'Ink' })
    await expect(client().items.get({ ...item, select: ['id', 'name'] })).resolves.toEqual({
      id: 'CONT_1',
      name: 'Ink',
    })
    expect(requests[0]?.line).toBe('GET /api/items/magazine/CONT_1?select=id%2Cname')
    expect(requests[0]?.headers).toMatchObject({ accept: 'application/json' })
    expect(requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('sends a body and the options of the call', async () => {
    answer = json(201, { id: 'CONT_1' })
    const options = { idempotencyKey: 'key-1', requestId: 'mine', ifMatch: 'r7' }
    await client().items.create({ repositoryId: 'magazine', type: 'article', name: 'Ink' }, options)
    expect(requests[0]).toMatchObject({
      line: 'POST /api/items',
      body: '{"repositoryId":"magazine","type":"article","name":"Ink"}',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'key-1',
        'x-request-id': 'mine',
        'if-match': '"r7"',
      },
    })
  })

  it('can be called without an input if none is needed', async () => {
    answer = ok
    await expect(client().roles.list()).resolves.toEqual({ count: 0, items: [] })
  })

  it('returns undefined for a response without a body', async () => {
    answer = (_, response) => response.writeHead(204).end()
    await expect(client().roles.delete({ id: 'ROLE_1' })).resolves.toBeUndefined()
  })

  it('keeps the path that the service is mounted under', async () => {
    answer = ok
    await client({ baseUrl: `${baseUrl}/quire/` }).roles.list()
    expect(requests[0]?.line).toBe('GET /quire/api/security/roles')
  })

  it('rejects an invalid baseUrl when it is created', () => {
    expect(() => createClient({ baseUrl: 'content.example.org' })).toThrow(
      'baseUrl is not a URL: content.example.org',
    )
  })

  it('sends the headers in its options, with the fetch in its options', async () => {
    answer = ok
    const fetch = vi.fn<typeof globalThis.fetch>((...args) => globalThis.fetch(...args))
    await client({ headers: { 'x-tenant': 'magazine' }, fetch }).roles.list()
    expect(requests[0]?.headers).toMatchObject({ 'x-tenant': 'magazine' })
    expect(fetch).toHaveBeenCalledTimes(1)
  })
})

describe('errors', () => {
  it('are those that the service sent', async () => {
    const body = {
      error: true,
      code: 'invalid',
      message: 'see issues',
      requestId: 'REQ_9',
      issues: [{ path: 'name', message: 'is required' }],
    }
    answer = json(400, body)
    const error = await rejection(client().items.get(item))
    expect(isQuireError(error)).toBe(true)
    expect(error).toBeInstanceOf(QuireError)
    expect(error).toMatchObject({ code: 'invalid', status: 400, requestId: 'REQ_9', issues: body.issues })
  })

  it('can be distinguished from other errors', () => {
    expect(
      [new Error('x'), new TokenError(401, 'x'), null, { name: 'QuireError', code: 'x' }].map(isQuireError),
    ).toEqual([false, false, false, false])
  })

  it('say when something other than Quire answered', async () => {
    answer = (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>')
    await expect(client().items.get(item)).rejects.toThrow(
      expect.objectContaining({
        code: 'not_found',
        message: expect.stringContaining('not Quire: check baseUrl'),
      }),
    )
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    await expect(client().items.get(item)).rejects.toThrow(expect.objectContaining({ code: 'internal' }))
  })

  it('name the member that cannot be sent, before anything is sent', async () => {
    await expect(client().items.get({ ...item, id: '..' })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid', issues: [expect.objectContaining({ path: 'id' })] }),
    )
    expect(requests).toEqual([])
  })

  it('say that there was no response', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', retry: { limit: 0 } })
    await expect(nobody.items.get(item)).rejects.toThrow(expect.objectContaining({ code: 'unavailable' }))
  })

  it('have a request id: the given one, or one that shows that the client made it', async () => {
    const unsent = { ...item, id: '..' }
    await expect(rejection(client().items.get(unsent))).resolves.toMatchObject({
      requestId: expect.stringMatching(/^client-[\w.-]+$/),
    })
    await expect(rejection(client().items.get(unsent, { requestId: 'mine' }))).resolves.toMatchObject({
      requestId: 'mine',
    })
  })

  it('say that the response took too long, body included', async () => {
    answer = (_, response) => response.writeHead(200).write('{')
    const error = await rejection(client({ timeoutMs: 100 }).items.get(item))
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('timeoutMs') })
    expect(requests).toHaveLength(1)
  })
})

describe('tokens', () => {
  it('are requested once for a hundred concurrent calls, and cached', async () => {
    answer = issuing(ok)
    const quire = client({ auth })
    await Promise.all(Array.from({ length: 100 }, () => quire.roles.list()))
    await quire.roles.list()
    expect(tokenRequests().map(({ body }) => body)).toEqual([
      'grant_type=client_credentials&client_id=SVCA_1&client_secret=secret',
    ])
    expect(calls().map(({ headers }) => headers.authorization)).toEqual(Array(101).fill('Bearer token-1'))
  })

  it('are not sent when requesting tokens or keys', async () => {
    answer = json(200, { keys: [] })
    await client({ auth }).auth.keys()
    expect(requests.map(({ line, headers }) => [line, headers.authorization])).toEqual([
      ['GET /oauth2/jwks', undefined],
    ])
  })

  it('are renewed a minute before they expire, and not earlier', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    answer = issuing(ok)
    const quire = client({ auth })
    await quire.roles.list()
    vi.setSystemTime(3_539_000)
    await quire.roles.list()
    expect(tokenRequests()).toHaveLength(1)
    vi.setSystemTime(3_540_000)
    await Promise.all([quire.roles.list(), quire.roles.list()])
    expect(tokenRequests()).toHaveLength(2)
    expect(calls().at(-1)?.headers.authorization).toBe('Bearer token-2')
  })

  it('that are valid for less than two minutes are cached for half that time', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    answer = issuing(ok, 30)
    const quire = client({ auth })
    await quire.roles.list()
    vi.setSystemTime(14_000)
    await quire.roles.list()
    expect(tokenRequests()).toHaveLength(1)
    vi.setSystemTime(15_000)
    await quire.roles.list()
    expect(tokenRequests()).toHaveLength(2)
  })

  it('are renewed once when a hundred concurrent calls are rejected, and each call is sent once more', async () => {
    answer = issuing((request, response) =>
      request.headers.authorization === 'Bearer token-1'
        ? failing(401)(request, response)
        : ok(request, response),
    )
    const quire = client({ auth })
    const input = { repositoryId: 'magazine', type: 'article', name: 'Ink' }
    await Promise.all(Array.from({ length: 100 }, () => quire.items.create(input)))
    expect(tokenRequests()).toHaveLength(2)
    expect(calls()).toHaveLength(200)
  })

  it('are renewed only once: a second 401 is the result', async () => {
    answer = issuing(failing(401))
    await expect(client({ auth }).roles.list()).rejects.toThrow(
      expect.objectContaining({ code: 'unauthorized' }),
    )
    expect(requests.map(({ line }) => line)).toEqual([
      'POST /oauth2/token',
      'GET /api/security/roles',
      'POST /oauth2/token',
      'GET /api/security/roles',
    ])
  })

  it('that cannot be requested reject all waiting calls, and the next call tries again', async () => {
    answer = answers(json(401, { error: 'invalid_client' }), issuing(ok))
    const quire = client({ auth })
    const errors = await Promise.all(Array.from({ length: 20 }, () => rejection(quire.roles.list())))
    const description = 'No such client, or not its secret: check clientId and clientSecret.'
    expect(errors).toEqual(errors.map(() => new TokenError(401, 'invalid_client', { description })))
    expect(requests).toHaveLength(1)
    await expect(quire.roles.list()).resolves.toEqual({ count: 0, items: [] })
  })

  it('are requested again after the service was briefly unavailable', async () => {
    answer = answers(failing(503, { 'retry-after': '0' }), breakOff, issuing(ok))
    await expect(client({ auth }).roles.list()).resolves.toEqual({ count: 0, items: [] })
    expect(tokenRequests()).toHaveLength(3)
  })

  it('must come from Quire', async () => {
    answer = ok
    await expect(client({ auth }).roles.list()).rejects.toThrow('contains no token')
  })

  it('can be given as text', async () => {
    answer = failing(401)
    await expect(client({ auth: { token: 'mine' } }).roles.list()).rejects.toThrow(
      expect.objectContaining({ code: 'unauthorized' }),
    )
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer mine'])
  })

  it('can be given by a function, which is called again when a token was rejected', async () => {
    answer = answers(failing(401), ok)
    const token = vi.fn<() => Promise<string>>().mockResolvedValueOnce('old').mockResolvedValue('new')
    await client({ auth: { token } }).roles.list()
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  })

  it('from a function that returns the same token again are not sent again', async () => {
    answer = failing(401)
    await rejection(client({ auth: { token: () => 'same' } }).roles.list())
    expect(requests).toHaveLength(1)
  })
})

describe('a call is sent again', () => {
  const quire = () => client()
  const repeatable: Record<string, () => Promise<unknown>> = {
    'a read': () => quire().items.get(item),
    'a deletion': () => quire().items.delete(item),
    'a PUT': () => quire().items.categorize({ ...item, categoryId: 'CATG_1' }),
    'a POST with an idempotency key': () => quire().items.publish(item, { idempotencyKey: 'k' }),
    'a PATCH with ifMatch': () => quire().items.update({ ...item, name: 'x' }, { ifMatch: 'r1' }),
    'a PATCH with baseVersion': () => quire().items.update({ ...item, name: 'x', baseVersion: 3 }),
  }
  const onceOnly: Record<string, () => Promise<unknown>> = {
    'a POST': () => quire().items.publish(item),
    'a POST with ifMatch': () => quire().items.publish(item, { ifMatch: 'r1' }),
    'a PATCH': () => quire().items.update({ ...item, name: 'x' }),
    'a PATCH with an idempotency key': () =>
      quire().items.update({ ...item, name: 'x' }, { idempotencyKey: 'k' }),
  }
  const troubles: Record<string, Answer> = {
    'a network error': breakOff,
    'a response that breaks off': breakOffInTheMiddle,
    '429': failing(429),
    '502': failing(502),
    '503': failing(503),
    '504': failing(504),
  }

  for (const [trouble, fail] of Object.entries(troubles)) {
    it.each(Object.entries(repeatable))(`after ${trouble}: %s`, async (_, call) => {
      answer = answers(fail, fail, ok)
      await expect(call()).resolves.toEqual({ count: 0, items: [] })
      expect(requests).toHaveLength(3)
      expect(new Set(requests.map(({ line, body }) => `${line} ${body}`)).size).toBe(1)
    })

    it.each(Object.entries(onceOnly))(`never after ${trouble}: %s`, async (_, call) => {
      answer = answers(fail, ok)
      await rejection(call())
      expect(requests).toHaveLength(1)
    })
  }

  it('that reads the progress of an upload', async () => {
    const headers = { 'upload-offset': '4', 'upload-length': '9', 'quire-upload-id': 'UPLD_1' }
    answer = answers(breakOff, (_, response) => response.writeHead(200, headers).end())
    await expect(quire().uploads.get({ uploadId: 'UPLD_1' })).resolves.toMatchObject({ offset: 4 })
    expect(requests.map(({ line }) => line)).toEqual(Array(2).fill('HEAD /api/items/upload/UPLD_1'))
  })

  it('twice at most', async () => {
    answer = failing(503)
    await expect(client().items.get(item)).rejects.toThrow(
      expect.objectContaining({ code: 'unavailable', requestId: 'REQ_1' }),
    )
    expect(requests).toHaveLength(3)
  })

  it('as often as the options allow', async () => {
    answer = failing(503)
    await rejection(client({ retry: { limit: 4, backoffMs: 1 } }).items.get(item))
    expect(requests).toHaveLength(5)
    await rejection(client({ retry: { limit: 0 } }).items.get(item))
    expect(requests).toHaveLength(6)
  })

  it.each([400, 401, 403, 404, 409, 412, 413, 500, 501])('never after %i', async (status) => {
    answer = failing(status, { 'retry-after': '0' })
    await rejection(client().items.get(item))
    expect(requests).toHaveLength(1)
  })

  it.each([429, 503])('after the time that %i asks for', async (status) => {
    answer = answers(failing(status, { 'retry-after': '1' }), ok)
    const start = performance.now()
    await client().items.get(item)
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  it.each(['31', new Date(Date.now() + 60_000).toUTCString()])(
    'but not if it would have to wait longer than the options allow: %s',
    async (wait) => {
      answer = failing(429, { 'retry-after': wait })
      await expect(client().items.get(item)).rejects.toThrow(
        expect.objectContaining({ code: 'too_many_requests' }),
      )
      expect(requests).toHaveLength(1)
    },
  )
})

describe('aborting', () => {
  it('ends a call that is in progress', async () => {
    const abort = new AbortController()
    answer = () => abort.abort(new Error('enough'))
    await expect(client().items.get(item, { signal: abort.signal })).rejects.toThrow('enough')
    expect(requests).toHaveLength(1)
  })

  it('ends the wait between two attempts', async () => {
    const abort = new AbortController()
    answer = failing(503, { 'retry-after': '20' })
    const call = rejection(client().items.get(item, { signal: abort.signal }))
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    setTimeout(() => abort.abort(), 50)
    const start = performance.now()
    await expect(call).resolves.toMatchObject({ name: 'AbortError' })
    expect(performance.now() - start).toBeLessThan(2000)
    expect(requests).toHaveLength(1)
  })

  it('before the call prevents any request', async () => {
    await expect(client({ auth }).items.get(item, { signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
    expect(requests).toEqual([])
  })

  it('ends the wait of one call for a token, while the others keep waiting', async () => {
    const abort = new AbortController()
    const waiting: (() => void)[] = []
    const token = json(200, { access_token: 't', expires_in: 3600, token_type: 'Bearer' })
    answer = (request, response) =>
      isToken(request) ? waiting.push(() => token(request, response)) : ok(request, response)
    const quire = client({ auth })
    const other = quire.roles.list()
    const call = rejection(quire.roles.list({}, { signal: abort.signal }))
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    abort.abort()
    await expect(call).resolves.toMatchObject({ name: 'AbortError' })
    waiting[0]!()
    await expect(other).resolves.toEqual({ count: 0, items: [] })
    expect(tokenRequests()).toHaveLength(1)
  })
})
