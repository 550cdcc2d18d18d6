import { createServer as createHttpServer } from 'node:http'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { SignIn } from '@quire/core/ports'
import type { Api } from '@quire/contract'
import { generateKeyPair, type JWTPayload } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBrowser, type Browser } from '../../test/browser.ts'
import { openProvider, signInAt, signToken, type ProviderOptions } from '../../test/identity-provider.ts'
import { reservePort } from '../commands/reserve-port.ts'
import { createServer, noRateLimits } from '../index.ts'
import { oidcSignIn, type OidcOptions } from './oidc.ts'
import { trustedIssuer } from './trusted-issuer.ts'

const people = {
  ada: { email: 'Ada@Example.org', email_verified: true, name: 'Ada Lovelace' },
  mary: { email: 'mary@example.org', email_verified: true, name: 'Mary Somerville' },
  doubtful: { email: 'ada@example.org', email_verified: false, name: 'Not Ada' },
  unsaid: { email: 'ada@example.org', name: 'Ada by her own word' },
  nameless: { email: 'mary@example.org', email_verified: true },
  kelvin: { email: '\u212Aim@example.org', email_verified: true },
  hidden: { name: 'Without an address' },
} satisfies Readonly<Record<string, JWTPayload>>

interface Service {
  readonly url: string
  readonly issuer: string
  readonly api: Api
  readonly signIn: SignIn
  readonly sign: (claims: JWTPayload, expires?: string) => Promise<string>
}

interface ProviderAnswer {
  readonly provider?: Partial<ProviderOptions>
  readonly oidc?: Partial<OidcOptions>
}

/** A port where nobody listens. */
async function freePort(): Promise<number> {
  const reserved = await reservePort({ host: '127.0.0.1', port: 0 })
  await reserved.release()
  return reserved.port
}

/** The service with a provider that knows it; Ada is an administrator there. */
async function serve({ provider = {}, oidc = {} }: ProviderAnswer = {}): Promise<Service> {
  const reserved = await reservePort({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${reserved.port}`
  const redirectUri = `${url}/api/user/login/callback`
  const { issuer, sign } = await openProvider({ redirectUri, people, claimsIn: 'token', ...provider })
  const signIn = oidcSignIn({ issuer, clientId: 'quire', ...oidc })
  const quire = createQuire({
    store: createMemoryStore(),
    baseUrl: url,
    signIn,
    trustedIssuers: [trustedIssuer({ issuer, audience: 'quire-api' })],
  })
  const app = createServer({ quire, baseUrl: url, rates: noRateLimits })
  onTestFinished(async () => {
    await app.close()
    await quire.close()
  })
  await reserved.release()
  await app.listen({ host: '127.0.0.1', port: reserved.port })
  const api = quire.as(systemIdentity('test'))
  const role = await api.roles.create({ name: 'Administrators', bundles: ['bundle.administrator'] })
  await api.users.create({ id: 'ada@example.org', name: 'Ada', roles: [role.id] })
  return { url, issuer, api, signIn, sign }
}

/**
 * Starts a sign-in, goes through the pages of the provider and returns the address of the callback.
 */
async function comeBack({ url }: Service, browser: Browser, login: string): Promise<string> {
  const begun = await browser.visit(
    `${url}/api/user/login?returnTo=${encodeURIComponent('/api/user/me?x=1')}`,
  )
  expect(begun.status).toBe(303)
  return signInAt(browser, begun.headers.get('location') ?? '', login)
}

async function signedIn(service: Service, login: string): Promise<Browser> {
  const browser = openBrowser()
  const response = await browser.visit(await comeBack(service, browser, login))
  expect([response.status, response.headers.get('location')]).toEqual([303, `${service.url}/api/user/me?x=1`])
  return browser
}

/** The response of the service to a browser that returns from the provider. */
async function refusal(service: Service, login: string): Promise<number> {
  const browser = openBrowser()
  const { status } = await browser.visit(await comeBack(service, browser, login))
  expect(browser.cookie(service.url, 'token')).toBeUndefined()
  return status
}

async function userOf({ url }: Service, browser: Browser): Promise<unknown> {
  const response = await browser.visit(`${url}/api/user/me`)
  return response.status === 200 ? response.json() : response.status
}

function write({ url }: Service, browser: Browser, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ name: `Role ${JSON.stringify(headers)}` })
  const type = { 'content-type': 'application/json' }
  return browser.visit(`${url}/api/security/roles`, {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
  })
}

describe('signing in at a provider', () => {
  it('signs the browser in as the user with the proved address', async () => {
    const service = await serve()
    const browser = await signedIn(service, 'ada')
    expect(await userOf(service, browser)).toMatchObject({ kind: 'user', id: 'ada@example.org', name: 'Ada' })
  })

  it('asks for a code with PKCE, state and nonce', async () => {
    const service = await serve()
    const { headers } = await openBrowser().visit(`${service.url}/api/user/login`)
    expect(Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)).toEqual({
      client_id: 'quire',
      response_type: 'code',
      redirect_uri: `${service.url}/api/user/login/callback`,
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  it('works with a client that has a secret, and is refused with a wrong one', async () => {
    const clientSecret = 'a secret: with / what % must + be & encoded'
    const service = await serve({ provider: { clientSecret }, oidc: { clientSecret } })
    expect(await userOf(service, await signedIn(service, 'ada'))).toMatchObject({ id: 'ada@example.org' })
    const wrong = await serve({ provider: { clientSecret }, oidc: { clientSecret: 'wrong' } })
    expect(await refusal(wrong, 'ada')).toBe(401)
  })

  it('asks the provider when the token does not contain the address', async () => {
    const service = await serve({ provider: { claimsIn: 'userinfo' } })
    expect(await userOf(service, await signedIn(service, 'ada'))).toMatchObject({ id: 'ada@example.org' })
    expect(await refusal(service, 'doubtful')).toBe(401)
  })

  it('lets a browser write only from pages of the service', async () => {
    const service = await serve()
    const browser = await signedIn(service, 'ada')
    const statusOf = async (headers: Record<string, string>) =>
      (await write(service, browser, headers)).status
    expect(await statusOf({ origin: service.url })).toBe(201)
    expect(await statusOf({ origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf({ origin: service.url, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await statusOf({})).toBe(403)
  })

  it('accepts a callback once', async () => {
    const service = await serve()
    const browser = openBrowser()
    const address = await comeBack(service, browser, 'ada')
    expect((await browser.visit(address)).status).toBe(303)
    expect((await browser.visit(address)).status).toBe(401)
  })

  it('refuses a callback in a browser that did not start the sign-in', async () => {
    const service = await serve()
    const address = await comeBack(service, openBrowser(), 'ada')
    expect((await openBrowser().visit(address)).status).toBe(401)
    const other = openBrowser()
    await other.visit(`${service.url}/api/user/login`)
    expect((await other.visit(address)).status).toBe(401)
    expect(other.cookie(service.url, 'token')).toBeUndefined()
  })

  it('refuses a callback with another state, issuer or code', async () => {
    const service = await serve()
    const changed = async (name: string, value: string) => {
      const browser = openBrowser()
      const address = new URL(await comeBack(service, browser, 'ada'))
      expect(address.searchParams.get(name)).not.toBeNull()
      address.searchParams.set(name, value)
      return (await browser.visit(address.href)).status
    }
    expect(await changed('state', 'another')).toBe(401)
    expect(await changed('iss', 'https://evil.example')).toBe(401)
    expect(await changed('code', 'another')).toBe(401)
  })

  it('refuses what the provider refuses', async () => {
    const service = await serve()
    const browser = openBrowser()
    const { headers } = await browser.visit(`${service.url}/api/user/login`)
    const state = new URL(headers.get('location') ?? '').searchParams.get('state')
    const answer = new URLSearchParams({ error: 'access_denied', state: state ?? '', iss: service.issuer })
    expect((await browser.visit(`${service.url}/api/user/login/callback?${answer}`)).status).toBe(401)
  })

  it('refuses a person who is not a user', async () => {
    const service = await serve()
    expect(await refusal(service, 'mary')).toBe(401)
    await expect(service.api.users.get({ id: 'mary@example.org' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('creates a user with the roles for new users, if there are any', async () => {
    const service = await serve({ oidc: { newUserRoles: ['Readers'] } })
    const readers = await service.api.roles.create({ name: 'Readers', bundles: ['bundle.viewer'] })
    const browser = await signedIn(service, 'mary')
    expect(await userOf(service, browser)).toMatchObject({ id: 'mary@example.org', name: 'Mary Somerville' })
    expect(await service.api.users.get({ id: 'mary@example.org' })).toMatchObject({ roles: [readers.id] })
    expect((await write(service, browser, { origin: service.url })).status).toBe(403)
  })

  it('names a new user after the address when the provider gives no name', async () => {
    const service = await serve({ oidc: { newUserRoles: ['Readers'] } })
    expect(await userOf(service, await signedIn(service, 'nameless'))).toMatchObject({
      name: 'mary@example.org',
    })
  })

  it('refuses an address that is not verified, missing, or a different one in lower case', async () => {
    const service = await serve({ oidc: { newUserRoles: [] } })
    expect(await refusal(service, 'doubtful')).toBe(401)
    expect(await refusal(service, 'unsaid')).toBe(401)
    expect(await refusal(service, 'hidden')).toBe(401)
    expect(await refusal(service, 'kelvin')).toBe(401)
    expect((await service.api.users.list()).count).toBe(1)
  })

  it('accepts an address without a verification claim when the provider is trusted', async () => {
    const service = await serve({ oidc: { trustEmail: true } })
    expect(await userOf(service, await signedIn(service, 'unsaid'))).toMatchObject({ id: 'ada@example.org' })
    expect(await refusal(service, 'doubtful')).toBe(401)
  })

  it.each([
    '//evil',
    '/\\evil',
    '\\\\evil',
    'https:evil',
    'https://evil',
    '/\tevil',
    '/\n/evil',
    'javascript:alert(1)',
    'evil',
    '',
  ])('refuses to go to %j afterwards', async (returnTo) => {
    const service = await serve()
    const browser = openBrowser()
    const query = new URLSearchParams({ returnTo })
    expect((await browser.visit(`${service.url}/api/user/login?${query}`)).status).toBe(400)
    expect(browser.cookie(service.url, 'login')).toBeUndefined()
  })

  it('ends with the session: its cookie is invalid then', async () => {
    const service = await serve()
    const browser = await signedIn(service, 'ada')
    const token = browser.cookie(service.url, 'token') ?? ''
    const other = await signedIn(service, 'ada')
    const closed = await browser.visit(`${service.url}/api/user/session`, {
      method: 'DELETE',
      headers: { origin: service.url },
    })
    expect([closed.status, browser.cookie(service.url, 'token')]).toEqual([204, undefined])
    browser.retain(service.url, { name: 'token', value: token })
    expect(await userOf(service, browser)).toBe(401)
    expect(await userOf(service, other)).toMatchObject({ id: 'ada@example.org' })
  })

  it('ends when the user is disabled', async () => {
    const service = await serve({ oidc: { newUserRoles: [] } })
    const browser = await signedIn(service, 'mary')
    await service.api.users.update({ id: 'mary@example.org', enabled: false })
    expect(await userOf(service, browser)).toBe(401)
    expect(await refusal(service, 'mary')).toBe(401)
    await service.api.users.update({ id: 'mary@example.org', enabled: true })
    expect(await userOf(service, browser)).toBe(401)
  })
})

describe('the provider itself', () => {
  it('refuses a response to another nonce or verifier', async () => {
    const { signIn, url } = await serve()
    const finish = async (change: (stored: { nonce: string; verifier: string }) => object) => {
      const { location, stored } = await signIn.begin({
        redirectUri: `${url}/api/user/login/callback`,
        state: 'a-state-of-the-test',
      })
      const back = await signInAt(openBrowser(), location, 'ada')
      return signIn.finish({
        url: back,
        state: 'a-state-of-the-test',
        stored: JSON.stringify(change(JSON.parse(stored))),
      })
    }
    expect(await finish((stored) => stored)).toEqual({ email: 'Ada@Example.org', name: 'Ada Lovelace' })
    await expect(finish((stored) => ({ ...stored, nonce: 'a'.repeat(43) }))).rejects.toThrow('JWT claim')
    await expect(finish((stored) => ({ ...stored, verifier: 'a'.repeat(43) }))).rejects.toThrow(
      'server responded',
    )
  })

  it('is discovered again after it could not be reached', async () => {
    const port = await freePort()
    const away = await serve({ oidc: { issuer: `http://127.0.0.1:${port}` } })
    const login = () => openBrowser().visit(`${away.url}/api/user/login`)
    expect((await login()).status).toBe(503)
    const server = createHttpServer((_request, response) => {
      const issuer = `http://127.0.0.1:${port}`
      const document = { issuer, authorization_endpoint: `${issuer}/auth` }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
    expect((await login()).status).toBe(303)
  })

  it('must be the configured issuer', async () => {
    const { issuer } = await serve()
    const begin = (asked: string) =>
      oidcSignIn({ issuer: asked, clientId: 'quire' }).begin({ redirectUri: 'http://a.test', state: 's' })
    await expect(begin(issuer.replace('127.0.0.1', 'localhost'))).rejects.toThrow('issuer')
    await expect(begin(`${issuer}/.well-known/openid-configuration`)).rejects.toThrow('names another issuer')
  })

  it.each([
    'http://id.example.org',
    'http://127.0.0.1.example.org',
    'ftp://127.0.0.1',
    'id.example.org',
    'https://id.example.org/?a=b',
  ])('is not %s', (issuer) => {
    expect(() => oidcSignIn({ issuer, clientId: 'quire' })).toThrow('An issuer must be an address')
    expect(() => trustedIssuer({ issuer, audience: 'quire' })).toThrow('An issuer must be an address')
  })
})

describe('a token of a trusted issuer', () => {
  const ada = { aud: 'quire-api', email: 'ada@example.org', email_verified: true }

  async function statusOf({ url }: Service, token: string): Promise<number> {
    const response = await fetch(`${url}/api/user/me`, { headers: { authorization: `Bearer ${token}` } })
    return response.status
  }

  it('is accepted for the user with its address', async () => {
    const service = await serve()
    const headers = { authorization: `Bearer ${await service.sign(ada)}` }
    const me = await fetch(`${service.url}/api/user/me`, { headers })
    expect(await me.json()).toMatchObject({ kind: 'user', id: 'ada@example.org' })
  })

  it('is refused when it is for another audience, expired, without a proved address, or not of a user', async () => {
    const service = await serve()
    const { sign } = service
    expect(await statusOf(service, await sign({ ...ada, aud: 'another' }))).toBe(401)
    expect(await statusOf(service, await sign(ada, '-1m'))).toBe(401)
    expect(await statusOf(service, await sign({ ...ada, email_verified: false }))).toBe(401)
    expect(await statusOf(service, await sign({ ...ada, email: 'nobody@example.org' }))).toBe(401)
    await service.api.users.create({ id: 'kim@example.org', name: 'Kim' })
    expect(await statusOf(service, await sign({ ...ada, email: people.kelvin.email }))).toBe(401)
    expect(await statusOf(service, await sign({ ...ada, iss: 'https://evil.example' }))).toBe(401)
  })

  it('is refused when another key signed it', async () => {
    const service = await serve()
    const { privateKey } = await generateKeyPair('RS256')
    expect(await statusOf(service, await signToken(privateKey, { iss: service.issuer, ...ada }))).toBe(401)
  })

  it('is refused while the keys of the issuer are unavailable', async () => {
    const port = await freePort()
    const { keys } = trustedIssuer({ issuer: `http://127.0.0.1:${port}`, audience: 'quire' })
    await expect(keys({ alg: 'RS256' }, { payload: '', signature: '' })).rejects.toThrow('fetch failed')
  })

  it.each(['10m', '1 week'])(
    'that is valid for %s opens a session of the browser that has it',
    async (expires) => {
      const service = await serve()
      const browser = openBrowser()
      const authorization = `Bearer ${await service.sign(ada, expires)}`
      const opened = await browser.visit(`${service.url}/api/user/session`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{}',
      })
      expect(opened.status).toBe(200)
      expect(await userOf(service, browser)).toMatchObject({ id: 'ada@example.org' })
    },
  )
})
