import { createQuire, systemIdentity, type Principal } from '@quire/core'
import { createMemoryStore, memorySecrets, fixedClock } from '@quire/core/memory'
import { createServer, noRateLimits } from '@quire/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { openForge, type Forge } from './forge.ts'

const baseUrl = 'http://quire.test'
const clock = fixedClock()
const store = createMemoryStore()
const secrets = memorySecrets()
const quire = createQuire({ store, clock, secrets, baseUrl })
const api = quire.as(systemIdentity('test'))
const app = createServer({ quire, baseUrl, rates: noRateLimits })
const issued = clock.now() / 1000
const year = 365 * 24 * 3600

let forge: Forge
let account = { id: '', secret: '' }
let genuine = ''

beforeAll(async () => {
  account = await api.serviceAccounts.create({ name: 'Site' })
  genuine = await tokenOf(account)
  forge = await openForge(store, secrets)
})

async function tokenOf({ id, secret }: { id: string; secret: string }): Promise<string> {
  const input = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  return (await api.auth.token(input)).access_token
}

/** The claims of genuine tokens. */
const claims = (changes: object = {}) => ({
  typ: 'service',
  name: 'Site',
  epoch: 1,
  iss: baseUrl,
  aud: baseUrl,
  sub: account.id,
  jti: 'TOKN_1',
  iat: issued,
  exp: issued + 3600,
  ...changes,
})

const signed = (changes: object = {}, header: object = {}) =>
  forge.sign({ header: { ...forge.header, ...header }, payload: claims(changes) })

async function statusOf(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await app.inject({ url: '/api/security/me/permissions', headers })).statusCode
}

/** Signs a user in with a one-time link. Returns the session token. */
async function sessionOf(user: string): Promise<string> {
  const { url } = await api.users.createSignInLink({ id: user })
  const { pathname, search } = new URL(url)
  const answer = await app.inject({ url: pathname + search })
  return answer.cookies.find(({ name }) => name === 'token')?.value ?? ''
}

/** A defect, and the payload and header members that cause it. */
type Wrong = readonly [what: string, payload: object, header?: object]

describe('a token signed with our own key', () => {
  it('is accepted with genuine claims, so the forge works', async () => {
    expect(await statusOf(await signed())).toBe(200)
    expect(await quire.authenticate(await signed())).toMatchObject({ kind: 'service', id: account.id })
  })

  const wrong: readonly Wrong[] = [
    ['without exp', { exp: undefined }],
    ['with exp as text', { exp: String(issued + 3600) }],
    ['with exp in ten years', { exp: issued + 10 * year }],
    ['with exp a second beyond an hour', { exp: issued + 3601 }],
    ['with an exp that is not a number', { exp: null }],
    ['that has expired', { iat: issued - 3610, exp: issued - 10 }],
    ['that is not valid yet', { nbf: issued + 60 }],
    ['with nbf as text', { nbf: 'never' }],
    ['issued in the future', { iat: issued + 60, exp: issued + 3600 }],
    ['issued longer ago than a session lives', { iat: issued - year, exp: issued + 60, sid: 'x' }],
    ['without iat', { iat: undefined }],
    ['without a subject', { sub: undefined }],
    ['without an id', { jti: undefined }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'https://evil.example' }],
    ['for no audience', { aud: undefined }],
    ['with another typ', {}, { typ: 'JWT' }],
    ['with the typ of an ID token', {}, { typ: 'id+jwt' }],
    ['without typ', {}, { typ: undefined }],
    ['without a key id', {}, { kid: undefined }],
    ['with a key id that is a path', {}, { kid: '../../dev/null' }],
    ['with alg HS256', {}, { alg: 'HS256' }],
    ['with alg none', {}, { alg: 'none' }],
    ['with alg RS256', {}, { alg: 'RS256' }],
    ['with a critical header', {}, { crit: ['exp'], exp: 1 }],
    ['with a detached payload', {}, { b64: false, crit: ['b64'] }],
    ['of the system identity', { typ: 'system' }],
    ['of nobody', { typ: 'anonymous' }],
    ['of a user with the id of a service account', { typ: 'user' }],
    ['without an epoch', { epoch: undefined }],
    ['with an epoch as text', { epoch: '1' }],
    ['of another epoch', { epoch: 2 }],
    ['of an account that never existed', { sub: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X' }],
    ['of a session that never existed', { sid: 'made-up' }],
  ]

  const named = wrong.map(([what, payload, header]) => ({ what, payload, header }))
  it.each(named)('$what is answered with 401', async ({ payload, header }) => {
    expect(await statusOf(await signed(payload, header))).toBe(401)
  })

  it('is answered with 401 when encrypted, doubled, truncated or longer than 4 KiB', async () => {
    const [header = '', payload = '', signature = ''] = genuine.split('.')
    const spoiled = [
      await forge.encrypt(genuine),
      `${genuine}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}..${signature}`,
      `.${payload}.${signature}`,
      await signed({ padding: 'x'.repeat(4096) }),
    ]
    for (const token of spoiled) expect(await statusOf(token), token.slice(0, 60)).toBe(401)
  })

  it('may have additional claims, which are ignored', async () => {
    const token = await signed({ roles: ['admin'], permissions: { global: 'all' }, kind: 'system' })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({ url: '/api/security/me/permissions', headers })
    expect(answer.json()).toMatchObject({ roles: [], global: [], repos: {}, sites: {} })
  })
})

describe('a genuine token', () => {
  it('is answered with 401 in the query string, in a form and in another cookie', async () => {
    for (const name of ['access_token', 'token', 'authorization', 'bearer_token'])
      expect((await app.inject(`/api/security/me/permissions?${name}=${genuine}`)).statusCode).toBe(401)
    const form = await app.inject({
      method: 'POST',
      url: '/api/user/session',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `access_token=${genuine}`,
    })
    expect(form.statusCode).toBe(401)
    const cookie = await app.inject({
      url: '/api/security/me/permissions',
      headers: { cookie: `access_token=${genuine}; Token=${genuine}` },
    })
    expect(cookie.statusCode).toBe(401)
  })

  it('is rejected once its session is closed', async () => {
    await api.users.create({ id: 'closed@example.org', name: 'Closed' })
    const token = await sessionOf('closed@example.org')
    expect(await statusOf(token)).toBe(200)
    const principal = await quire.authenticate(token)
    expect(principal).toMatchObject({ session: expect.any(String) })
    await quire.as(principal).auth.closeSession()
    expect(await statusOf(token)).toBe(401)
  })

  it('is rejected as soon as its account is disabled', async () => {
    const other = await api.serviceAccounts.create({ name: 'Other' })
    const token = await tokenOf(other)
    expect(await statusOf(token)).toBe(200)
    await api.serviceAccounts.update({ id: other.id, enabled: false })
    expect(await statusOf(token)).toBe(401)
  })

  it('stays rejected when its user is disabled and enabled again', async () => {
    const id = 'disabled@example.org'
    await api.users.create({ id, name: 'Disabled' })
    const token = await sessionOf(id)
    expect(await statusOf(token)).toBe(200)
    await api.users.update({ id, enabled: false })
    expect(await statusOf(token)).toBe(401)
    await api.users.update({ id, enabled: true })
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(await sessionOf(id))).toBe(200)
  })

  it('of a deleted user is not valid for a new user with the same address', async () => {
    const id = 'again@example.org'
    await api.users.create({ id, name: 'First' })
    const token = await sessionOf(id)
    expect(await statusOf(token)).toBe(200)
    await api.users.delete({ id })
    expect(await statusOf(token)).toBe(401)
    clock.advance(1)
    await api.users.create({ id, name: 'Second' })
    expect(await statusOf(token)).toBe(401)
  })

  it('is rejected once its account is deleted or expired, or its secret removed', async () => {
    const gone = await api.serviceAccounts.create({ name: 'Gone' })
    const rotated = await api.serviceAccounts.create({ name: 'Rotated' })
    const ended = await api.serviceAccounts.create({ name: 'Ended' })
    const tokens = [await tokenOf(gone), await tokenOf(rotated), await tokenOf(ended)]
    for (const token of tokens) expect(await statusOf(token)).toBe(200)
    await api.serviceAccounts.delete({ id: gone.id })
    const { secrets: both } = await api.serviceAccounts.addSecret({ id: rotated.id })
    await api.serviceAccounts.removeSecret({ id: rotated.id, secretId: both[0]?.id ?? '' })
    await api.serviceAccounts.update({ id: ended.id, expiresAt: clock.now() })
    for (const token of tokens) expect(await statusOf(token)).toBe(401)
  })

  it('is rejected after its hour, even if it was cached', async () => {
    const token = await tokenOf(account)
    const principal: Principal = await quire.authenticate(token)
    expect(principal).toMatchObject({ id: account.id })
    clock.advance(3600_000 + 10_000)
    expect(await statusOf(token)).toBe(401)
  })
})
