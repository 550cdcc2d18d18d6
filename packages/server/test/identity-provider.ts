import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { Provider } from 'oidc-provider'
import { onTestFinished, vi } from 'vitest'
import type { Browser } from './browser.ts'

/** The claims of a provider about its users, by login name. */
export type People = Readonly<Record<string, JWTPayload>>

/** The service as a client of the provider. */
export interface ProviderOptions {
  readonly redirectUri: string
  readonly people: People
  /** Default: none, for a public client. */
  readonly clientSecret?: string
  /** Whether addresses are in the id token, or only in the userinfo response. */
  readonly claimsIn: 'token' | 'userinfo'
}

export interface IdentityProvider {
  readonly issuer: string
  /** A token of the provider with any claims. */
  readonly sign: (claims: JWTPayload, expires?: string) => Promise<string>
}

const keyId = 'provider'
const { privateKey } = await generateKeyPair('RS256', { extractable: true })
const jwk = { ...(await exportJWK(privateKey)), kid: keyId, alg: 'RS256', use: 'sig' }

/**
 * A real OpenID Connect provider (`oidc-provider`) on a port of this machine until the test ends.
 * The client's id is `quire`.
 */
export async function openProvider(options: ProviderOptions): Promise<IdentityProvider> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provide = providerAt(issuer, options).callback()
  answer = (request, response) => void provide(request, response)
  return { issuer, sign: (claims, expires) => signToken(privateKey, { iss: issuer, ...claims }, expires) }
}

function providerAt(
  issuer: string,
  { redirectUri, people, clientSecret, claimsIn }: ProviderOptions,
): Provider {
  const authentication =
    clientSecret === undefined
      ? { token_endpoint_auth_method: 'none' as const }
      : { client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_basic' as const }
  // It warns against using its own pages and its memory store in production.
  const warnings = vi.spyOn(console, 'warn').mockReturnValue()
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'quire', redirect_uris: [redirectUri], ...authentication }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    cookies: { keys: ['only of this test'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...people[sub], sub }) }),
    jwks: { keys: [jwk] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  })
  warnings.mockRestore()
  return provider
}

/** A token for any user: by default with the required claims, valid for ten minutes. */
export async function signToken(
  key: CryptoKey,
  claims: JWTPayload,
  expires: string = '10m',
): Promise<string> {
  return new SignJWT({ sub: 'somebody', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: keyId })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key)
}

/**
 * Signs in at the provider through its pages, as a person would. Returns the address that the
 * browser is redirected back to.
 */
export async function signInAt(browser: Browser, start: string, login: string): Promise<string> {
  const { origin } = new URL(start)
  let url = start
  // Login, consent, and a redirect before and after each.
  for (let step = 0; step < 12 && new URL(url).origin === origin; step++) {
    const response = await browser.visit(url)
    url = nextAddress(response, url) ?? (await submit(browser, { url, response, login }))
  }
  return url
}

function nextAddress({ headers }: Response, url: string): string | undefined {
  const location = headers.get('location')
  return location === null ? undefined : new URL(location, url).href
}

interface TokenView {
  readonly url: string
  readonly response: Response
  readonly login: string
}

async function submit(browser: Browser, { url, response, login }: TokenView): Promise<string> {
  const page = await response.text()
  const prompt = /name="prompt" value="(login|consent)"/.exec(page)?.[1]
  if (prompt === undefined) throw new Error(`The provider shows an unknown page: ${response.status} ${page}`)
  const body = new URLSearchParams({ prompt, login, password: 'any' })
  const answered = await browser.visit(url, { method: 'POST', body })
  const next = nextAddress(answered, url)
  if (next === undefined) throw new Error(`The provider does not redirect: ${await answered.text()}`)
  return next
}
