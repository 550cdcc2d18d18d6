import { request, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'
import { codingFor } from './compression.ts'

let server: Serving
let path: string
const title = 'ink and paper '.repeat(1000)

beforeAll(async () => {
  server = await serve()
  const { api } = server
  await api.repositories.update({ id: 'magazine', public: true })
  const about = { repositoryId: 'magazine', type: 'article', name: 'Long', fields: { title } }
  const { id } = await api.items.create(about)
  path = `/api/items/magazine/${id}`
})
afterAll(() => server.app.close())

type Sent = Readonly<Record<string, string>>

interface RequestOptions {
  readonly at?: string
  readonly method?: 'GET' | 'HEAD' | 'PATCH'
  readonly body?: string
  readonly of?: Serving
}

interface Got {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** A response as sent: nothing is decompressed on the way. */
function read(
  sent: Sent,
  { at = path, method = 'GET', body, of = server }: RequestOptions = {},
): Promise<Got> {
  const headers = { authorization: `Bearer ${of.token}`, ...sent }
  return new Promise((resolve, reject) => {
    const asking = request(`${of.baseUrl}${at}`, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

describe('a response', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed by %s for clients that accept it, with its own tag', async (coding, unpack) => {
    const plain = await read({})
    const packed = await read({ 'accept-encoding': coding })
    expect(packed.headers['content-encoding']).toBe(coding)
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
    expect(unpack(packed.bytes)).toEqual(plain.bytes)
    expect(packed.headers['etag']).toBe(String(plain.headers['etag']).replace(/"$/, `-${coding}"`))
    for (const { headers } of [plain, packed])
      expect(headers['vary']).toBe('Authorization, Cookie, Accept-Encoding')
    const head = await read({ 'accept-encoding': coding }, { method: 'HEAD' })
    for (const name of ['etag', 'vary', 'content-encoding', 'content-length'])
      expect([name, head.headers[name]]).toEqual([name, packed.headers[name]])
  })

  it('is 304 for the tag of any form, and can be changed with it', async () => {
    const tags = ['br', 'gzip', 'identity'].map(async (coding) => {
      const { headers } = await read({ 'accept-encoding': coding })
      return String(headers['etag'])
    })
    for (const tag of await Promise.all(tags)) {
      const { status, headers } = await read({ 'accept-encoding': 'br', 'if-none-match': tag })
      expect([status, headers['etag']]).toEqual([304, tag])
    }
    const [tag = ''] = await Promise.all(tags)
    const body = JSON.stringify({ name: 'Longer' })
    const sent = { 'if-match': tag, 'content-type': 'application/json' }
    expect((await read(sent, { method: 'PATCH', body })).status).toBe(200)
    expect((await read(sent, { method: 'PATCH', body })).status).toBe(412)
  })

  it.each(['/api/items/magazine/slug/ink', '/api/security/permissions', '/oauth2/jwks', '/api/admin/health'])(
    'at %s is not compressed: too short, or may contain secrets',
    async (at) => {
      const { headers } = await read({ 'accept-encoding': 'br, gzip' }, { at })
      const isLong = at === '/api/security/permissions'
      expect([at, headers['content-encoding']]).toEqual([at, isLong ? 'br' : undefined])
    },
  )

  it('of the explorer is compressed without a proxy', async () => {
    const { headers, bytes } = await read({ 'accept-encoding': 'br' }, { at: '/api-docs/openapi.json' })
    expect(headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(bytes).length).toBeGreaterThan(5 * bytes.length)
  })

  it('is left to a proxy when configured', async () => {
    const plain = await serve({ compression: false })
    const { headers } = await read({ 'accept-encoding': 'br' }, { at: '/api-docs/openapi.json', of: plain })
    expect([headers['content-encoding'], String(headers['vary'])]).toEqual([
      undefined,
      expect.not.stringContaining('Encoding'),
    ])
    await plain.app.close()
  })
})

describe('Accept-Encoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['identity;q=0', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=1, br;q=0.5', undefined],
    ['zstd, deflate', undefined],
    ['br;q=nonsense', undefined],
  ])('%j is answered with %s', (accept, coding) => {
    expect(codingFor(accept)).toBe(coding)
  })
})
