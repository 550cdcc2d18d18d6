import { endpoints } from '@quire/contract'
import { encodeRequest, QuireError } from '@quire/contract/codec'
import { systemIdentity } from '@quire/core'
import { getResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, createClient, TokenError } from '../index.ts'
import { createMockQuire, quireHandlers, type MockQuire } from './index.ts'

const server = setupServer()
let mock: MockQuire

beforeAll(async () => {
  mock = await createMockQuire({
    prepare: async (quire) => {
      await quire.repositories.create({ name: 'magazine' })
      await quire.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text', required: true }] })
    },
  })
  server.listen({ onUnhandledFrame: 'error' })
  server.use(...mock.handlers)
})

afterAll(async () => {
  server.close()
  await mock.quire.close()
})

const client = () => createClient({ baseUrl: mock.baseUrl, auth: mock.auth })
const article = { repositoryId: 'magazine', type: 'article', name: 'Ink', fields: { title: 'Ink' } }

interface PlainRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly headers?: Record<string, string>
}

/** Sends a plain request, without the client. */
async function send({ method, path, body, headers }: PlainRequest): Promise<Response> {
  const { access_token } = await client().auth.token({
    grant_type: 'client_credentials',
    client_id: mock.auth.clientId,
    client_secret: mock.auth.clientSecret,
  })
  return fetch(mock.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
}

describe('the mock', () => {
  it('is an engine: it returns what was written', async () => {
    const quire = client()
    const created = await quire.items.create(article)
    expect(await quire.items.get({ configId: 'magazine', id: created.id })).toEqual(created)
    expect(await mock.api.items.get({ configId: 'magazine', id: created.id })).toEqual(created)
  })

  it('pages like the engine', async () => {
    const quire = client()
    for (const name of ['One', 'Two', 'Three']) await quire.items.create({ ...article, name })
    const names: unknown[] = []
    const input = {
      configId: 'magazine',
      limit: 2,
      sort: 'name',
      filter: { name: { in: ['One', 'Two', 'Three'] } },
    }
    for await (const item of all(quire.items.list, input)) names.push(item.name)
    expect(names).toEqual(['One', 'Three', 'Two'])
  })

  it('fails like the engine', async () => {
    const inProcess = mock.quire.as(systemIdentity('test'))
    const input = { ...article, slug: 'No Slug', fields: { price: 1 } }
    const [there, here] = await Promise.all(
      [client(), inProcess].map((quire) =>
        quire.items.create(input).catch(({ code, issues }) => ({ code, issues })),
      ),
    )
    expect(there).toEqual(here)
    expect(there).toMatchObject({ code: 'invalid' })
  })

  it('rejects a wrong secret and a missing token', async () => {
    const wrong = createClient({ baseUrl: mock.baseUrl, auth: { ...mock.auth, clientSecret: 'wrong' } })
    const description = 'No such client, or not its secret: check clientId and clientSecret.'
    await expect(wrong.roles.list()).rejects.toThrow(new TokenError(401, 'invalid_client', { description }))
    const response = await fetch(`${mock.baseUrl}/api/security/roles`)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="quire"'])
    expect(await response.json()).toMatchObject({
      error: true,
      code: 'unauthorized',
      requestId: response.headers.get('x-request-id'),
    })
  })

  it('checks the permissions of the account', async () => {
    const viewer = await createMockQuire({ baseUrl: 'http://viewer.test', bundles: ['bundle.viewer'] })
    server.use(...viewer.handlers)
    const quire = createClient({ baseUrl: viewer.baseUrl, auth: viewer.auth })
    await expect(quire.repositories.create({ name: 'x' })).rejects.toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    )
    await expect(quire.repositories.list()).resolves.toMatchObject({ count: 0 })
  })

  it('answers with the headers of the server', async () => {
    const create = { method: 'POST', path: '/api/items', body: JSON.stringify(article) }
    const created = await send({ ...create, headers: { 'idempotency-key': 'once', 'x-request-id': 'mine' } })
    const { id, repositoryId } = await created.clone().json()
    expect(created.status).toBe(201)
    expect(Object.fromEntries(created.headers)).toEqual({
      'cache-control': 'no-store',
      'content-length': String(new TextEncoder().encode(await created.clone().text()).length),
      'content-type': 'application/json; charset=utf-8',
      etag: expect.stringMatching(/^"[^"]+"$/),
      location: `/api/items/${repositoryId}/${id}`,
      'referrer-policy': 'no-referrer',
      vary: 'Authorization, Cookie',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'mine',
    })
    const again = await send({ ...create, headers: { 'idempotency-key': 'once' } })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(await again.text()).toBe(await created.text())
  })

  it('answers 304 for the current revision, and 412 for another one', async () => {
    const { id } = await client().items.create(article)
    const path = `/api/items/magazine/${id}`
    const etag = (await send({ method: 'GET', path })).headers.get('etag') ?? ''
    const unchanged = await send({ method: 'GET', path, headers: { 'if-none-match': etag } })
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
    const patch = { method: 'PATCH', path, body: '{"name":"x"}' }
    const stale = await send({ ...patch, headers: { 'if-match': '"stale"' } })
    expect([stale.status, (await stale.json()).code]).toEqual([412, 'precondition_failed'])
    expect((await send({ ...patch, headers: { 'if-match': etag } })).status).toBe(200)
  })

  it('answers 204 without a body, and 200 to a dry run of a deletion', async () => {
    const { id } = await client().items.create(article)
    const path = `/api/items/magazine/${id}`
    expect((await send({ method: 'DELETE', path: `${path}?dryRun=true` })).status).toBe(200)
    const deleted = await send({ method: 'DELETE', path })
    expect([deleted.status, await deleted.text()]).toEqual([204, ''])
  })

  it.each<[string, number, PlainRequest]>([
    ['a body that is not JSON', 400, { method: 'POST', path: '/api/items', body: '{' }],
    [
      'a body of another type',
      415,
      { method: 'POST', path: '/api/items', body: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    ['a malformed path', 400, { method: 'GET', path: '/api/items/%ff/x' }],
    ['a malformed query string', 400, { method: 'GET', path: '/api/items/magazine?limit=%' }],
    ['an unknown name', 400, { method: 'GET', path: '/api/items/magazine?limt=1' }],
    [
      'a malformed entity tag',
      400,
      { method: 'DELETE', path: '/api/items/magazine/x', headers: { 'if-match': 'a, b' } },
    ],
  ])('refuses %s', async (_, status, request) => {
    const response = await send(request)
    expect([response.status, (await response.json()).error]).toEqual([status, true])
  })
})

describe('a form', () => {
  const sendForm = async (...names: ('data' | 'file')[]) => {
    const form = new FormData()
    for (const name of names)
      if (name === 'data') form.append(name, '{}')
      else form.append(name, new Blob(['x']), 'a.txt')
    const sent = new Response(form)
    const type = sent.headers.get('content-type') ?? ''
    const request = { method: 'POST', path: '/api/assets/magazine', body: await sent.text() }
    const response = await send({ ...request, headers: { 'content-type': type } })
    return { status: response.status, ...(await response.json()) }
  }

  it('must have the data before the file', async () => {
    expect(await sendForm('file', 'data')).toMatchObject({
      status: 400,
      code: 'invalid',
      issues: [{ path: 'data', message: 'must come before file' }],
    })
    // The mock of this test has no content type that accepts files, which is the next check that
    // fails.
    for (const names of [['data', 'file'], ['file']] as const)
      expect((await sendForm(...names)).issues?.[0]?.path).not.toBe('data')
  })
})

describe('the handlers', () => {
  it('handle each endpoint of the contract at its own path', async () => {
    const ran: string[] = []
    const quire = {
      ...mock.quire,
      authenticate: async () => systemIdentity('test'),
      run: async ({ group, operation }: { group: string; operation: string }) => {
        ran.push(`${group}.${operation}`)
        throw new QuireError('invalid_state')
      },
    }
    const handlers = quireHandlers({ quire, baseUrl: 'http://own.test/quire/' })
    const wrong: string[] = []
    for (const { group, operation, endpoint } of endpoints) {
      for (const packageName of endpoint.packagePath === undefined ? [undefined] : [undefined, 'autumn']) {
        const {
          path,
          file,
          isForm: _,
          ...init
        } = encodeRequest(endpoint, {
          ...endpoint.example.input,
          ...(packageName !== undefined && { packageName }),
        })
        const headers = { ...init.headers, authorization: 'Bearer x' }
        ran.length = 0
        await getResponse(
          handlers,
          new Request(`http://own.test/quire${path}`, {
            ...init,
            headers,
            ...(file && { body: endpoint.body === 'multipart' ? formOf(file) : (file as Blob) }),
          }),
        )
        if (ran.join() !== `${group}.${operation}`) wrong.push(`${path} was handled by ${ran.join()}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('handle every origin if none is given, otherwise only the given one', async () => {
    const isInUse = async (url: string, baseUrl?: string) => {
      const handlers = quireHandlers({ quire: mock.quire, ...(baseUrl !== undefined && { baseUrl }) })
      return (await getResponse(handlers, new Request(url)))?.status === 200
    }
    expect(await isInUse('http://anywhere.test/oauth2/jwks')).toBe(true)
    expect(await isInUse('http://here.test/quire/oauth2/jwks', 'http://here.test/quire')).toBe(true)
    expect(await isInUse('http://here.test/oauth2/jwks', 'http://here.test/quire')).toBe(false)
    expect(await isInUse('http://there.test/quire/oauth2/jwks', 'http://here.test/quire')).toBe(false)
  })

  it.each(['/about', '/api/nowhere', '/oauth2', '/sitesx/ink/'])(
    'leave %s to those after them',
    async (path) => {
      const others = [http.get('http://quire.test/*', () => new Response('other'))]
      const request = () => new Request(`http://quire.test${path}`)
      expect(await getResponse(mock.handlers, request())).toBeUndefined()
      expect(await (await getResponse([...mock.handlers, ...others], request()))?.text()).toBe('other')
    },
  )

  it('answer a path whatever the method, and below the base of another address than that of the engine', async () => {
    const handlers = quireHandlers({ quire: mock.quire, baseUrl: 'http://here.test/a/b' })
    const answer = await getResponse(handlers, new Request('http://here.test/a/b/oauth2/token'))
    expect([answer?.status, answer?.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

function formOf(file: unknown): FormData {
  const form = new FormData()
  form.append('file', file as Blob, 'a.png')
  return form
}
