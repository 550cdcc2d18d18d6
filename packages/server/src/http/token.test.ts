import { createQuire } from '@quire/core'
import { createMemoryStore, memorySecrets } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { form, json, serve, type Serving } from '../../test/serving.ts'

let server: Serving
let store: Store
const secrets = memorySecrets()
const started: Serving[] = []
beforeEach(async () => {
  store = createMemoryStore()
  server = await serve({ quire: createQuire({ store, secrets, baseUrl: 'http://quire.test' }) })
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

/** HTTP Basic with the secret unchanged. */
const asWritten = (id: string, written: string) =>
  withAuthorization(form({ grant_type }), `Basic ${Buffer.from(`${id}:${written}`).toString('base64')}`)

/** The id of a new account with a given secret. The API generates its own secrets. */
async function accountWith(secret: string): Promise<string> {
  const { id } = await server.api.serviceAccounts.create({ name: 'Chosen', roles: [] })
  const stored = await store.records.get('serviceAccount', id)
  if (!stored) throw new Error('The account does not exist.')
  const { revision, ...account } = stored
  const chosen = { id: 'SECR_CHOSEN', hash: await secrets.hmac(secret), createdDate: 0 }
  await store.transaction((tx) =>
    tx.records.put('serviceAccount', { ...account, secrets: [chosen] }, revision),
  )
  return id
}

describe('POST /oauth2/token', () => {
  it('returns a token for the credentials in the form, with caching forbidden', async () => {
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

  it('accepts them by HTTP Basic too', async () => {
    const response = await ask(withBasic({ grant_type }, server.clientId, server.clientSecret))
    expect(response.status).toBe(200)
  })

  it.each([
    ['a plus', 'one+two+three'],
    ['a space', 'one two three'],
    ['both, and characters that a form encodes', 'a%2Bb+c &=;:ä€'],
  ])('accepts a form-encoded secret with %s', async (_what, client_secret) => {
    const client_id = await accountWith(client_secret)
    expect((await ask(form({ grant_type, client_id, client_secret }))).status).toBe(200)
    // In HTTP Basic it is form-encoded first (RFC 6749 §2.3.1): a space as `+` or `%20`, a plus as
    // `%2B`.
    const asForm = new URLSearchParams({ '': client_secret }).toString().slice(1)
    for (const written of [asForm, encodeURIComponent(client_secret)])
      expect([written, (await ask(asWritten(client_id, written))).status]).toEqual([written, 200])
  })

  it.each([
    // A plus is a space.
    ['one two+three', 'one+two%2Bthree', 200],
    ['one two+three', 'one+two+three', 401],
    ['one%2Btwo', 'one%2Btwo', 401],
    // But a client that does not encode at all, such as curl, only has pluses.
    ['one+two+three', 'one+two+three', 200],
  ] as const)(
    'answers the secret %j, sent as %s, with %i, in a form and by HTTP Basic',
    async (secret, written, status) => {
      const client_id = await accountWith(secret)
      const body = `grant_type=${grant_type}&client_id=${client_id}&client_secret=${written}`
      expect((await ask({ ...form({}), body })).status).toBe(status)
      expect((await ask(asWritten(client_id, written))).status).toBe(status)
    },
  )

  it('accepts both when they agree and rejects them when they differ', async () => {
    const { clientId: client_id, clientSecret: client_secret } = server
    expect((await ask(withBasic({ grant_type, client_id }, client_id, client_secret))).status).toBe(200)
    const differing = await ask(withBasic({ grant_type, client_id: 'SVCA_OTHER' }, client_id, client_secret))
    expect([differing.status, await differing.json()]).toMatchObject([400, { error: 'invalid_request' }])
  })

  it('answers an unknown id and a wrong secret in the same way', async () => {
    const unknown = await ask(form({ grant_type, client_id: 'SVCA_NOBODY', client_secret: 'x' }))
    const wrong = await ask(form({ grant_type, client_id: server.clientId, client_secret: 'x' }))
    expect([unknown.status, await unknown.json()]).toEqual([401, { error: 'invalid_client' }])
    expect([wrong.status, await wrong.json()]).toEqual([401, { error: 'invalid_client' }])
    for (const long of [{ client_id: 'x'.repeat(3000) }, { client_secret: 'x'.repeat(3000) }]) {
      const refused = await ask(form({ grant_type, client_id: server.clientId, client_secret: 'x', ...long }))
      expect([refused.status, await refused.json()]).toEqual([401, { error: 'invalid_client' }])
    }
    const shape = (response: Response) => [...response.headers.keys()]
    expect(shape(unknown)).toEqual(shape(wrong))
  })

  it.each(['password', 'refresh_token', 'authorization_code', 'CLIENT_CREDENTIALS', ''])(
    'reports that the grant type %j is not supported',
    async (other) => {
      const response = await ask(form({ grant_type: other, username: 'a', password: 'b', client_id: 'x' }))
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: 'unsupported_grant_type: only client_credentials is supported' },
      ])
    },
  )

  it('uses its own error body for unreadable requests too', async () => {
    const bodies = [
      [json({ grant_type }), 415],
      [{ ...form({}), body: 'grant_type=%zz' }, 400],
      [{ ...form({}), body: 'grant_type=a&grant_type=b' }, 400],
      [{ ...form({}), body: `client_id=${'x'.repeat(2 ** 20)}` }, 413],
      [withAuthorization(form({}), 'Basic !!!'), 400],
    ] as const
    for (const [init, status] of bodies) {
      const response = await ask(init)
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual({
        error: 'invalid_request',
        error_description: expect.any(String),
      })
    }
  })

  it('ignores parameters that it does not know, and those without a value', async () => {
    const { clientId: client_id, clientSecret: client_secret } = server
    const credentials = { grant_type, client_id, client_secret }
    for (const more of [{ scope: 'a' }, { scope: '' }, { audience: 'x', resource: 'y' }])
      expect((await ask(form({ ...credentials, ...more }))).status).toBe(200)
    const empty = await ask(
      withBasic({ grant_type, client_id: '', client_secret: '' }, client_id, client_secret),
    )
    expect(empty.status).toBe(200)
  })

  it('uses its own error body for other methods', async () => {
    const response = await server.fetch('/oauth2/token')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('does not block other accounts of an address that failed for one id', async () => {
    for (let failure = 0; failure < 11; failure++)
      await ask(form({ grant_type, client_id: 'SVCA_X', client_secret: 'x' }))
    expect((await ask(form({ grant_type, client_id: 'SVCA_X', client_secret: 'x' }))).status).toBe(429)
    const { clientId: client_id, clientSecret: client_secret } = server
    expect((await ask(form({ grant_type, client_id, client_secret }))).status).toBe(200)
  })

  it('refuses an address after a hundred failures in a minute, even with the right secret', async () => {
    for (let failure = 0; failure < 100; failure++)
      await ask(form({ grant_type, client_id: `SVCA_${failure}`, client_secret: 'x' }))
    const { clientId: client_id, clientSecret: client_secret } = server
    const response = await ask(form({ grant_type, client_id, client_secret }))
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toEqual({ error: 'too_many_requests' })
  })
})
