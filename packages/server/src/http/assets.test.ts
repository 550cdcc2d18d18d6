import type { Item } from '@quire/contract'
import { specimens } from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, serveAssets, someBytes, type AssetServing } from '../../test/asset-serving.ts'
import { json } from '../../test/serving.ts'

const bytes = someBytes(3000)

let server: AssetServing
let asset: Item
let photo: Item
beforeAll(async () => {
  server = await serveAssets()
  asset = await server.upload(bytes, { name: 'bytes.bin' })
  photo = await server.upload(await specimens.photo(), { name: 'photo.jpg' })
})
afterAll(() => server.close())

const id = { 'x-request-id': 'the-same' }
const varying = new Set(['date', 'connection', 'keep-alive'])
const headersOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => !varying.has(name)))

describe('an asset', () => {
  it('is served with its detected type, and its hash as the tag', async () => {
    const response = await server.get(asset)
    expect(response.status).toBe(200)
    expect(headersOf(response)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '3000',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: `"${asset.asset?.hash}"`,
      vary: 'Authorization, Cookie',
    })
    expect((await bytesOf(response)).equals(bytes)).toBe(true)
  })

  it.each([
    ['the original', () => asset, 'original'],
    ['a large one', () => photo, 'original'],
    ['a rendition', () => photo, 'thumbnail'],
    ['one that is negotiated', () => photo, 'small?download'],
  ])('answers HEAD with the headers of GET and no body: %s', async (_, item, path) => {
    const get = await server.get(item(), path, { headers: id })
    const head = await server.get(item(), path, { headers: id, method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(headersOf(head)).toEqual(headersOf(get))
    expect((await bytesOf(get)).length).toBe(Number(head.headers.get('content-length')))
  })

  it('is served when it is empty', async () => {
    const empty = await server.upload(new Uint8Array(), { name: 'empty.txt' })
    const response = await server.get(empty)
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      '0',
      '',
    ])
    const part = await server.get(empty, 'original', { headers: { range: 'bytes=0-0' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([416, 'bytes */0'])
  })
})

describe('If-None-Match', () => {
  const tag = () => `"${asset.asset?.hash}"`
  const ask = (ifNoneMatch: string, init: RequestInit = {}) =>
    server.get(asset, 'original', {
      ...init,
      headers: { 'if-none-match': ifNoneMatch, ...(init.headers as object) },
    })

  it.each([
    ['the tag', () => tag()],
    ['the tag as a weak one', () => `W/${tag()}`],
    ['a list with it', () => `"other", W/"more",${tag()}`],
    ['a star', () => '*'],
  ])('is 304 for %s, to GET and to HEAD', async (_, value) => {
    const get = await ask(value())
    expect([get.status, await get.text()]).toEqual([304, ''])
    expect(headersOf(get)).toMatchObject({ etag: tag(), vary: 'Authorization, Cookie' })
    expect(get.headers.get('cache-control')).toContain('private')
    const head = await ask(value(), { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([304, ''])
  })

  it.each(['"other"', '"other", W/"more"', 'no-quotes', '""'])('is 200 for %s', async (value) => {
    const response = await ask(value)
    expect([response.status, (await bytesOf(response)).length]).toEqual([200, bytes.length])
  })

  it('takes precedence over Range', async () => {
    expect((await ask(tag(), { headers: { range: 'bytes=0-1' } })).status).toBe(304)
    expect((await ask('"other"', { headers: { range: 'bytes=0-1' } })).status).toBe(206)
  })

  it('uses a separate tag for each rendition', async () => {
    const [one, other] = await Promise.all(['thumbnail', 'small'].map((path) => server.get(photo, path)))
    expect(one?.headers.get('etag')).not.toBe(other?.headers.get('etag'))
    const again = { headers: { 'if-none-match': one?.headers.get('etag') ?? '' } }
    expect((await server.get(photo, 'thumbnail', again)).status).toBe(304)
    expect((await server.get(photo, 'small', again)).status).toBe(200)
  })
})

describe('Cache-Control', () => {
  it('lets an address with a version number be cached forever, and no other', async () => {
    const cacheOf = async (path: string) => (await server.get(photo, path)).headers.get('cache-control')
    expect(await cacheOf('original?version=1')).toBe('private, max-age=31536000, immutable')
    expect(await cacheOf('original')).toBe('private, no-cache')
    expect(await cacheOf('original?version=latest')).toBe('private, no-cache')
    expect(await cacheOf('thumbnail?version=1')).toBe('private, no-cache')
  })

  it('of an error forbids caching', async () => {
    const response = await server.get(photo, 'nothing')
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  it('is correct: a version returns its own bytes after the file was replaced', async () => {
    const first = await server.upload(bytes, { name: 'first.bin' })
    const next = someBytes(100, 2)
    const path = `/api/assets/magazine/${first.id}/content`
    const type = { 'content-type': 'image/png' }
    expect((await server.fetch(path, { method: 'PUT', body: next.slice(), headers: type })).status).toBe(200)
    expect((await bytesOf(await server.get(first, 'original?version=1'))).equals(bytes)).toBe(true)
    expect((await bytesOf(await server.get(first, 'original?version=2'))).equals(next)).toBe(true)
    expect((await bytesOf(await server.get(first))).equals(next)).toBe(true)
  })
})

describe('who may read', () => {
  it.each(['if-none-match', 'range'])('is checked before %s is evaluated', async (name) => {
    const value = name === 'range' ? 'bytes=0-1' : `"${asset.asset?.hash}"`
    const init = { headers: { [name]: value, authorization: '' } }
    const response = await server.get(asset, 'original', init)
    expect([response.status, response.headers.get('etag')]).toEqual([401, null])
    const elsewhere = await server.fetch(`/api/assets/archive/${asset.id}/original`, {
      headers: { [name]: value },
    })
    expect([elsewhere.status, elsewhere.headers.get('etag')]).toEqual([404, null])
  })

  it('is checked for the original separately from its renditions', async () => {
    const { clientId, clientSecret } = await readerOf(['items.read', 'assets.read'])
    const token = await tokenOf(clientId, clientSecret)
    const init = { headers: { authorization: `Bearer ${token}` } }
    expect((await server.get(photo, 'thumbnail', init)).status).toBe(200)
    expect((await server.get(photo, 'original', init)).status).toBe(403)
    const zip = json([photo.id], { authorization: `Bearer ${token}` })
    expect((await server.fetch('/api/assets/zip/magazine', zip)).status).toBe(403)
  })
})

describe('an archive', () => {
  it('is refused before it starts to a caller who reads too many at once', async () => {
    const large = await server.upload(someBytes(12_000_000), { name: 'large.bin' })
    const ask = () => server.fetch('/api/assets/zip/magazine', json([large.id]))
    const answers = await Promise.all([ask(), ask(), ask(), ask()])
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(429)]).toEqual([2, 2])
    for (const answer of answers) await answer.arrayBuffer()
    expect((await ask()).status).toBe(200)
  })
})

async function readerOf(global: ('items.read' | 'assets.read')[]) {
  const role = await server.api.roles.create({ name: 'Pictures only', permissions: { global } })
  const { id: clientId, secret: clientSecret } = await server.api.serviceAccounts.create({
    name: 'Pictures',
    roles: [role.id],
  })
  return { clientId, clientSecret }
}

async function tokenOf(clientId: string, clientSecret: string): Promise<string> {
  const { access_token: token } = await server.api.auth.token({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  return token
}
