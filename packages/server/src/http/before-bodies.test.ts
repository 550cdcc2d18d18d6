import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

let server: Serving
let viewer: string
beforeAll(async () => {
  server = await serve()
  const role = await server.api.roles.create({ name: 'Readers', bundles: ['bundle.viewer'] })
  const account = await server.api.serviceAccounts.create({ name: 'Reader', roles: [role.id] })
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: account.id,
    client_secret: account.secret,
  })
  const answer = await fetch(`${server.baseUrl}/oauth2/token`, { method: 'POST', body })
  viewer = ((await answer.json()) as { access_token: string }).access_token
})
afterAll(() => server.app.close())

/** The status for a body that is not JSON: 400 shows that it was read. */
async function statusOf(path: string, token: string | undefined): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return (await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers, body: '{' })).status
}

describe('a body is not read', () => {
  it('of a caller without a valid token', async () => {
    expect([await statusOf('/api/items', undefined), await statusOf('/api/items', 'x')]).toEqual([401, 401])
  })

  it('of a caller who may not write anywhere', async () => {
    expect(await statusOf('/api/items', viewer)).toBe(403)
  })

  it('of a GraphQL request without a token, when the graph is not public', async () => {
    const paths = ['/api/graphql/magazine', '/api/graphql/none', '/api/graphql/magazine/_package/x']
    expect(await Promise.all(paths.map((path) => statusOf(path, undefined)))).toEqual([401, 401, 401])
  })

  it('unless the caller may write somewhere', async () => {
    expect(await statusOf('/api/items', server.token)).toBe(400)
  })
})
