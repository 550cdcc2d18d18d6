import type { Api } from '@quire/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

const configId = 'magazine'

let server: Serving
let article: Awaited<ReturnType<Api['items']['create']>>

beforeAll(async () => {
  server = await serve()
  const { api } = server
  const previewUrl = 'https://www.example.com/{slug}?token={token}'
  await api.repositories.update({ id: configId, settings: { previewUrl } })
  article = await api.items.create({ repositoryId: configId, type: 'article', name: 'For a front end' })
})
afterAll(() => server.app.close())

async function readingToken(headers = withToken(server.token).headers): Promise<string> {
  const path = `/api/items/${configId}/${article.id}/preview`
  const answer = await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toContain('no-')
  const { url } = (await answer.json()) as { url: string }
  return new URL(url).searchParams.get('token') ?? ''
}

const withToken = (token: string): { readonly headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
})
const read = (token: string) => server.fetch(`/api/items/${configId}/${article.id}`, withToken(token))

it('lets a front end read over HTTP, and do nothing else', async () => {
  const token = await readingToken()
  expect((await read(token)).status).toBe(200)
  const refused = [
    ['POST', `/api/items/${configId}/${article.id}/preview`],
    ['PATCH', `/api/items/${configId}/${article.id}`],
    ['DELETE', `/api/items/${configId}/${article.id}`],
    ['POST', '/api/user/session'],
    ['GET', '/api/user/me'],
    ['GET', '/api/events'],
    ['GET', '/api/security/users'],
    ['POST', '/api/uploads'],
  ] as const
  const statuses = refused.map(async ([method, path]) => {
    const answer = await server.fetch(path, { method, ...withToken(token) })
    return [path, answer.status]
  })
  for (const [path, status] of await Promise.all(statuses))
    expect([403, 404, 405], String(path)).toContain(status)
  const found = await (await server.fetch(`/api/items/${configId}/${article.id}`)).json()
  expect(found).toMatchObject({ name: 'For a front end', currentVersion: 1 })
})

it('does not live longer than the session from which it came', async () => {
  const opened = await server.fetch('/api/user/session', { method: 'POST' })
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';')
  const own = { cookie, 'sec-fetch-site': 'same-origin', origin: 'http://quire.test' }
  const token = await readingToken(own)
  expect((await read(token)).status).toBe(200)
  await fetch(`${server.baseUrl}/api/user/session`, { method: 'DELETE', headers: own })
  expect((await read(token)).status).toBe(401)
})

it('is of a type that an older server refuses, and says nothing about the account', async () => {
  const claims = decodeJwt(await readingToken())
  expect(claims).toMatchObject({ typ: 'reads', on: article.repositoryId, client_id: 'quire' })
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBeLessThanOrEqual(3600)
  expect(JSON.stringify(claims)).not.toContain(server.clientId)
  expect(claims).not.toHaveProperty('name')
})
