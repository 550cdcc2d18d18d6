import { limits } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { text, tus, serveUploads } from '../../test/upload-requests.ts'

const uploads = serveUploads()

describe('another account', () => {
  it('knows nothing of an upload, and cannot touch it', async () => {
    const url = await uploads.requests.begun()
    expect((await uploads.requests.patch(url, { body: text.slice(0, 4) })).status).toBe(204)
    const headers = { authorization: `Bearer ${await otherToken()}` }
    const answers = [
      await uploads.requests.head(url, headers),
      await uploads.requests.patch(url, { offset: 4, body: text.slice(4), headers }),
      await uploads.server.fetch(url, { method: 'DELETE', headers: { ...tus, ...headers } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    for (const answer of answers) expect(answer.headers.get('upload-offset')).toBeNull()
    expect(await uploads.requests.offsetOf(url)).toBe('4')
    expect((await uploads.requests.patch(url, { offset: 4, body: text.slice(4) })).status).toBe(204)
    expect((await uploads.requests.head(url, headers)).headers.get('quire-item-id')).toBeNull()
  })

  it('with 20 open uploads gets 429 for the next, until one is terminated', async () => {
    const headers = { authorization: `Bearer ${await otherToken()}` }
    const urls: string[] = []
    for (let count = 0; count < limits.openUploads; count++)
      urls.push(await uploads.requests.begun(5, headers))
    const refused = await uploads.requests.creation(5, headers)
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_requests' }])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await uploads.requests.creation(5)).status).toBe(201)
    const [first = '', second = ''] = urls
    await uploads.server.fetch(first, { method: 'DELETE', headers: { ...tus, ...headers } })
    await uploads.requests.begun(5, headers)
    expect((await uploads.requests.creation(5, headers)).status).toBe(429)
    // A finished upload is not open any more.
    expect((await uploads.requests.patch(second, { body: 'bytes', headers })).status).toBe(204)
    await uploads.requests.begun(5, headers)
  })
})

async function otherToken(): Promise<string> {
  const { id, secret } = await uploads.server.api.serviceAccounts.create({
    name: 'Other',
    roles: [(await uploads.server.api.roles.list({})).items[0]?.id ?? ''],
  })
  const { access_token: token } = await uploads.server.api.auth.token({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  return token
}
