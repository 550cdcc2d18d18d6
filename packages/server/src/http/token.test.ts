import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { form, json, serve, type Serving } from '../../test/serving.ts'

let server: Serving
const started: Serving[] = []
beforeEach(async () => {
  server = await serve()
  started.push(server)
})
afterAll(() => Promise.all(started.map(({ app }) => app.close())))

const grant_type = 'client_credentials'
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
const ask = (init: RequestInit) => server.fetch('/oauth2/token', init)
const withBasic = (members: Record<string, string>, id: string, secret: string) =>
  withAuthorization(form(members), basic(id, secret))
const withAuthorization = (init: RequestInit, authorization: string): RequestInit => ({
  ...init,
  headers: { ...(init.headers as object), authorization },
})

describe('POST /oauth2/token', () => {
  it('answers a token for the credentials in the form, not to be stored', async () => {
    const { clientId: client_id, clientSecret: client_secret } = server
    const response = await ask(form({ grant_type, client_id, client_secret }))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      access_token: expect.any(String),
      expires_in: 3600,
      token_type: 'Bearer',
    })
  })

  it('takes them by HTTP Basic too', async () => {
    const response = await ask(withBasic({ grant_type }, server.clientId, server.clientSecret))
    expect(response.status).toBe(200)
  })

  it('takes both when they agree and refuses them when they differ', async () => {
    const { clientId: client_id, clientSecret: client_secret } = server
    expect((await ask(withBasic({ grant_type, client_id }, client_id, client_secret))).status).toBe(200)
    const differing = await ask(withBasic({ grant_type, client_id: 'SVCA_OTHER' }, client_id, client_secret))
    expect([differing.status, await differing.json()]).toMatchObject([400, { error: /^invalid_request/ }])
  })

  it('answers an unknown id and a wrong secret alike', async () => {
    const unknown = await ask(form({ grant_type, client_id: 'SVCA_NOBODY', client_secret: 'x' }))
    const wrong = await ask(form({ grant_type, client_id: server.clientId, client_secret: 'x' }))
    expect([unknown.status, await unknown.json()]).toEqual([401, { error: 'invalid_client' }])
    expect([wrong.status, await wrong.json()]).toEqual([401, { error: 'invalid_client' }])
    const shape = (response: Response) => [...response.headers.keys()]
    expect(shape(unknown)).toEqual(shape(wrong))
  })

  it.each(['password', 'refresh_token', ''])(
    'says that the grant type %j is not supported',
    async (other) => {
      const response = await ask(form({ grant_type: other, client_id: 'x', client_secret: 'y' }))
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: /only client_credentials is supported/ },
      ])
    },
  )

  it('has an error body of its own also for what cannot be read', async () => {
    const bodies = [
      [json({ grant_type }), 415],
      [{ ...form({}), body: 'grant_type=%zz' }, 400],
      [{ ...form({}), body: 'grant_type=a&grant_type=b' }, 400],
      [form({ grant_type, stranger: '1' }), 400],
      [{ ...form({}), body: `client_id=${'x'.repeat(2 ** 20)}` }, 413],
      [withAuthorization(form({}), 'Basic !!!'), 400],
    ] as const
    for (const [init, status] of bodies) {
      const response = await ask(init)
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual({ error: expect.stringMatching(/^invalid_request/) })
    }
  })

  it('refuses an address after ten failures in a minute, the right secret too', async () => {
    for (let failure = 0; failure < 10; failure++)
      await ask(form({ grant_type, client_id: 'SVCA_X', client_secret: 'x' }))
    const { clientId: client_id, clientSecret: client_secret } = server
    const response = await ask(form({ grant_type, client_id, client_secret }))
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toEqual({ error: 'too_many_requests' })
  })
})
