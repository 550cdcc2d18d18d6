import { createClient } from '@quire/client'
import type { Repository } from '@quire/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve, type Serving } from '../../test/serving.ts'

let server: Serving
let limitedToken: string
beforeAll(async () => {
  server = await serve()
  const role = await server.api.roles.create({ name: 'Readers', bundles: ['bundle.viewer'] })
  const { id, secret } = await server.api.serviceAccounts.create({ name: 'Reader', roles: [role.id] })
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const answer = await fetch(`${server.baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  limitedToken = ((await answer.json()) as { access_token: string }).access_token
})
afterAll(() => server.app.close())

const tries = 20

/**
 * The responses to the same request, sent this many times. For one that never arrived, the error.
 */
async function answersTo(path: string, init: () => RequestInit): Promise<readonly string[]> {
  const seen = new Set<string>()
  for (let count = 0; count < tries; count += 1) {
    const answer = await server.fetch(path, { method: 'POST', ...init() }).catch((error: Error) => error)
    if (answer instanceof Error) seen.add(`${String(answer)} ${String(answer.cause)}`)
    else seen.add(`${answer.status} ${String(((await answer.json()) as { error: unknown }).error)}`)
  }
  return [...seen]
}

const json = { 'content-type': 'application/json' }
const long = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes) })

function form(...parts: readonly (readonly [string, string | Blob])[]): RequestInit {
  const body = new FormData()
  for (const [name, value] of parts) body.append(name, value)
  return { body }
}

const file = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'image/png' })

describe('a caller who is refused while sending the body reads the reason', () => {
  it('30 MB of JSON', async () => {
    expect(await answersTo('/api/items', () => ({ headers: json, body: long(30_000_000) }))).toEqual([
      '413 true',
    ])
  }, 60_000)

  it.each([16_384, 450_000, 10_000_000])(
    'data that is not JSON before a file of %i bytes',
    async (bytes) => {
      const parts = () => form(['data', '{'], ['file', file(bytes)])
      expect(await answersTo('/api/assets/magazine', parts)).toEqual(['400 true'])
    },
    60_000,
  )

  it('a part that is unknown before a file', async () => {
    const parts = () => form(['data', '{}'], ['more', 'x'], ['file', file(10_000_000)])
    expect(await answersTo('/api/assets/magazine', parts)).toEqual(['400 true'])
  }, 60_000)

  it('an anonymous caller, and one who may not write', async () => {
    const sentBy = (token: string) => () => ({
      headers: { ...json, authorization: `Bearer ${token}` },
      body: long(4_000_000),
    })
    expect(await answersTo('/api/items', sentBy('none'))).toEqual(['401 true'])
    expect(await answersTo('/api/items', sentBy(limitedToken))).toEqual(['403 true'])
  }, 60_000)

  it('a form without end at the token endpoint', async () => {
    const body = `grant_type=${'x'.repeat(5_000_000)}`
    const init = () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })
    expect((await answersTo('/oauth2/token', init)).every((answer) => answer.startsWith('413 '))).toBe(true)
  }, 60_000)

  it('the client', async () => {
    const { baseUrl, clientId, clientSecret } = server
    const client = createClient({ baseUrl, auth: { clientId, clientSecret } })
    const { id: repositoryId }: Repository = await server.api.repositories.get({ id: 'magazine' })
    const codes = new Set<unknown>()
    for (let count = 0; count < 10; count += 1) {
      const call = client.items.create({
        repositoryId,
        type: 'article',
        name: 'Long',
        description: 'x'.repeat(30_000_000),
      })
      codes.add(await call.catch(({ code, status }: { code: string; status: number }) => `${status} ${code}`))
    }
    expect([...codes]).toEqual(['413 too_large'])
  }, 60_000)
})
