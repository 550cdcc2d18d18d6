import { describe, expect, it } from 'vitest'
import { bytesType, text, tus, serveUploads } from '../../test/upload-requests.ts'

const uploads = serveUploads()

describe('X-HTTP-Method-Override', () => {
  const post = (url: string, method: string, init: RequestInit = {}) =>
    uploads.server.fetch(url, {
      ...init,
      method: 'POST',
      headers: { ...tus, 'x-http-method-override': method, ...(init.headers as object) },
    })

  it('turns a POST to an upload into PATCH or DELETE', async () => {
    const url = await uploads.requests.begun()
    const headers = { ...bytesType, 'upload-offset': '0' }
    const appended = await post(url, 'PATCH', { headers, body: text.slice(0, 6) })
    expect([appended.status, appended.headers.get('upload-offset')]).toEqual([204, '6'])
    const wrong = await post(url, 'PATCH', { headers, body: text })
    expect([wrong.status, wrong.headers.get('tus-resumable')]).toEqual([409, '1.0.0'])
    expect((await post(url, 'DELETE')).status).toBe(204)
    expect((await uploads.requests.head(url)).status).toBe(404)
  })

  it.each(['GET', 'PUT', 'patch', 'constructor', ''])('of %j is 405', async (method) => {
    const url = await uploads.requests.begun()
    const response = await post(url, method)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
    expect((await uploads.requests.head(url)).status).toBe(200)
  })

  it('turns a POST to an upload into HEAD', async () => {
    const url = await uploads.requests.begun()
    await uploads.requests.patch(url, { body: text.slice(0, 6) })
    const response = await post(url, 'HEAD')
    expect([response.status, response.headers.get('upload-offset')]).toEqual([200, '6'])
    expect(await response.text()).toBe('')
  })

  it('is not needed for a GET of an upload, which answers as HEAD', async () => {
    const url = await uploads.requests.begun()
    await uploads.requests.patch(url, { body: text.slice(0, 6) })
    const response = await uploads.server.fetch(url, { headers: tus })
    expect([response.status, response.headers.get('upload-offset'), await response.text()]).toEqual([
      200,
      '6',
      '',
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('is 401 without a token', async () => {
    const url = await uploads.requests.begun()
    for (const method of ['PATCH', 'DELETE'])
      expect((await post(url, method, { headers: { authorization: '' } })).status).toBe(401)
    expect((await uploads.requests.head(url)).status).toBe(200)
  })

  it('is ignored everywhere else', async () => {
    const asset = await uploads.server.upload(new TextEncoder().encode(text))
    const item = `/api/items/magazine/${asset.id}`
    expect((await post(item, 'DELETE')).status).toBe(405)
    const get = await uploads.server.fetch(item, { headers: { 'x-http-method-override': 'DELETE' } })
    expect(get.status).toBe(200)
    const url = await uploads.requests.begun()
    const headers = { ...tus, 'x-http-method-override': 'DELETE' }
    expect((await uploads.server.fetch(url, { method: 'HEAD', headers })).status).toBe(200)
    expect((await uploads.requests.creation(5, { 'x-http-method-override': 'DELETE' })).status).toBe(201)
    expect((await uploads.server.fetch(item)).status).toBe(200)
  })
})
