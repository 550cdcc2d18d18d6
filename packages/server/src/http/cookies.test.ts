import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

const origin = 'https://quire.test'
const person = 'ada@example.org'

let server: Serving
let cookie = ''

beforeAll(async () => {
  const quire = createQuire({ store: createMemoryStore(), baseUrl: origin })
  server = await serve({ quire, baseUrl: origin })
  const role = await server.api.roles.create({ name: 'Editors', bundles: ['bundle.publisher'] })
  await server.api.users.create({ id: person, name: 'Ada', roles: [role.id] })
})
beforeEach(async () => {
  cookie = cookieOf(await signIn(person))
})
afterAll(() => server.app.close())

/** Opens a new one-time link of a user. */
async function signIn(
  id: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { url } = await server.api.users.createSignInLink({ id })
  expect(url.startsWith(`${origin}/api/user/login?ticket=`)).toBe(true)
  return fetch(`${server.baseUrl}${url.slice(origin.length)}${query}`, { redirect: 'manual', headers })
}

/** The name and value that a browser sends back. */
function cookieOf(response: Response): string {
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

type Headers = Readonly<Record<string, string>>

function get(path: string, headers: Headers): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, { headers, redirect: 'manual' })
}

const article = { repositoryId: 'magazine', type: 'article', name: 'By cookie' }

function post(headers: Headers, body = JSON.stringify(article)): Promise<Response> {
  return fetch(`${server.baseUrl}/api/items`, { method: 'POST', headers: { cookie, ...headers }, body })
}

async function countOfItems(): Promise<number | undefined> {
  return (await server.api.items.list({ configId: 'magazine' })).count
}

const me = '/api/security/me/permissions'
const json = { 'content-type': 'application/json' }
const own = { origin, 'sec-fetch-site': 'same-origin' }

describe('the cookie of a session', () => {
  it('is hidden from scripts, sent by other sites only with links, valid for all paths, and only over https', async () => {
    const response = await signIn(person)
    const [pair = '', ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ')
    expect(pair).toMatch(/^token=[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax', 'Secure'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await response.text()).not.toContain(pair.slice('token='.length))
  })

  it('is sent over http when the service uses http', async () => {
    const plain = await serve()
    await plain.api.users.create({ id: person, name: 'Ada' })
    const { url } = await plain.api.users.createSignInLink({ id: person })
    const { pathname, search } = new URL(url)
    const response = await fetch(`${plain.baseUrl}${pathname}${search}`)
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax$/)
    expect(response.headers.get('set-cookie')).not.toContain('Secure')
    await plain.app.close()
  })

  it('can be opened with a bearer token too, with the same attributes, until the token expires', async () => {
    const response = await server.fetch('/api/user/session', { method: 'POST' })
    expect(response.headers.get('set-cookie')).toMatch(
      /^token=[^;]+; Max-Age=3[56]\d\d; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await get(me, { cookie: cookieOf(response) })).status).toBe(200)
  })

  it('reads what its user may read', async () => {
    const response = await get(me, { cookie })
    expect(await response.json()).toMatchObject({ identity: { kind: 'user', id: person } })
    expect((await get('/api/items/magazine/slug/ink', { cookie })).status).toBe(200)
    expect((await get(me, { cookie: `a=b; ${cookie}; c=d` })).status).toBe(200)
    expect((await get('/api/items/magazine', { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(200)
  })

  it.each(['Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'x', ''])(
    'never replaces the header "Authorization: %s"',
    async (authorization) => {
      const response = await get(me, { cookie, authorization })
      expect(response.status).toBe(401)
    },
  )

  it('is ignored next to a valid header, which names the caller', async () => {
    const response = await server.fetch(me, { headers: { cookie } })
    expect(await response.json()).toMatchObject({ identity: { kind: 'service', id: server.clientId } })
  })
})

describe('a link that works once', () => {
  const early: readonly Headers[] = [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ]
  it.each(early)('is not used up by prefetching: %j', async (given) => {
    const { url } = await server.api.users.createSignInLink({ id: person })
    const path = url.slice(origin.length)
    const browser = { accept: 'text/html' }
    const fetched = await get(path, { ...browser, ...given })
    expect([fetched.status, fetched.headers.get('set-cookie')]).toEqual([400, null])
    const opened = await get(path, browser)
    expect(opened.status).toBe(303)
    expect(cookieOf(opened)).toMatch(/^token=./)
    expect((await get(path, browser)).status).toBe(401)
  })

  it('is not used up by HEAD', async () => {
    const { url } = await server.api.users.createSignInLink({ id: person })
    const path = url.slice(origin.length)
    const looked = await fetch(`${server.baseUrl}${path}`, { method: 'HEAD', redirect: 'manual' })
    expect([looked.ok, looked.headers.get('set-cookie')]).toEqual([false, null])
    expect((await get(path, { accept: 'text/html' })).status).toBe(303)
  })
})

describe('a write by cookie', () => {
  it('from a page of the service is executed', async () => {
    const before = await countOfItems()
    const given: Headers[] = [own, { origin }, { 'sec-fetch-site': 'same-origin' }]
    for (const headers of given) expect((await post({ ...json, ...headers })).status).toBe(201)
    expect(await countOfItems()).toBe((before ?? 0) + given.length)
  })

  const foreign: readonly (readonly [string, Headers])[] = [
    ['that does not say where it comes from', {}],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of no origin', { origin: 'null' }],
    ['of an empty origin', { origin: '' }],
    ['of the same host over http', { origin: 'http://quire.test' }],
    ['of the same host on another port', { origin: 'https://quire.test:8443' }],
    ['of a host below ours', { origin: 'https://evil.quire.test' }],
    ['of a host that ends as ours', { origin: 'https://evilquire.test' }],
    ['of a host that begins as ours', { origin: 'https://quire.test.evil.example' }],
    ['of an origin with a path', { origin: 'https://quire.test/x' }],
    ['of two origins', { origin: `${origin}, https://evil.example` }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another site that says our origin', { origin, 'sec-fetch-site': 'cross-site' }],
    ['of the same site but another origin', { 'sec-fetch-site': 'same-site' }],
    [
      'of another origin that says the same site',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['that somebody typed', { 'sec-fetch-site': 'none' }],
    ['with our address as Referer alone', { referer: `${origin}/page` }],
  ]
  it.each(foreign)('%s is 403, and changes nothing', async (_what, headers) => {
    const before = await countOfItems()
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const response = await post({ ...headers, 'content-type': type })
      expect([type, response.status]).toEqual([type, 403])
    }
    expect(await countOfItems()).toBe(before)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/plain; application/json',
    'text/json',
    '',
  ])('from our page as %j is 415, and changes nothing', async (type) => {
    const before = await countOfItems()
    expect((await post({ ...own, 'content-type': type })).status).toBe(415)
    expect(await countOfItems()).toBe(before)
  })

  it.each(['PATCH', 'PUT', 'DELETE'])('by %s from another site is 403 too', async (method) => {
    const { id } = await server.api.items.getBySlug({ configId: 'magazine', slug: 'ink' })
    const path = method === 'PUT' ? `/api/security/users/${person}/preferences` : `/api/items/magazine/${id}`
    const response = await fetch(`${server.baseUrl}${path}`, {
      method,
      headers: { cookie, origin: 'https://evil.example', ...json },
      ...(method !== 'DELETE' && { body: '{}' }),
    })
    expect(response.status).toBe(403)
    expect(await server.api.items.get({ configId: 'magazine', id })).toMatchObject({
      name: 'Ink',
      currentVersion: 1,
    })
  })

  it('with a header needs no origin: a browser never sends one by itself', async () => {
    const response = await server.fetch('/api/items', {
      method: 'POST',
      headers: { ...json, cookie, origin: 'https://evil.example' },
      body: JSON.stringify(article),
    })
    expect(response.status).toBe(201)
  })

  it('is not permitted to another site by any CORS header', async () => {
    const preflight = await fetch(`${server.baseUrl}/api/items`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    const read = await get(me, { cookie, origin: 'https://evil.example' })
    for (const response of [preflight, read])
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})

describe('a session ends', () => {
  it('when it is closed, and its cookie is removed', async () => {
    const close = (headers: Headers) =>
      fetch(`${server.baseUrl}/api/user/session`, { method: 'DELETE', headers: { cookie, ...headers } })
    expect((await close({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await get(me, { cookie })).status).toBe(200)
    const response = await close(own)
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toMatch(/^token=; Max-Age=0; Path=\/;/)
    expect((await get(me, { cookie })).status).toBe(401)
    expect((await post({ ...json, ...own })).status).toBe(401)
    expect((await get(me, { authorization: `Bearer ${cookie.slice('token='.length)}` })).status).toBe(401)
  })

  it('on its own: another one of the same user continues', async () => {
    const other = cookieOf(await signIn(person))
    const headers = { cookie, ...own }
    await fetch(`${server.baseUrl}/api/user/session`, { method: 'DELETE', headers })
    expect((await get(me, { cookie })).status).toBe(401)
    expect((await get(me, { cookie: other })).status).toBe(200)
  })

  it('with the next request of a user who is disabled or deleted', async () => {
    for (const [id, end] of [
      ['disabled@example.org', () => server.api.users.update({ id: 'disabled@example.org', enabled: false })],
      ['deleted@example.org', () => server.api.users.delete({ id: 'deleted@example.org' })],
    ] as const) {
      await server.api.users.create({ id, name: id })
      const theirs = cookieOf(await signIn(id))
      expect((await get(me, { cookie: theirs })).status).toBe(200)
      await end()
      expect((await get(me, { cookie: theirs })).status).toBe(401)
    }
  })
})

describe('a browser that opens a one-time link', () => {
  const page = { headers: { accept: 'text/html,application/xhtml+xml' } }

  it('is redirected to an address of the service', async () => {
    const response = await signIn(person, page)
    expect([response.status, response.headers.get('location')]).toEqual([303, `${origin}/api-docs`])
    const welcome = await signIn(person, { ...page, query: '&returnTo=/welcome?to=you' })
    expect(welcome.headers.get('location')).toBe(`${origin}/welcome?to=you`)
    expect((await get(me, { cookie: cookieOf(welcome) })).status).toBe(200)
  })

  it.each([
    '//evil.example',
    '/%5Cevil.example',
    'https:evil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
  ])('is never redirected to %s', async (returnTo) => {
    const response = await signIn(person, { ...page, query: `&returnTo=${returnTo}` })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('signs in once: the second time there is no cookie', async () => {
    const { url } = await server.api.users.createSignInLink({ id: person })
    const address = `${server.baseUrl}${url.slice(origin.length)}`
    expect((await fetch(address, { redirect: 'manual', ...page })).status).toBe(303)
    const again = await fetch(address, { redirect: 'manual', ...page })
    expect([again.status, again.headers.get('set-cookie'), again.headers.get('location')]).toEqual([
      401,
      null,
      null,
    ])
  })

  it('receives the address in JSON when it is a program', async () => {
    const response = await signIn(person, { headers: { accept: 'application/json' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ location: `${origin}/api-docs` })
  })
})
