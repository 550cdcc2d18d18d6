import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesk, type Desk } from './desk.ts'

let desk: Desk
let token: string

beforeAll(async () => {
  desk = await openDesk()
  const { id, secret } = await desk.api.serviceAccounts.create({ name: 'Agent', branchOnly: true })
  const { access_token } = await desk.api.auth.token({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  token = access_token
})
afterAll(() => desk.close())

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

function send(headers: Record<string, string>, init: RequestInit = {}): Promise<Response> {
  return desk.mcp(
    new Request('http://127.0.0.1:3999/api/mcp', {
      method: 'POST',
      body: JSON.stringify(ping),
      ...init,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    }),
  )
}

describe('the endpoint', () => {
  it('answers a caller with a bearer token', async () => {
    const response = await send({ authorization: `Bearer ${token}` })
    expect(response.status).toBe(200)
  })

  it.each([{}, { authorization: 'Bearer x' }, { authorization: 'Basic eDp5' }, { cookie: 'token=x' }])(
    'refuses %j with a challenge',
    async (headers: Record<string, string>) => {
      const response = await send(headers)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    },
  )

  it('takes no cookie, however valid', async () => {
    expect((await send({ cookie: `token=${token}` })).status).toBe(401)
  })

  it('refuses pages of other origins', async () => {
    const authorization = `Bearer ${token}`
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:4000'])
      expect((await send({ authorization, origin })).status).toBe(403)
    expect((await send({ authorization, origin: 'http://127.0.0.1:3999' })).status).toBe(200)
  })

  it('has no sessions: only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await send({ authorization: `Bearer ${token}` }, { method, body: null })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it.each([
    ['{', 400],
    ['[]', 400],
    ['[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400],
    ['null', 400],
    ['"x"', 400],
    [`"${'x'.repeat(6_000_000)}"`, 413],
  ])('refuses a body that is no request: %.10s', async (body, status) => {
    expect((await send({ authorization: `Bearer ${token}` }, { body })).status).toBe(status)
  })
})
