import {
  type Contract,
  type OutputOf,
  type PermissionKey,
  limits,
  QuireError,
  type ParsedOf,
} from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { algorithm } from './keys.ts'
import { findAccount, type UserRecord } from '../../engine/access/records.ts'
import { explained, listed, type ExplainInput, type EffectivePermissions } from './explain.ts'
import type { Cookie } from '@quire/contract/codec'
import { WithCookie, type Answer } from '../../engine/answer.ts'
import { invalid } from '../../engine/check-input.ts'
import { provisionUser } from '../users/find.ts'
import type { SignedIn, SignIn } from '../../ports/index.ts'
import { cookieOf } from './issue.ts'
import { open, redeemTicket } from './sessions.ts'

/** The public keys as a JSON Web Key Set (RFC 7517). */
export async function keys(call: Call): Promise<OutputOf<Contract['auth']['keys']>> {
  const records = await call.store.records.list('signingKey')
  return { keys: records.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, use: 'sig', alg: algorithm })) }
}

/** Authorization server metadata (RFC 8414), with addresses from the configuration, never from the request. */
export async function metadata(call: Call): Promise<OutputOf<Contract['auth']['metadata']>> {
  const { baseUrl } = call.environment
  return {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/oauth2/token`,
    jwks_uri: `${baseUrl}/oauth2/jwks`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    response_types_supported: [],
  }
}

/** What the caller may do now, and for one key why (specification 5.2.8; DESIGN "Security"). */
export async function myPermissions(call: Call, input: ExplainInput): Promise<EffectivePermissions> {
  const { kind, id, name, permissions } = call.identity
  if (kind === 'user' || kind === 'service') {
    const account = await findAccount(call.store.records, { kind, id })
    if (account) return explained(call, account, input)
  }
  const answer = { identity: { kind, id, name }, ...listed(permissions) }
  if (input.explain === undefined) return answer
  const key = input.explain as PermissionKey
  // The process itself holds every key by what it is, and nobody holds none.
  return { ...answer, explanation: { key, allowed: permissions.global === 'all', grants: [], withheld: [] } }
}

export { closeSession, openSession } from './sessions.ts'
export { issueToken as token } from './token.ts'

type Auth = Contract['auth']
type Destination = OutputOf<Auth['login']>

/** What is kept of a sign-in until the browser comes back. */
interface Begun {
  readonly stored: string
  /** Keyed hash of the browser's cookie: nobody is signed in by another's address. */
  readonly browser: string
  readonly returnTo: string
}

/**
 * Signs in by a one-time link, or begins a sign-in at the provider.
 * Errors: `invalid` for a `returnTo` elsewhere; `unauthorized` for a ticket that is none; `not_found` without a provider; `unavailable`
 * when it cannot be reached.
 */
export async function login(call: Call, input: ParsedOf<Auth['login']>): Promise<Answer<Destination>> {
  const location = returnAddress(call, input.returnTo)
  if (input.ticket !== undefined) return signedIn(call, await redeemTicket(call, input.ticket), location)
  const { ids, secrets } = call.environment
  const state = ids.secret(32)
  const browser = ids.secret(32)
  const begun = await requireSignIn(call)
    .begin({ redirectUri: callbackUrl(call), state })
    .catch((cause: unknown) => {
      throw new QuireError('unavailable', 'The identity provider cannot be reached.', { cause })
    })
  const stored: Begun = { stored: begun.stored, browser: await secrets.hmac(browser), returnTo: location }
  const sealed = await secrets.seal(JSON.stringify(stored), 'sign-in')
  await call.write((call) => call.store.ephemera.put(keyOf(state), sealed, call.now + limits.signInLifetime))
  return new WithCookie({ location: begun.location }, loginCookie(call, browser))
}

/**
 * Where the provider sends a browser back to: signs the user in whose proved address it is.
 * Errors: `unauthorized` for a sign-in that this browser did not begin, that ran out, or that the provider refused; for whoever is no user.
 */
export async function callback(call: Call, input: ParsedOf<Auth['callback']>): Promise<Answer<Destination>> {
  const signIn = requireSignIn(call)
  const { state = '' } = input
  const begun = await takeBegun(call, state)
  const person = await signIn
    .finish({ url: answerUrl(call, input), state, stored: begun.stored })
    .catch(refused)
  return signedIn(call, await userOf(call, signIn, person), begun.returnTo)
}

function refused(cause: unknown): never {
  throw new QuireError('unauthorized', 'The identity provider did not confirm the sign-in: try again.', {
    cause,
  })
}

async function takeBegun(call: Call, state: string): Promise<Begun> {
  const { secrets } = call.environment
  const sealed = await call.write((call) => call.store.ephemera.take(keyOf(state), call.now))
  const begun: Begun | null = sealed === null ? null : JSON.parse(await secrets.open(sealed, 'sign-in'))
  const { browser } = call.origin
  if (begun && browser !== undefined && (await secrets.hmacs(browser)).includes(begun.browser)) return begun
  throw new QuireError('unauthorized', 'This sign-in was not begun here, or took too long: begin again.')
}

async function userOf(call: Call, signIn: SignIn, person: SignedIn): Promise<UserRecord> {
  const id = person.email.toLowerCase()
  const user = (await call.store.records.get('user', id)) ?? (await provisionUser(call, signIn, person))
  if (!user?.enabled) throw new QuireError('unauthorized', `"${id}" is no user of this service.`)
  return user
}

async function signedIn(call: Call, user: UserRecord, location: string): Promise<Answer<Destination>> {
  const { cookie } = await open(call, { ...user, kind: 'user' }, call.now + limits.sessionLifetime * 1000)
  return new WithCookie({ location }, cookie)
}

function requireSignIn({ environment }: Call): SignIn {
  if (environment.signIn) return environment.signIn
  throw new QuireError('not_found', 'No identity provider is configured: sign in with a one-time link.')
}

function callbackUrl({ environment }: Call): string {
  return `${environment.baseUrl}/api/user/login/callback`
}

function answerUrl(call: Call, input: ParsedOf<Auth['callback']>): string {
  const url = new URL(callbackUrl(call))
  for (const [name, value] of Object.entries(input))
    if (typeof value === 'string') url.searchParams.set(name, value)
  return url.href
}

/** The address to go to afterwards: a path of this service. Errors: `invalid` for every other (TRUST S26). */
function returnAddress({ environment: { baseUrl } }: Call, path = `${pathOf(baseUrl)}/api-docs`): string {
  const isPath = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)
  const address = isPath && URL.canParse(path, baseUrl) ? new URL(path, baseUrl) : null
  if (address?.origin === new URL(baseUrl).origin) return address.href
  throw invalid([{ path: 'returnTo', message: 'must be a path of this service: /…' }])
}

function loginCookie(call: Call, value: string): Cookie {
  const path = `${pathOf(call.environment.baseUrl)}/api/user/login`
  return cookieOf(call, { name: 'login', value, maxAge: limits.signInLifetime / 1000, path })
}

/** What stands before every path of the service, where it is not at the top of its host. */
function pathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

function keyOf(state: string): string {
  return `sign-in:${state}`
}
