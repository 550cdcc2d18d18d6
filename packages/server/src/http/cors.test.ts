import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { fastify, type FastifyInstance, type InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'
import { quirePlugin } from './plugin.ts'

const page = 'https://www.example.org'
const listed = { cors: { origins: [page] } }

const asks = (method: string, headers = 'authorization,content-type') => ({
  'access-control-request-method': method,
  'access-control-request-headers': headers,
})

/** The answer of an app, with its headers as browsers look at them. */
async function answered(app: FastifyInstance, options: InjectOptions) {
  const { statusCode: status, headers, body } = await app.inject(options)
  return { status, headers, body, allowed: headers['access-control-allow-origin'] }
}

describe('a service that lists an origin', () => {
  let server: Serving
  beforeAll(async () => {
    server = await serve(listed)
  })
  afterAll(() => server.app.close())
  const from = (origin: string, options: InjectOptions) =>
    answered(server.app, { ...options, headers: { origin, ...options.headers } })
  const authorization = () => `Bearer ${server.token}`

  it('lets its pages read, with a token, and see the headers that clients need', async () => {
    const headers = { authorization: authorization() }
    const { status, headers: sent } = await from(page, { url: '/api/items/magazine', headers })
    expect(status).toBe(200)
    expect(sent).toMatchObject({ 'access-control-allow-origin': page })
    expect(sent['access-control-expose-headers']).toMatch(/ETag.*Location.*Retry-After.*Upload-Offset/)
    expect(sent.vary).toMatch(/\bOrigin\b/)
    expect(sent).not.toHaveProperty('access-control-allow-credentials')
  })

  it.each([
    ['an error', 401, { url: '/api/items/magazine' }],
    ['an unknown path', 404, { url: '/api/nothing' }],
    ['a wrong method', 405, { url: '/oauth2/token' }],
    ['a body that cannot be read', 400, { url: '/oauth2/token', method: 'POST', payload: 'a=b' }],
  ] as const)('lets its pages read %s', async (_name, expected, options) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, allowed } = await from(page, { ...options, headers })
    expect([status, allowed]).toEqual([expected, page])
  })

  it('answers a preflight without a token', async () => {
    const url = '/api/items/magazine/CONT_1'
    const { status, headers, body } = await from(page, { method: 'OPTIONS', url, headers: asks('PATCH') })
    expect([status, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, HEAD, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,content-type',
    })
  })

  it('tells pages of others nothing, and says to whoever looks what to set', async () => {
    const other = 'https://other.test'
    const headers = { authorization: authorization() }
    const read = await from(other, { url: '/api/items/magazine', headers })
    expect([read.status, read.allowed]).toEqual([200, undefined])
    const asked = await from(other, { method: 'OPTIONS', url: '/api/items/magazine', headers: asks('GET') })
    expect([asked.status, asked.allowed]).toEqual([403, undefined])
    expect(asked.body).toContain(`--cors-origin ${other}`)
  })

  it('has no other use for OPTIONS', async () => {
    const url = '/api/items/magazine'
    expect((await from(page, { method: 'OPTIONS', url })).status).toBe(401)
    const headers = { authorization: authorization() }
    expect((await from(page, { method: 'OPTIONS', url, headers })).status).toBe(405)
  })

  it('does not let a cookie count on a page of the origin', async () => {
    const headers = { cookie: `token=${server.token}`, 'content-type': 'application/json' }
    const item = { repositoryId: 'magazine', type: 'article', name: 'By cookie' }
    const { status } = await from(page, { method: 'POST', url: '/api/items', headers, payload: item })
    expect(status).toBe(403)
  })
})

describe('published content', () => {
  let server: Serving
  beforeAll(async () => {
    server = await serve()
    await server.api.repositories.update({ id: 'magazine', public: true })
  })
  afterAll(() => server.app.close())

  it.each([
    '/api/published/items/magazine',
    '/api/published/items/nowhere',
    '/api/oembed?url=https://example.org',
    '/api-docs/openapi.json',
  ])('may be read by pages of every origin: %s', async (url) => {
    const { headers } = await answered(server.app, { url })
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(headers.vary ?? '').not.toMatch(/\bOrigin\b/)
  })

  it('may be asked for with a token too', async () => {
    const headers = { origin: page, ...asks('GET', 'authorization') }
    const url = '/api/published/items/magazine'
    const { status, allowed } = await answered(server.app, { method: 'OPTIONS', url, headers })
    expect([status, allowed]).toEqual([204, '*'])
  })

  it('is all that pages of other origins may read', async () => {
    const headers = { origin: page, authorization: `Bearer ${server.token}` }
    for (const url of ['/api/items/magazine', '/sites/none/', '/api/graphql/magazine?query={__typename}'])
      expect((await answered(server.app, { url, headers })).allowed).toBeUndefined()
  })

  it('may be kept from them', async () => {
    const { app } = await serve({ cors: { published: false } })
    const { allowed } = await answered(app, {
      url: '/api/published/items/magazine',
      headers: { origin: page },
    })
    expect(allowed).toBeUndefined()
    await app.close()
  })
})

describe.each(['', '/cms'])('a plugin at "%s"', (prefix) => {
  it('answers preflights of its own paths only', async () => {
    const quire = createQuire({ store: createMemoryStore() })
    await quire.as(systemIdentity('test')).repositories.create({ name: 'magazine' })
    const app = fastify()
    await app.register(quirePlugin, { quire, prefix, ...listed })
    const preflight = (url: string) =>
      answered(app, { method: 'OPTIONS', url, headers: { origin: page, ...asks('GET') } })
    expect(await preflight(`${prefix}/api/items/magazine`)).toMatchObject({ status: 204, allowed: page })
    expect(await preflight('/elsewhere')).toMatchObject({ status: 404, allowed: undefined })
    const other = await answered(app, { method: 'OPTIONS', url: `${prefix}/oauth2/token` })
    expect(other.status).toBe(405)
    await app.close()
    await quire.close()
  })
})

it('refuses what is no origin when the service is made', async () => {
  await expect(serve({ cors: { origins: ['example.org'] } })).rejects.toThrow(
    '"example.org" is not an origin',
  )
})
