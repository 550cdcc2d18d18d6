import type { Item } from '@quire/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serveAssets, type AssetServing } from '../../test/asset-serving.ts'
import { tusMetadata } from '../../test/tus.ts'

const configId = 'magazine'
/** An anonymous caller: no header at all, because an empty one is invalid. */
const anonymous = {}

let server: AssetServing
let item: Pick<Item, 'id'>
let asset: Pick<Item, 'id' | 'slug'>
/** A caller without any permission. */
let stranger: Headers

type Headers = Readonly<Record<string, string>>

beforeAll(async () => {
  server = await serveAssets()
  const { api } = server
  item = await api.items.getBySlug({ configId, slug: 'ink' })
  asset = await server.upload(new TextEncoder().encode('ink and paper'), { name: 'ink.txt' })
  for (const { id } of [item, asset]) await api.items.publish({ configId, id })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Stranger' })
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  stranger = { authorization: `Bearer ${(await api.auth.token(form)).access_token}` }
})
beforeEach(() => server.api.repositories.update({ id: configId, public: true }))
afterAll(() => server.close())

/** All published content, by kind. */
function published(): Readonly<Record<string, string>> {
  return {
    list: `/api/published/items/${configId}`,
    item: `/api/published/items/${configId}/${item.id}`,
    'item by slug': `/api/published/items/${configId}/slug/ink`,
    asset: `/api/published/assets/${configId}/${asset.id}/original`,
    'asset by slug': `/api/published/assets/${configId}/slug/${asset.slug}/original`,
    page: `/api/embed/${configId}/${asset.id}`,
    oEmbed: `/api/oembed?url=${encodeURIComponent(`http://quire.test/api/embed/${configId}/${asset.id}`)}`,
  }
}

const names = ['list', 'item', 'item by slug', 'asset', 'asset by slug', 'page', 'oEmbed']
const tagged = ['item', 'item by slug', 'asset', 'asset by slug', 'page']

function get(name: string, headers: Headers): Promise<Response> {
  return read(published()[name] ?? '', headers)
}

/** Reads with exactly these headers. */
function read(path: string, headers: Headers): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, { headers, redirect: 'manual' })
}

/** A caller who may read everything. */
function administrator(): Headers {
  return { authorization: `Bearer ${server.token}` }
}

/** The names of `Vary`, in lower case. */
function variesBy(response: Response): string[] {
  return (response.headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
}

describe('published content', () => {
  it.each(names)('as a %s may be cached by everybody for an anonymous caller', async (name) => {
    const response = await get(name, anonymous)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it.each(['asset', 'asset by slug', 'page'])('as a %s is one entry of a cache for all', async (name) => {
    for (const headers of [anonymous, { cookie: '_ga=GA1.1' }]) {
      const response = await get(name, headers)
      for (const header of ['authorization', 'cookie']) expect(variesBy(response)).not.toContain(header)
    }
  })

  it.each(['list', 'item', 'item by slug', 'oEmbed'])('as a %s varies by the token only', async (name) => {
    for (const headers of [anonymous, { cookie: '_ga=GA1.1' }, { cookie: 'token=x' }])
      expect(variesBy(await get(name, headers)).filter((by) => by !== 'accept-encoding')).toEqual([
        'authorization',
      ])
  })

  it.each(names)('as a %s is private for a signed-in caller', async (name) => {
    const response = await get(name, { cookie: `token=${server.token}` })
    expect(response.headers.get('cache-control')).toMatch(/^private/)
    expect(variesBy(response)).toEqual(expect.arrayContaining(['authorization', 'cookie']))
  })

  it.each(names)('as a %s is not cached by others for a caller with a token', async (name) => {
    for (const headers of [administrator(), stranger]) {
      const response = await get(name, headers)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toMatch(/^private/)
      expect(variesBy(response)).toEqual(expect.arrayContaining(['authorization', 'cookie']))
    }
  })

  it.each(names)('as a %s is 401 for an invalid token, and is not cached', async (name) => {
    for (const headers of [{ authorization: 'Bearer x' }, { authorization: '' }]) {
      const response = await get(name, headers)
      expect([response.status, response.headers.get('cache-control')]).toEqual([401, 'no-store'])
    }
  })

  it.each(names)('as a %s can be read by a browser with an expired cookie', async (name) => {
    const response = await get(name, { cookie: 'token=x' })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
  })

  it.each(names)('as a %s is the same at an address with unknown parameters', async (name) => {
    const address = published()[name] ?? ''
    const added =
      'utm_source=letter&fbclid=a&v=2&configId=x&siteSlug=y&a[b][c][d][e]=1&q=%zz&%zz=1&__proto__=1'
    const response = await read(`${address}${address.includes('?') ? '&' : '?'}${added}`, anonymous)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(await (await read(address, anonymous)).text())
  })

  it('is refused for an invalid known parameter, and elsewhere for an unknown one', async () => {
    expect((await read(`/api/published/items/${configId}?limit=x`, anonymous)).status).toBe(400)
    expect((await server.fetch(`/api/items/${configId}?utm_source=letter`)).status).toBe(400)
  })

  it.each(tagged)('as a %s is 304 for a client that has it, with the same caching headers', async (name) => {
    const whole = await get(name, anonymous)
    const tag = whole.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    const response = await get(name, { ...anonymous, 'if-none-match': tag })
    expect([response.status, await response.text()]).toEqual([304, ''])
    for (const header of ['etag', 'cache-control', 'vary'])
      expect([header, response.headers.get(header)]).toEqual([header, whole.headers.get(header)])
  })
})

describe('a repository that was closed', () => {
  it.each(names)('answers an anonymous caller 401 and a stranger 404 for a %s, never 304', async (name) => {
    const tag = (await get(name, anonymous)).headers.get('etag') ?? '"x"'
    await server.api.repositories.update({ id: configId, public: false })
    const conditions: Headers[] = [
      {},
      { 'if-none-match': tag },
      { 'if-none-match': '*' },
      { 'if-none-match': `W/${tag}` },
    ]
    for (const condition of conditions) {
      const toNobody = await get(name, { ...anonymous, ...condition })
      const toStranger = await get(name, { ...stranger, ...condition })
      expect([toNobody.status, toStranger.status]).toEqual([401, 404])
      for (const { headers } of [toNobody, toStranger])
        expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
    }
    expect((await get(name, administrator())).status).toBe(200)
  })

  it('looks like a missing one to an anonymous caller and to a stranger', async () => {
    await server.api.repositories.update({ id: configId, public: false })
    for (const headers of [anonymous, stranger]) {
      const [closed, never] = await Promise.all(
        [configId, 'nowhere'].map((id) =>
          read(`/api/published/items/${id}`, { ...headers, 'x-request-id': 'same' }),
        ),
      )
      expect(closed?.status).toBe(never?.status)
      expect((await closed?.text())?.replaceAll(configId, 'nowhere')).toBe(await never?.text())
    }
  })

  it('lets no shared cache store an item that only some may read', async () => {
    await server.api.repositories.update({ id: configId, public: false })
    const paths = [`/api/items/${configId}/${item.id}`, `/api/assets/${configId}/${asset.id}/original`]
    for (const path of [...paths, ...Object.values(published())]) {
      const response = await server.fetch(path)
      expect([response.status, response.headers.get('cache-control')?.split(',')[0]]).toEqual([
        200,
        'private',
      ])
      const tag = { 'if-none-match': response.headers.get('etag') ?? '*' }
      expect((await server.fetch(path, { headers: { ...stranger, ...tag } })).status).toBeGreaterThanOrEqual(
        403,
      )
      expect((await read(path, { ...anonymous, ...tag })).status).toBe(401)
    }
  })
})

describe('the host that a caller names', () => {
  const evil = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'evil',
    'x-forwarded-server': 'evil.example',
    'x-original-url': '//evil.example/',
    'x-rewrite-url': '//evil.example/',
    forwarded: 'host=evil.example;proto=evil',
  }
  const json = { 'content-type': 'application/json' }

  /** Status, headers and body as one text. */
  async function answerTo(request: {
    method?: 'GET' | 'POST'
    url: string
    headers?: Headers
    payload?: string
  }): Promise<string> {
    const headers = { authorization: `Bearer ${server.token}`, ...request.headers, ...evil }
    const { statusCode, headers: answered, body } = await server.app.inject({ ...request, headers })
    expect([request.url, statusCode < 400]).toEqual([request.url, true])
    return `${JSON.stringify(answered)}\n${body}`
  }

  it('is never used in a response', async () => {
    const user = 'ada@example.org'
    await server.api.users.create({ id: user, name: 'Ada' })
    const { url } = await server.api.users.createSignInLink({ id: user })
    const { pathname, search } = new URL(url)
    const article = JSON.stringify({ repositoryId: configId, type: 'article', name: 'Somewhere' })
    const upload = { 'tus-resumable': '1.0.0', 'upload-length': '3', 'upload-metadata': tusMetadata({}) }
    const answers = [
      await answerTo({ method: 'POST', url: `/api/security/users/${user}/sign-in-link` }),
      await answerTo({ url: pathname + search, headers: { accept: 'text/html' } }),
      await answerTo({ method: 'POST', url: '/api/items', headers: json, payload: article }),
      await answerTo({ method: 'POST', url: '/api/items/upload', headers: upload }),
      await answerTo({ method: 'POST', url: '/api/user/session' }),
    ]
    const reads = ['/.well-known/oauth-authorization-server', '/oauth2/jwks', '/api-docs', '/api-docs/']
    const more = ['/api-docs/openapi.json', '/api-docs/start.js', `/api/items/${configId}`, '/api/user/me']
    for (const path of [...reads, ...more, ...Object.values(published())])
      answers.push(await answerTo({ url: path, headers: { accept: '*/*' } }))
    expect(answers.filter((text) => text.includes('evil'))).toEqual([])
    expect(answers[0]).toContain('http://quire.test/api/user/login?ticket=')
    expect(answers[1]).toContain('http://quire.test/api-docs')
  })

  it('is not used in a refusal either, even as a full address in the request line', async () => {
    const hosts = ['evil.example', 'evil.example:80', 'evil@quire.test', '[::1]evil', 'evil"><script>']
    for (const host of hosts) {
      const first = [
        'GET /nowhere HTTP/1.1',
        'GET http://evil.example/nowhere HTTP/1.1',
        'GET //evil.example/ HTTP/1.1',
      ]
      for (const line of first) {
        const answer = await server.raw(
          `${line}\r\nhost: ${host}\r\nx-forwarded-host: ${host}\r\nconnection: close\r\n\r\n`,
        )
        expect(answer).toMatch(/^HTTP\/1\.1 40[0-9] /)
        expect(answer).not.toContain('evil')
      }
    }
  })
})
