import { request } from 'node:http'
import { fastify } from 'fastify'
import { endpoints } from '@quire/contract'
import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, serve, type Serving } from '../../test/serving.ts'
import { createServer } from './server.ts'

let server: Serving
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server.app.close())

const anonymous = { authorization: '' }
const guarded = endpoints.filter(({ endpoint }) => endpoint.permission !== 'public')
const located = guarded.flatMap(({ endpoint: { method, path, packagePath } }) =>
  [path, packagePath].flatMap((template) =>
    template ? [[method, template.replaceAll(/\{\w+\}/g, 'x')] as const] : [],
  ),
)

describe('without a token', () => {
  it.each(located)('%s %s is 401', async (method, path) => {
    const response = await server.fetch(path, { method, headers: anonymous })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="quire"')
    if (method === 'HEAD') return
    expect(await response.json()).toMatchObject({
      error: true,
      code: 'unauthorized',
      requestId: expect.any(String),
    })
  })

  it('an unknown path is 404, because the document of the API tells everybody which exist', async () => {
    expect((await server.fetch('/api/nothing', { headers: anonymous })).status).toBe(404)
    expect((await server.fetch('/api/items/magazine', { method: 'PUT', headers: anonymous })).status).toBe(
      401,
    )
  })

  it.each(['Bearer', 'Bearer ', 'Bearer x.y.z', 'Basic abc', `Bearer ${'a'.repeat(9000)}`])(
    'so is one with the header %j',
    async (authorization) => {
      const response = await server.fetch('/api/items/magazine', { headers: { authorization } })
      expect(response.status).toBe(401)
    },
  )

  const paths = ['/api/items/magazine', '/api/graphql/magazine?query={__typename}', '/sites/none/']

  it.each(paths)('%s distinguishes an invalid token from a missing one (RFC 6750 §3.1)', async (path) => {
    const challenge = async (headers: Record<string, string>) => {
      const response = await server.fetch(path, { headers: { authorization: '', ...headers } })
      expect(response.status).toBe(401)
      return response.headers.get('www-authenticate')
    }
    const none = 'Bearer realm="quire"'
    const bad = `${none}, error="invalid_token"`
    expect(await challenge({ authorization: 'Bearer x.y.z' })).toBe(bad)
    // Another character in the middle of the signature: the last ones have bits that do not count.
    const { token } = server
    const forged = `${token.slice(0, -10)}${token.at(-10) === 'A' ? 'B' : 'A'}${token.slice(-9)}`
    expect(await challenge({ authorization: `bearer ${forged}` })).toBe(bad)
    for (const authorization of ['', 'Bearer ', 'Basic YTpi'])
      expect(await challenge({ authorization })).toBe(none)
  })

  it('a token whose account was disabled is invalid', async () => {
    const { id, secret } = await server.api.serviceAccounts.create({ name: 'Soon disabled', roles: [] })
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    const given = await server.fetch('/oauth2/token', { method: 'POST', body: form, headers: anonymous })
    const { access_token: token } = (await given.json()) as { access_token: string }
    await server.api.serviceAccounts.update({ id, enabled: false })
    const refused = await server.fetch('/api/user/me', { headers: { authorization: `Bearer ${token}` } })
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('a token in the address is ignored', async () => {
    const response = await server.fetch(`/api/items/magazine?access_token=${server.token}`, {
      headers: anonymous,
    })
    expect(response.status).toBe(401)
  })

  it.each(['/oauth2/jwks', '/.well-known/oauth-authorization-server', '/livez', '/readyz', '/api-docs'])(
    '%s answers',
    async (path) => {
      expect((await server.fetch(path, { headers: anonymous })).status).toBe(200)
    },
  )
})

describe('another spelling of a path', () => {
  const spellings = [
    '/%61pi/items/magazine/slug/ink',
    '//api/items/magazine/slug/ink',
    '/./api/items/magazine/slug/ink',
    '/api/../api/items/magazine/slug/ink',
    '/api/%2e%2e/api/items/magazine/slug/ink',
    '/api/items/magazine/slug/ink/',
    '/API/items/magazine/slug/ink',
    '/api/items/magazine/slug/ink;x=1',
    '/api/items/magazine/slug/ink%00',
    '/api/items/magazine/slug/%ff',
    '/api/items/magazine/slug/ink?',
    '/api/items/magazine/slug/ink?x',
    '/api/items/magazine/slug/ink#x',
    '\\api\\items\\magazine\\slug\\ink',
  ]

  it.each(spellings)('%s reaches no route without a token', async (path) => {
    const status = await rawStatus(server, path)
    expect([400, 401, 404]).toContain(status)
  })
})

describe('a route', () => {
  it('that declares no access fails the start', async () => {
    const app = createServer({
      quire: createQuire({ store: createMemoryStore() }),
      baseUrl: 'http://quire.test',
    })
    expect(() => app.get('/open', () => 'x')).toThrow(
      'GET /open declares neither config.permission nor config.public',
    )
    await app.close()
  })

  it('that declares its access uses the same authentication', async () => {
    const app = createServer({ quire: server.quire, baseUrl: 'http://quire.test' })
    app.get('/mine', { config: { permission: 'authenticated' } }, (request) => request.principal)
    const without = await app.inject('/mine')
    const withToken = await app.inject({ url: '/mine', headers: { authorization: `Bearer ${server.token}` } })
    expect(without.statusCode).toBe(401)
    expect(withToken.json()).toMatchObject({ kind: 'service', id: server.clientId })
    await app.close()
  })
})

describe('the plugin in another app', () => {
  it('guards its own routes and leaves the others alone', async () => {
    const { quirePlugin } = await import('./plugin.ts')
    const app = fastify()
    app.get('/hello', () => 'hello')
    app.post('/echo', (request) => request.body)
    await app.register(quirePlugin, { quire: server.quire, prefix: '/cms' })
    const authorization = `Bearer ${server.token}`
    const get = (url: string, headers = {}) => app.inject({ url, headers })
    expect((await get('/hello')).body).toBe('hello')
    expect((await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })).json()).toEqual({ a: 1 })
    expect((await get('/cms/api/items/magazine/slug/ink')).statusCode).toBe(401)
    expect((await get('/cms/api/items/magazine/slug/ink', { authorization })).json()).toMatchObject({
      slug: 'ink',
    })
    expect((await get('/cms/nothing', { authorization })).json()).toMatchObject({ code: 'not_found' })
    expect(
      (await app.inject({ method: 'PUT', url: '/cms/api/items', headers: { authorization } })).headers[
        'allow'
      ],
    ).toBe('POST')
    expect((await get('/nothing')).json()).toMatchObject({ error: 'Not Found' })
    await app.close()
  })
})

describe('with a token', () => {
  it('an unknown path is 404 in the one error body', async () => {
    const response = await server.fetch('/api/nothing', { headers: { 'x-request-id': 'mine' } })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: true,
      message: 'There is nothing at this path: check it, and the baseUrl of a client.',
      code: 'not_found',
      requestId: 'mine',
    })
  })

  it('a browser gets a page for it, but not where programs ask', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const typeOf = async (path: string) => {
      const response = await server.fetch(path, { headers: { accept } })
      return [response.status, response.headers.get('content-type')]
    }
    expect(await typeOf('/contact')).toEqual([404, 'text/html; charset=utf-8'])
    expect(await typeOf('/apis')).toEqual([404, 'text/html; charset=utf-8'])
    for (const path of ['/api', '/api/nothing', '/api/items/magazine//x', '/oauth2/no', '/.well-known/no'])
      expect([path, ...(await typeOf(path))]).toEqual([path, 404, 'application/json; charset=utf-8'])
  })

  it('a known path with another method is 405 and names the allowed ones', async () => {
    const response = await server.fetch('/api/items/magazine/CONT_1', { method: 'PUT' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH'])
    expect(await response.json()).toMatchObject({ error: true, code: 'method_not_allowed' })
  })

  it('a public path with another method is 405 for everybody', async () => {
    const response = await server.fetch('/oauth2/token', { headers: anonymous })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('a path parameter of more than 512 characters is 400 and named', async () => {
    const response = await server.fetch(`/api/items/magazine/slug/${'x'.repeat(10_000)}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid', issues: [{ path: 'slug' }] })
  })

  it('a disabled account is refused at once', async () => {
    const other = await server.api.serviceAccounts.create({ name: 'Other' })
    const answer = await server.fetch('/oauth2/token', {
      ...json(''),
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: '' },
      body: `grant_type=client_credentials&client_id=${other.id}&client_secret=${other.secret}`,
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const me = () =>
      server.fetch('/api/security/me/permissions', { headers: { authorization: `Bearer ${token}` } })
    expect((await me()).status).toBe(200)
    await server.api.serviceAccounts.update({ id: other.id, enabled: false })
    expect((await me()).status).toBe(401)
  })
})

/** The status of a GET with the path unchanged. */
function rawStatus({ baseUrl }: Serving, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl)
    request({ hostname, port, path }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
