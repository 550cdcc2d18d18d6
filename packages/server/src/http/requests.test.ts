import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, serve, type Serving } from '../../test/serving.ts'

let server: Serving
beforeAll(async () => {
  server = await serve({ receiveMs: 300 })
})
afterAll(() => server.app.close())

const inkPath = '/api/items/magazine/slug/ink'
const draft = { repositoryId: 'magazine', type: 'article', name: 'Draft' }
const count = async () => (await server.api.items.list({ configId: 'magazine' })).count

describe('a response', () => {
  it('has the security headers, its request id and the stored item', async () => {
    const response = await server.fetch(inkPath, { headers: { 'x-request-id': 'abc.DEF_1-2' } })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': 'abc.DEF_1-2',
      vary: 'Authorization, Cookie',
    })
    expect(response.headers.get('cache-control')).toContain('private')
    expect(response.headers.get('server')).toBeNull()
    expect(await response.json()).toEqual(
      await server.api.items.getBySlug({ configId: 'magazine', slug: 'ink' }),
    )
  })

  it.each(['a b', 'x'.repeat(129), 'é', 'a;b', ''])(
    'has a new request id instead of the unsafe %j',
    async (sent) => {
      const response = await server.fetch(inkPath, { headers: { 'x-request-id': sent } })
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  it('to HEAD has the headers of GET and no body', async () => {
    const get = await server.fetch(inkPath)
    const head = await server.fetch(inkPath, { method: 'HEAD' })
    expect(await head.text()).toBe('')
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  })

  it('is 304 without a body while the ETag is current', async () => {
    const etag = (await server.fetch(inkPath)).headers.get('etag') ?? ''
    const response = await server.fetch(inkPath, { headers: { 'if-none-match': etag } })
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect((await server.fetch(inkPath, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
  })

  it('to a create is 201 with its Location', async () => {
    const response = await server.fetch('/api/items', json({ ...draft, name: 'Located' }))
    expect(response.status).toBe(201)
    const location = response.headers.get('location') ?? ''
    expect(await (await server.fetch(location)).json()).toMatchObject({ name: 'Located' })
  })

  it('to a delete is 204 without a body', async () => {
    const { id } = await server.api.items.create({ ...draft, name: 'Gone' })
    const response = await server.fetch(`/api/items/magazine/${id}`, { method: 'DELETE' })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect((await server.fetch(`/api/items/magazine/${id}`)).status).toBe(404)
  })
})

describe('If-Match', () => {
  it('permits a write on the current revision, and is 412 on another without a change', async () => {
    const { id, name } = await server.api.items.create({ ...draft, name: 'Matched' })
    const path = `/api/items/magazine/${id}`
    const etag = (await server.fetch(path)).headers.get('etag') ?? ''
    const patch = (ifMatch: string, text: string) =>
      server.fetch(path, { ...json({ name: text }, { 'if-match': ifMatch }), method: 'PATCH' })
    expect((await patch('"stale"', 'Stale')).status).toBe(412)
    expect((await server.api.items.get({ configId: 'magazine', id })).name).toBe(name)
    expect((await patch(etag, 'Fresh')).status).toBe(200)
    expect((await patch('*', 'Any')).status).toBe(200)
  })
})

describe('Idempotency-Key', () => {
  it('answers a second POST with the result of the first', async () => {
    const post = () =>
      server.fetch('/api/items', json({ ...draft, name: 'Once' }, { 'idempotency-key': 'once-1' }))
    const first = await post()
    const second = await post()
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await second.json()).toEqual(await first.json())
    const other = await server.fetch(
      '/api/items',
      json({ ...draft, name: 'Other' }, { 'idempotency-key': 'once-1' }),
    )
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'idempotency_mismatch' }])
  })

  it.each(['x'.repeat(256), 'a\tb', 'é'])('%j is rejected and nothing is created', async (key) => {
    const before = await count()
    const response = await server.fetch(
      '/api/items',
      json({ ...draft, name: 'Never' }, { 'idempotency-key': key }),
    )
    expect(response.status).toBe(400)
    expect(await count()).toBe(before)
  })
})

describe('a body', () => {
  const bad: readonly (readonly [text: string, status: number, words: RegExp])[] = [
    ['{"a', 400, /not JSON/],
    ['', 400, /repositoryId|required|expected/],
    ['[]', 400, /object/],
    ['"text"', 400, /object/],
    ['null', 400, /object/],
    ['{"__proto__":{"polluted":1}}', 400, /__proto__/],
    ['{"fields":{"__proto__":{"polluted":1}}}', 400, /fields\.__proto__/],
    ['{"fields":{"constructor":{"prototype":1}}}', 400, /constructor/],
    [`{"fields":${'['.repeat(200)}${']'.repeat(200)}}`, 400, /nested/],
    ['{"name":"a\\u0000b"}', 400, /name/],
    [JSON.stringify({ ...draft, stranger: 1 }), 400, /stranger/],
    [JSON.stringify({ ...draft, name: 7 }), 400, /name/],
    [JSON.stringify({ ...draft, slug: 'x'.repeat(501) }), 400, /slug/],
  ]

  it.each(bad)('%s is %i with a reason', async (text, status, words) => {
    const before = await count()
    const response = await server.fetch('/api/items', json(text))
    const body = (await response.json()) as Record<string, unknown>
    expect(response.status).toBe(status)
    expect(body).toMatchObject({
      error: true,
      code: 'invalid',
      requestId: response.headers.get('x-request-id'),
    })
    expect(JSON.stringify(body)).toMatch(words)
    expect(await count()).toBe(before)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('that is not UTF-8 is 400, and never stored as something else', async () => {
    const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const response = await server.fetch('/api/items', { ...json(''), body: bytes })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'invalid', message: /UTF-8/ },
    ])
  })

  const foreign = [
    'text/plain',
    'application/json\ta',
    'application/json garbage',
    'application/jsonp',
    'text/json',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]
  it.each(foreign)('of type %s is 415 and nothing is created', async (type) => {
    const before = await count()
    const response = await server.fetch('/api/items', json(draft, { 'content-type': type }))
    expect([response.status, await response.json()]).toMatchObject([
      415,
      { error: true, code: 'unsupported_media_type' },
    ])
    expect(await count()).toBe(before)
  })

  it('of the type of a JSON Merge Patch is accepted by PATCH only', async () => {
    const made = await server.fetch('/api/items', json(draft))
    const { id } = (await made.json()) as { id: string }
    const type = { 'content-type': 'application/merge-patch+json' }
    const patch = { ...json({ name: 'Patched' }, type), method: 'PATCH' }
    expect((await server.fetch(`/api/items/magazine/${id}`, patch)).status).toBe(200)
    expect((await server.fetch('/api/items', json(draft, type))).status).toBe(415)
  })

  it('without a type is 415', async () => {
    const text = JSON.stringify(draft)
    const head = `POST /api/items HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\nconnection: close\r\n`
    expect(await server.raw(`${head}content-length: ${text.length}\r\n\r\n${text}`)).toMatch(
      /^HTTP\/1\.1 415 /,
    )
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON ;charset="UTF-8"'])(
    'of type %s is accepted',
    async (type) => {
      const response = await server.fetch(
        '/api/items',
        json({ ...draft, name: 'Typed' }, { 'content-type': type }),
      )
      expect(response.status).toBe(201)
    },
  )

  it('of an item may have 5 MiB, any other 1 MiB; more is 413', async () => {
    const text = (bytes: number) => JSON.stringify({ x: 'y'.repeat(bytes) })
    const status = async (path: string, bytes: number) => (await server.fetch(path, json(text(bytes)))).status
    expect(await status('/api/items', 4 * 1024 * 1024)).toBe(400)
    expect(await status('/api/items', 5 * 1024 * 1024)).toBe(413)
    expect(await status('/api/security/roles', 900 * 1024)).toBe(400)
    const large = await server.fetch('/api/security/roles', json(text(1024 * 1024)))
    expect([large.status, await large.json()]).toMatchObject([413, { error: true, code: 'too_large' }])
  })

  it('that does not arrive in time is rejected', async () => {
    const head = `POST /api/items HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\ncontent-type: application/json\r\n`
    const answer = await server.raw(`${head}content-length: 100\r\n\r\n{`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*did not arrive within/)
  })
})

describe('a query string', () => {
  const bad = [
    'limit=-1',
    'limit=0',
    'limit=1e9',
    'limit=NaN',
    'limit=1.5',
    'limit=10abc',
    'limit=1&limit=2',
    'stranger=1',
    'limit=%zz',
    'filter[__proto__]=1',
    'filter[nothing]=1',
    'sort=nothing',
  ]
  it.each(bad)('%s is 400 and names the member', async (query) => {
    const response = await server.fetch(`/api/items/magazine?${query}`)
    const body = await response.json()
    expect([response.status, body]).toMatchObject([400, { error: true, code: 'invalid' }])
    expect(JSON.stringify(body)).toMatch(/limit|stranger|filter|nothing|__proto__/)
  })

  it('filters, sorts and pages', async () => {
    const response = await server.fetch(
      '/api/items/magazine?filter[name]=Ink&sort=-updatedDate&limit=1&select=id,name',
    )
    expect(await response.json()).toMatchObject({ count: 1, items: [{ name: 'Ink' }] })
  })
})

describe('an invalid request', () => {
  const expected: readonly (readonly [text: string, status: number])[] = [
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 400],
    ['BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nexpect: nonsense\r\n\r\n', 417],
  ]
  it.each(expected)('%j is answered on the socket', async (text, status) => {
    const answer = await server.raw(text)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it.each(expected)('%j is answered with the usual error body', async (text) => {
    const [head = '', body = ''] = (await server.raw(text)).split('\r\n\r\n')
    expect(head.toLowerCase()).toContain('x-request-id: ')
    expect(JSON.parse(body)).toMatchObject({
      error: true,
      code: expect.any(String),
      requestId: expect.any(String),
    })
  })
})

describe('the headers', () => {
  it('may be 100, and no more', async () => {
    const start = 'GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
    const withMore = (count: number) => server.raw(`${start}${'x: y\r\n'.repeat(count)}\r\n`)
    expect(await withMore(98)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await withMore(99)).toMatch(/^HTTP\/1\.1 413 [^]*"code":"too_large"/)
  })
})

describe('the log', () => {
  it('has one line for each request, and no secrets', async () => {
    server.entries.length = 0
    await server.fetch(`${inkPath}?select=id`, { headers: { 'x-request-id': 'logged' } })
    await expect.poll(() => server.entries).toHaveLength(1)
    expect(server.entries[0]).toEqual({
      level: 'info',
      event: 'request',
      members: {
        method: 'GET',
        route: '/api/items/:configId/slug/:slug',
        status: 200,
        ms: expect.any(Number),
        requestId: 'logged',
        principal: server.clientId,
      },
    })
    expect(JSON.stringify(server.entries)).not.toContain(server.token)
  })
})
