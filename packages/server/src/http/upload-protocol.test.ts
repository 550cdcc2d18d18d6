import { limits } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { tusMetadata } from '../../test/tus.ts'
import {
  bytesType,
  text,
  tus,
  serveUploads,
  type UploadHeaders,
  uploadsPath,
} from '../../test/upload-requests.ts'

const uploads = serveUploads()

describe('OPTIONS', () => {
  it('reports the capabilities, to everybody and without Tus-Resumable', async () => {
    const response = await uploads.server.fetch(uploadsPath, {
      method: 'OPTIONS',
      headers: { authorization: '' },
    })
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
  ])('%s is 412 with the supported version, and changes nothing', async (_, headers: UploadHeaders) => {
    const url = await uploads.requests.begun()
    const answers = [
      await uploads.server.fetch(uploadsPath, {
        method: 'POST',
        headers: { 'upload-length': '5', ...headers },
      }),
      await uploads.server.fetch(url, { method: 'HEAD', headers }),
      await uploads.server.fetch(url, {
        method: 'PATCH',
        headers: { ...bytesType, 'upload-offset': '0', ...headers },
        body: text,
      }),
      await uploads.server.fetch(url, { method: 'DELETE', headers }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(412)
      expect(answer.headers.get('tus-version')).toBe('1.0.0')
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    }
    expect(await uploads.requests.offsetOf(url)).toBe('0')
  })

  it('is in every response, including errors', async () => {
    const unknown = await uploads.requests.head(`${uploadsPath}/UPLD_01JB2QF8H0K2M4P6R8T0V2X4Z6`)
    const anonymous = await uploads.requests.head(`${uploadsPath}/x`, { authorization: '' })
    const malformed = await uploads.requests.creation('five')
    expect([unknown.status, anonymous.status, malformed.status]).toEqual([404, 401, 400])
    for (const { headers } of [unknown, anonymous, malformed])
      expect([headers.get('tus-resumable'), headers.get('tus-version')]).toEqual(['1.0.0', null])
  })
})

describe('a creation', () => {
  it('returns the address of the upload, and when it expires', async () => {
    const before = Date.now()
    const response = await uploads.requests.creation(text.length)
    expect([response.status, response.headers.get('upload-offset')]).toEqual([201, '0'])
    expect(response.headers.get('location')).toMatch(/^\/api\/items\/upload\/UPLD_[0-9A-Z]{26}$/)
    const expires = Date.parse(response.headers.get('upload-expires') ?? '')
    const day = 24 * 60 * 60 * 1000
    expect(expires - before).toBeGreaterThan(day - 60_000)
    expect(expires - before).toBeLessThan(day + 60_000)
    const later = await uploads.requests.patch(response.headers.get('location') ?? '', { body: 'ink' })
    expect(Date.parse(later.headers.get('upload-expires') ?? '')).toBeGreaterThanOrEqual(expires)
  })

  it.each([
    ['a byte more than a file may have', String(limits.fileBytes + 1), 413],
    ['no length', '', 400],
    ['a negative length', '-1', 400],
    ['a length that is not a number', '1e3', 400],
    ['a length above the safe integers', '9007199254740992', 400],
  ])('with %s is refused', async (_, length, status) => {
    expect((await uploads.requests.creation(length)).status).toBe(status)
  })

  it.each([
    ['not base64', 'filename not*base64'],
    ['a pair too many', `${tusMetadata({})},filename aW5r`],
    ['not text', `${tusMetadata({})},name /w==`],
    ['no repository', 'filename aW5r'],
    ['a prototype', `${tusMetadata({})},__proto__ aW5r`],
  ])('with metadata of %s is 400', async (_, metadata) => {
    const response = await uploads.requests.creation(5, { 'upload-metadata': metadata })
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid' }])
  })

  it('returns the metadata as it was sent', async () => {
    const metadata = tusMetadata({ filename: 'Grüße 🖋.txt', colour: 'blue' })
    const url = await uploads.requests.begun(5, { 'upload-metadata': metadata })
    expect((await uploads.requests.head(url)).headers.get('upload-metadata')).toBe(metadata)
  })

  it.each([
    'repositoryId bWFnYXppbmU=,filename aW5rLnR4dA==,type ZmlsZQ==,9 MQ==,is_confidential,0 MA==',
    'type ZmlsZQ==, is_confidential , repositoryId bWFnYXppbmU=',
  ])('returns the metadata that was sent: %s', async (metadata) => {
    const created = await uploads.requests.creation(text.length, { 'upload-metadata': metadata })
    expect([created.status, created.headers.get('upload-metadata')]).toEqual([201, metadata])
    const url = created.headers.get('location') ?? ''
    expect((await uploads.requests.head(url)).headers.get('upload-metadata')).toBe(metadata)
    await uploads.requests.patch(url)
    expect((await uploads.requests.head(url)).headers.get('upload-metadata')).toBe(metadata)
  })

  it('treats a media type in `type` as Uppy does, and accepts the content type in `contentType`', async () => {
    const create = (metadata: Readonly<Record<string, string>>) =>
      uploads.requests.creation(text.length, { 'upload-metadata': tusMetadata(metadata) })
    const created = await create({ type: 'text/plain' })
    expect(created.status).toBe(201)
    const url = created.headers.get('location') ?? ''
    expect((await uploads.requests.patch(url)).headers.get('quire-item-id')).toMatch(/^CONT_/)
    expect((await create({ type: 'text/plain', contentType: 'nothing-like-it' })).status).toBe(400)
    expect((await create({ type: 'nothing-like-it' })).status).toBe(400)
  })

  it('that is complete says so to later bytes', async () => {
    const url = await uploads.requests.begun()
    const id = (await uploads.requests.patch(url)).headers.get('quire-item-id') ?? ''
    const again = await uploads.requests.patch(url, { offset: text.length, body: '' })
    expect([again.status, await again.json()]).toMatchObject([
      409,
      { message: `The upload is complete: it became the item ${id}.` },
    ])
  })

  it('with all bytes creates the item', async () => {
    const response = await uploads.server.fetch(uploadsPath, {
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

describe('a termination', () => {
  it('ends an upload and leaves its item', async () => {
    const url = await uploads.requests.begun()
    const terminate = () => uploads.server.fetch(url, { method: 'DELETE', headers: tus })
    const answer = await terminate()
    expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([204, '1.0.0'])
    expect([
      (await uploads.requests.head(url)).status,
      (await uploads.requests.patch(url)).status,
      (await terminate()).status,
    ]).toEqual([404, 404, 404])
    const finished = await uploads.requests.begun()
    const item = (await uploads.requests.patch(finished)).headers.get('quire-item-id')
    expect((await uploads.server.fetch(finished, { method: 'DELETE', headers: tus })).status).toBe(204)
    expect((await uploads.server.fetch(`/api/assets/magazine/${item}/original`)).status).toBe(200)
  })
})
