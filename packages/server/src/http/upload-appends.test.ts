import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../test/asset-serving.ts'
import { tusMetadata } from '../../test/tus.ts'
import { bytesType, text, tus, serveUploads, uploadsPath } from '../../test/upload-requests.ts'

const uploads = serveUploads()

const base64Of = (algorithm: string, body: string | Uint8Array) =>
  createHash(algorithm).update(body).digest('base64')

describe('an append', () => {
  it('at another offset is 409, and nothing counts', async () => {
    const url = await uploads.requests.begun()
    expect((await uploads.requests.patch(url, { body: text.slice(0, 5) })).status).toBe(204)
    for (const offset of [0, 4, 6, 9_007_199_254_740_991]) {
      const answer = await uploads.requests.patch(url, { offset })
      expect([offset, answer.status]).toEqual([offset, 409])
    }
    expect(await uploads.requests.offsetOf(url)).toBe('5')
    const last = await uploads.requests.patch(url, { offset: 5, body: text.slice(5) })
    const item = last.headers.get('quire-item-id')
    expect(await (await uploads.server.fetch(`/api/assets/magazine/${item}/original`)).text()).toBe(text)
  })

  it.each(['-1', '1e308', '+5', '9007199254740992', '', ' ', '0x5', '5.0', '5,5', 'NaN', '５'])(
    'with Upload-Offset %j is 400',
    async (offset) => {
      const url = await uploads.requests.begun()
      // `fetch` sends Latin-1; the last one is a digit of another script.
      const sent = Buffer.from(offset).toString('latin1')
      expect((await uploads.requests.patch(url, { offset: sent })).status).toBe(400)
      expect(await uploads.requests.offsetOf(url)).toBe('0')
    },
  )

  it('of more bytes than announced is 413, and no item is created', async () => {
    const url = await uploads.requests.begun()
    expect((await uploads.requests.patch(url, { body: `${text} and more` })).status).toBe(413)
    const { headers } = await uploads.requests.head(url)
    expect([Number(headers.get('upload-offset')) <= text.length, headers.get('quire-item-id')]).toEqual([
      true,
      null,
    ])
  })

  it('of another media type is 415', async () => {
    const url = await uploads.requests.begun()
    for (const type of ['application/json', 'application/octet-stream', 'multipart/form-data; boundary=x'])
      expect((await uploads.requests.patch(url, { headers: { 'content-type': type } })).status).toBe(415)
    expect(await uploads.requests.offsetOf(url)).toBe('0')
  })

  it('to a finished upload is 409', async () => {
    const url = await uploads.requests.begun()
    expect((await uploads.requests.patch(url)).status).toBe(204)
    expect((await uploads.requests.patch(url)).status).toBe(409)
    expect((await uploads.requests.patch(url, { offset: text.length, body: '' })).status).toBe(409)
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
    const url = `${uploadsPath}/${id}`
    const terminate = { method: 'DELETE', headers: tus }
    const statuses = [
      (await uploads.requests.patch(url)).status,
      (await uploads.requests.head(url)).status,
      (await uploads.server.fetch(url, terminate)).status,
    ]
    // A NUL is never valid in an id.
    expect(statuses).toEqual(id.includes('%00') ? [400, 400, 400] : [404, 404, 404])
  })

  it.each([20, 3 * 1024 * 1024])('twice at one offset counts once: %i bytes', async (size) => {
    for (let round = 0; round < 5; round++) {
      const bytes = new Uint8Array(randomBytes(size))
      const url = await uploads.requests.begun(size)
      const half = size / 2
      const [one, other] = await Promise.all([
        uploads.requests.patch(url, { body: bytes.slice(0, half) }),
        uploads.requests.patch(url, { body: bytes.slice(0, half) }),
      ])
      const statuses = [one.status, other.status].toSorted((a, b) => a - b)
      expect(statuses[0]).toBe(204)
      expect([409, 423]).toContain(statuses[1])
      const last = await uploads.requests.patch(url, { offset: half, body: bytes.slice(half) })
      expect(last.status).toBe(204)
      const item = last.headers.get('quire-item-id')
      const stored = await bytesOf(await uploads.server.fetch(`/api/assets/magazine/${item}/original`))
      expect(stored.equals(bytes)).toBe(true)
    }
  })
})

describe('Upload-Checksum', () => {
  it.each(['sha1', 'sha256'])('of %s verifies the bytes of a request', async (algorithm) => {
    const url = await uploads.requests.begun()
    const headers = { 'upload-checksum': `${algorithm} ${base64Of(algorithm, text)}` }
    const answer = await uploads.requests.patch(url, { headers })
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(text.length)])
  })

  it('that is wrong is 460, and the offset is unchanged', async () => {
    const url = await uploads.requests.begun()
    expect((await uploads.requests.patch(url, { body: text.slice(0, 3) })).status).toBe(204)
    const wrong = { 'upload-checksum': `sha1 ${base64Of('sha1', 'other bytes')}` }
    const answer = await uploads.requests.patch(url, { offset: 3, body: text.slice(3), headers: wrong })
    expect([answer.status, await answer.json()]).toMatchObject([460, { code: 'checksum_mismatch' }])
    expect(await uploads.requests.offsetOf(url)).toBe('3')
    const right = { 'upload-checksum': `sha1 ${base64Of('sha1', text.slice(3))}` }
    const last = await uploads.requests.patch(url, { offset: 3, body: text.slice(3), headers: right })
    expect([last.status, last.headers.get('quire-item-id')]).toEqual([204, expect.stringMatching(/^CONT_/)])
  })

  it('that is wrong is 460 in a creation too', async () => {
    const headers = { 'upload-checksum': `sha1 ${base64Of('sha1', 'other bytes')}` }
    const response = await uploads.server.fetch(uploadsPath, {
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
    const url = await uploads.requests.begun()
    expect((await uploads.requests.patch(url, { headers: { 'upload-checksum': checksum } })).status).toBe(400)
    expect(await uploads.requests.offsetOf(url)).toBe('0')
  })
})
