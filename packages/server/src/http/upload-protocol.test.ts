import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@quire/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, serveAssets, type AssetServing } from '../../test/asset-serving.ts'
import { tusMetadata } from '../../test/tus.ts'

let server: AssetServing
beforeAll(async () => {
  server = await serveAssets()
})
afterAll(() => server.close())

// One account has at most 20 uploads open: what a test leaves is given up.
const open: string[] = []
afterEach(async () => {
  for (const url of open.splice(0)) await server.fetch(url, { method: 'DELETE', headers: tus })
})

const path = '/api/items/upload'
const tus = { 'tus-resumable': '1.0.0' }
const bytesType = { 'content-type': 'application/offset+octet-stream' }
const text = 'ink and paper'

type Headers = Readonly<Record<string, string>>

async function creation(length: number | string, headers: Headers = {}): Promise<Response> {
  const about = { 'upload-length': String(length), 'upload-metadata': tusMetadata({}) }
  const response = await server.fetch(path, { method: 'POST', headers: { ...tus, ...about, ...headers } })
  const location = response.headers.get('location')
  if (location !== null) open.push(location)
  return response
}

/** The address of a new upload. */
async function begun(length = text.length, headers: Headers = {}): Promise<string> {
  const response = await creation(length, headers)
  expect(response.status).toBe(201)
  return response.headers.get('location') ?? ''
}

interface Sending {
  readonly offset?: number | string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Headers
}

const patch = (url: string, { offset = 0, body = text, headers = {} }: Sending = {}) =>
  server.fetch(url, {
    method: 'PATCH',
    headers: { ...tus, ...bytesType, 'upload-offset': String(offset), ...headers },
    body,
  })

const head = (url: string, headers: Headers = {}) =>
  server.fetch(url, { method: 'HEAD', headers: { ...tus, ...headers } })

const offsetOf = async (url: string) => (await head(url)).headers.get('upload-offset')
const base64Of = (algorithm: string, body: string | Uint8Array) =>
  createHash(algorithm).update(body).digest('base64')

describe('OPTIONS', () => {
  it('says what the service can do, to everybody and without Tus-Resumable', async () => {
    const response = await server.fetch(path, { method: 'OPTIONS', headers: { authorization: '' } })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-max-size': String(limits.fileBytes),
      'tus-extension': 'creation,creation-with-upload,termination,checksum,expiration',
      'tus-checksum-algorithm': 'sha1,sha256',
    })
  })
})

describe('Tus-Resumable', () => {
  it.each([
    ['missing', {}],
    ['of another version', { 'tus-resumable': '0.2.2' }],
  ])('%s is 412 with the version that is known, and nothing is done', async (_, headers: Headers) => {
    const url = await begun()
    const answers = [
      await server.fetch(path, { method: 'POST', headers: { 'upload-length': '5', ...headers } }),
      await server.fetch(url, { method: 'HEAD', headers }),
      await server.fetch(url, {
        method: 'PATCH',
        headers: { ...bytesType, 'upload-offset': '0', ...headers },
        body: text,
      }),
      await server.fetch(url, { method: 'DELETE', headers }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(412)
      expect(answer.headers.get('tus-version')).toBe('1.0.0')
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    }
    expect(await offsetOf(url)).toBe('0')
  })

  it('is in every answer, those of errors too', async () => {
    const unknown = await head(`${path}/UPLD_01JB2QF8H0K2M4P6R8T0V2X4Z6`)
    const anonymous = await head(`${path}/x`, { authorization: '' })
    const malformed = await creation('five')
    expect([unknown.status, anonymous.status, malformed.status]).toEqual([404, 401, 400])
    for (const { headers } of [unknown, anonymous, malformed])
      expect([headers.get('tus-resumable'), headers.get('tus-version')]).toEqual(['1.0.0', null])
  })
})

describe('a creation', () => {
  it('says where the upload is, and until when', async () => {
    const before = Date.now()
    const response = await creation(text.length)
    expect([response.status, response.headers.get('upload-offset')]).toEqual([201, '0'])
    expect(response.headers.get('location')).toMatch(/^\/api\/items\/upload\/UPLD_[0-9A-Z]{26}$/)
    const expires = Date.parse(response.headers.get('upload-expires') ?? '')
    const day = 24 * 60 * 60 * 1000
    expect(expires - before).toBeGreaterThan(day - 60_000)
    expect(expires - before).toBeLessThan(day + 60_000)
    const later = await patch(response.headers.get('location') ?? '', { body: 'ink' })
    expect(Date.parse(later.headers.get('upload-expires') ?? '')).toBeGreaterThanOrEqual(expires)
  })

  it.each([
    ['a byte more than a file may have', String(limits.fileBytes + 1), 413],
    ['no length', '', 400],
    ['a negative length', '-1', 400],
    ['a length that is no number', '1e3', 400],
    ['a length past what is counted exactly', '9007199254740992', 400],
  ])('with %s is refused', async (_, length, status) => {
    expect((await creation(length)).status).toBe(status)
  })

  it.each([
    ['no base64', 'filename not*base64'],
    ['a pair too many', `${tusMetadata({})},filename aW5r`],
    ['no text', `${tusMetadata({})},name /w==`],
    ['no repository', 'filename aW5r'],
    ['a prototype', `${tusMetadata({})},__proto__ aW5r`],
  ])('with metadata of %s is 400', async (_, metadata) => {
    const response = await creation(5, { 'upload-metadata': metadata })
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid' }])
  })

  it('keeps the metadata as it was sent', async () => {
    const metadata = tusMetadata({ filename: 'Grüße 🖋.txt', colour: 'blue' })
    const url = await begun(5, { 'upload-metadata': metadata })
    expect((await head(url)).headers.get('upload-metadata')).toBe(metadata)
  })

  it('with all bytes makes the item', async () => {
    const response = await server.fetch(path, {
      method: 'POST',
      headers: {
        ...tus,
        ...bytesType,
        'upload-length': String(text.length),
        'upload-metadata': tusMetadata({}),
      },
      body: text,
    })
    expect([response.status, response.headers.get('upload-offset')]).toEqual([201, String(text.length)])
    expect(response.headers.get('quire-item-id')).toMatch(/^CONT_/)
  })
})

describe('an append', () => {
  it('at another offset is 409, and nothing counts', async () => {
    const url = await begun()
    expect((await patch(url, { body: text.slice(0, 5) })).status).toBe(204)
    for (const offset of [0, 4, 6, 9_007_199_254_740_991]) {
      const answer = await patch(url, { offset })
      expect([offset, answer.status]).toEqual([offset, 409])
    }
    expect(await offsetOf(url)).toBe('5')
    const last = await patch(url, { offset: 5, body: text.slice(5) })
    const item = last.headers.get('quire-item-id')
    expect(await (await server.fetch(`/api/assets/magazine/${item}/original`)).text()).toBe(text)
  })

  it.each(['-1', '1e308', '+5', '9007199254740992', '', ' ', '0x5', '5.0', '5,5', 'NaN', '５'])(
    'with Upload-Offset %j is 400',
    async (offset) => {
      const url = await begun()
      // `fetch` sends Latin-1; the last one is a digit of another script.
      const sent = Buffer.from(offset).toString('latin1')
      expect((await patch(url, { offset: sent })).status).toBe(400)
      expect(await offsetOf(url)).toBe('0')
    },
  )

  it('of more bytes than were announced is 413, and the item is not made', async () => {
    const url = await begun()
    expect((await patch(url, { body: `${text} and more` })).status).toBe(413)
    const { headers } = await head(url)
    expect([Number(headers.get('upload-offset')) <= text.length, headers.get('quire-item-id')]).toEqual([
      true,
      null,
    ])
  })

  it('of another media type is 415', async () => {
    const url = await begun()
    for (const type of ['application/json', 'application/octet-stream', 'multipart/form-data; boundary=x'])
      expect((await patch(url, { headers: { 'content-type': type } })).status).toBe(415)
    expect(await offsetOf(url)).toBe('0')
  })

  it('to what is finished is 409', async () => {
    const url = await begun()
    expect((await patch(url)).status).toBe(204)
    expect((await patch(url)).status).toBe(409)
    expect((await patch(url, { offset: text.length, body: '' })).status).toBe(409)
  })

  it.each([
    'UPLD_01JB2QF8H0K2M4P6R8T0V2X4Z6',
    'nothing',
    '..%2f..%2fx',
    '..%5c..%5cx',
    '%2e%2e%2fblobs',
    'UPLD_%00',
    `UPLD_${'x'.repeat(200)}`,
  ])('to %s is 404, as are its HEAD and its DELETE', async (id) => {
    const url = `${path}/${id}`
    const terminate = { method: 'DELETE', headers: tus }
    const statuses = [
      (await patch(url)).status,
      (await head(url)).status,
      (await server.fetch(url, terminate)).status,
    ]
    // A NUL is no text of an id, wherever it stands.
    expect(statuses).toEqual(id.includes('%00') ? [400, 400, 400] : [404, 404, 404])
  })

  it.each([20, 3 * 1024 * 1024])('twice at one offset counts once: %i bytes', async (size) => {
    for (let round = 0; round < 5; round++) {
      const bytes = new Uint8Array(randomBytes(size))
      const url = await begun(size)
      const half = size / 2
      const [one, other] = await Promise.all([
        patch(url, { body: bytes.slice(0, half) }),
        patch(url, { body: bytes.slice(0, half) }),
      ])
      const statuses = [one.status, other.status].toSorted((a, b) => a - b)
      expect(statuses[0]).toBe(204)
      expect([409, 423]).toContain(statuses[1])
      const last = await patch(url, { offset: half, body: bytes.slice(half) })
      expect(last.status).toBe(204)
      const item = last.headers.get('quire-item-id')
      const kept = await bytesOf(await server.fetch(`/api/assets/magazine/${item}/original`))
      expect(kept.equals(bytes)).toBe(true)
    }
  })
})

describe('Upload-Checksum', () => {
  it.each(['sha1', 'sha256'])('of %s proves the bytes of a request', async (algorithm) => {
    const url = await begun()
    const headers = { 'upload-checksum': `${algorithm} ${base64Of(algorithm, text)}` }
    const answer = await patch(url, { headers })
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(text.length)])
  })

  it('that is wrong is 460, and the offset is what it was', async () => {
    const url = await begun()
    expect((await patch(url, { body: text.slice(0, 3) })).status).toBe(204)
    const wrong = { 'upload-checksum': `sha1 ${base64Of('sha1', 'other bytes')}` }
    const answer = await patch(url, { offset: 3, body: text.slice(3), headers: wrong })
    expect([answer.status, await answer.json()]).toMatchObject([460, { code: 'checksum_mismatch' }])
    expect(await offsetOf(url)).toBe('3')
    const right = { 'upload-checksum': `sha1 ${base64Of('sha1', text.slice(3))}` }
    const last = await patch(url, { offset: 3, body: text.slice(3), headers: right })
    expect([last.status, last.headers.get('quire-item-id')]).toEqual([204, expect.stringMatching(/^CONT_/)])
  })

  it('that is wrong is 460 in a creation too', async () => {
    const headers = { 'upload-checksum': `sha1 ${base64Of('sha1', 'other bytes')}` }
    const response = await server.fetch(path, {
      method: 'POST',
      headers: {
        ...tus,
        ...bytesType,
        ...headers,
        'upload-length': String(text.length),
        'upload-metadata': tusMetadata({}),
      },
      body: text,
    })
    expect([response.status, response.headers.get('quire-item-id')]).toEqual([460, null])
  })

  it.each(['md5 abc=', 'sha1', 'sha1 not*base64=', 'sha256 a b', ''])('of %j is 400', async (checksum) => {
    const url = await begun()
    expect((await patch(url, { headers: { 'upload-checksum': checksum } })).status).toBe(400)
    expect(await offsetOf(url)).toBe('0')
  })
})

describe('a termination', () => {
  it('ends an upload and leaves what it became', async () => {
    const url = await begun()
    const terminate = () => server.fetch(url, { method: 'DELETE', headers: tus })
    const answer = await terminate()
    expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([204, '1.0.0'])
    expect([(await head(url)).status, (await patch(url)).status, (await terminate()).status]).toEqual([
      404, 404, 404,
    ])
    const finished = await begun()
    const item = (await patch(finished)).headers.get('quire-item-id')
    expect((await server.fetch(finished, { method: 'DELETE', headers: tus })).status).toBe(204)
    expect((await server.fetch(`/api/assets/magazine/${item}/original`)).status).toBe(200)
  })
})

describe('another account', () => {
  it('knows nothing of an upload, and cannot touch it', async () => {
    const url = await begun()
    expect((await patch(url, { body: text.slice(0, 4) })).status).toBe(204)
    const headers = { authorization: `Bearer ${await otherToken()}` }
    const answers = [
      await head(url, headers),
      await patch(url, { offset: 4, body: text.slice(4), headers }),
      await server.fetch(url, { method: 'DELETE', headers: { ...tus, ...headers } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    for (const answer of answers) expect(answer.headers.get('upload-offset')).toBeNull()
    expect(await offsetOf(url)).toBe('4')
    expect((await patch(url, { offset: 4, body: text.slice(4) })).status).toBe(204)
    expect((await head(url, headers)).headers.get('quire-item-id')).toBeNull()
  })

  it('of no one with 20 uploads open is 429 at the next, until one is given up', async () => {
    const headers = { authorization: `Bearer ${await otherToken()}` }
    const urls: string[] = []
    for (let count = 0; count < limits.openUploads; count++) urls.push(await begun(5, headers))
    const refused = await creation(5, headers)
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_requests' }])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await creation(5)).status).toBe(201)
    const [first = '', second = ''] = urls
    await server.fetch(first, { method: 'DELETE', headers: { ...tus, ...headers } })
    await begun(5, headers)
    expect((await creation(5, headers)).status).toBe(429)
    // One that is finished is open no longer.
    expect((await patch(second, { body: 'bytes', headers })).status).toBe(204)
    await begun(5, headers)
  })
})

async function otherToken(): Promise<string> {
  const { id, secret } = await server.api.serviceAccounts.create({
    name: 'Other',
    roles: [(await server.api.roles.list({})).items[0]?.id ?? ''],
  })
  const { access_token: token } = await server.api.auth.token({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  return token
}

describe('X-HTTP-Method-Override', () => {
  const post = (url: string, method: string, init: RequestInit = {}) =>
    server.fetch(url, {
      ...init,
      method: 'POST',
      headers: { ...tus, 'x-http-method-override': method, ...(init.headers as object) },
    })

  it('makes PATCH and DELETE of a POST to an upload', async () => {
    const url = await begun()
    const headers = { ...bytesType, 'upload-offset': '0' }
    const appended = await post(url, 'PATCH', { headers, body: text.slice(0, 6) })
    expect([appended.status, appended.headers.get('upload-offset')]).toEqual([204, '6'])
    const wrong = await post(url, 'PATCH', { headers, body: text })
    expect([wrong.status, wrong.headers.get('tus-resumable')]).toEqual([409, '1.0.0'])
    expect((await post(url, 'DELETE')).status).toBe(204)
    expect((await head(url)).status).toBe(404)
  })

  it.each(['GET', 'HEAD', 'PUT', 'patch', 'constructor', ''])('of %j is 405', async (method) => {
    const url = await begun()
    const response = await post(url, method)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
    expect((await head(url)).status).toBe(200)
  })

  it('is 401 without a token', async () => {
    const url = await begun()
    for (const method of ['PATCH', 'DELETE'])
      expect((await post(url, method, { headers: { authorization: '' } })).status).toBe(401)
    expect((await head(url)).status).toBe(200)
  })

  it('is not looked at anywhere else', async () => {
    const asset = await server.upload(new TextEncoder().encode(text))
    const item = `/api/items/magazine/${asset.id}`
    expect((await post(item, 'DELETE')).status).toBe(405)
    const get = await server.fetch(item, { headers: { 'x-http-method-override': 'DELETE' } })
    expect(get.status).toBe(200)
    const url = await begun()
    const headers = { ...tus, 'x-http-method-override': 'DELETE' }
    expect((await server.fetch(url, { method: 'HEAD', headers })).status).toBe(200)
    expect((await creation(5, { 'x-http-method-override': 'DELETE' })).status).toBe(201)
    expect((await server.fetch(item)).status).toBe(200)
  })
})
