import { type Contract, type OutputOf, limits, QuireError, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { algorithm } from './keys.ts'
import { findAccount, type UserRecord } from '../../engine/access/records.ts'
import {
  explainPermissions,
  serializePermissions,
  type ExplainInput,
  type EffectivePermissions,
} from './explain.ts'
import type { Cookie } from '@quire/contract/codec'
import { WithCookie, type Answer } from '../../engine/answer.ts'
import { invalid } from '../../engine/check-input.ts'
import { provisionUser } from '../users/find.ts'
import type { SignedIn, SignIn } from '../../ports/index.ts'
import { cookieOf } from './issue.ts'
import { redeemTicket, startSession } from './sessions.ts'

/** The public keys that verify tokens, as a JSON Web Key Set (RFC 7517). */
export async function keys(call: Call): Promise<OutputOf<Contract['auth']['keys']>> {
  const records = await call.store.records.list('signingKey')
  return { keys: records.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, use: 'sig', alg: algorithm })) }
}

/**
 * Authorization server metadata (RFC 8414). The URLs come from the configuration, never from the
 * request.
 */
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

/**
 * The current permissions of the caller, with an explanation for one key (specification 5.2.8;
 * DESIGN "Security").
 */
export async function myPermissions(call: Call, input: ExplainInput): Promise<EffectivePermissions> {
  const { kind, id, name, permissions } = call.identity
  if (kind === 'user' || kind === 'service') {
    const account = await findAccount(call.store.records, { kind, id })
    if (account) return explainPermissions(call, account, input)
  }
  const answer = { identity: { kind, id, name }, ...serializePermissions(permissions) }
  if (input.explain === undefined) return answer
  const key = input.explain
  // The service itself holds every key without any grants, and anonymous callers hold none.
  const allowed = permissions.global === 'all'
  const explanation = { key, allowed, allowedInPackages: allowed, grants: [], withheld: [] }
  return { ...answer, explanation }
}

export { closeSession, openSession } from './sessions.ts'
export { issueToken as token } from './token.ts'

type Auth = Contract['auth']
type Destination = OutputOf<Auth['login']>

/** The state of a sign-in until the browser returns from the provider. */
interface PendingSignIn {
  /** The state of the provider's adapter. */
  readonly stored: string
  /**
   * A keyed hash of the browser's cookie, so that a callback URL works only in the browser that
   * began the sign-in.
   */
  readonly browser: string
  readonly returnTo: string
}

/**
 * Signs in with a one-time link, or begins a sign-in at the identity provider. Errors: `invalid`
 * for a `returnTo` outside this service; `unauthorized` for an invalid ticket; `not_found` without
 * a provider; `unavailable` when it cannot be reached.
 */
export async function login(call: Call, input: ParsedOf<Auth['login']>): Promise<Answer<Destination>> {
  const location = returnAddress(call, input.returnTo)
  if (input.ticket !== undefined) return signIn(call, await redeemTicket(call, input.ticket), location)
  const { ids, secrets } = call.environment
  const state = ids.secret(32)
  const browser = ids.secret(32)
  const begun = await requireProvider(call)
    .begin({ redirectUri: callbackUrl(call), state })
    .catch((cause: unknown) => {
      throw new QuireError('unavailable', 'The identity provider cannot be reached.', { cause })
    })
  const stored: PendingSignIn = {
    stored: begun.stored,
    browser: await secrets.hmac(browser),
    returnTo: location,
  }
  const sealed = await secrets.seal(JSON.stringify(stored), 'sign-in')
  await call.write((call) => call.store.ephemera.put(keyOf(state), sealed, call.now + limits.signInLifetime))
  return new WithCookie({ location: begun.location }, loginCookie(call, browser))
}

/**
 * Completes a sign-in when the provider sends the browser back. The verified email address
 * identifies the user. Errors: `unauthorized` for a sign-in that this browser did not begin, that
 * expired, or that the provider rejected, and for somebody who is not a user.
 */
export async function callback(call: Call, input: ParsedOf<Auth['callback']>): Promise<Answer<Destination>> {
  const provider = requireProvider(call)
  const { state = '' } = input
  const pending = await takePending(call, state)
  const person = await provider
    .finish({ url: answerUrl(call, input), state, stored: pending.stored })
    .catch(rejectSignIn)
  return signIn(call, await findOrCreateUser(call, provider, person), pending.returnTo)
}

function rejectSignIn(cause: unknown): never {
  throw new QuireError('unauthorized', 'The identity provider did not confirm the sign-in. Try again.', {
    cause,
  })
}

/** Takes the pending sign-in, which can be completed only once. Errors: `unauthorized`. */
async function takePending(call: Call, state: string): Promise<PendingSignIn> {
  const { secrets } = call.environment
  const sealed = await call.write((call) => call.store.ephemera.take(keyOf(state), call.now))
  const pending: PendingSignIn | null =
    sealed === null ? null : JSON.parse(await secrets.open(sealed, 'sign-in'))
  const { browser } = call.origin
  if (pending && browser !== undefined && (await secrets.hmacs(browser)).includes(pending.browser))
    return pending
  throw new QuireError(
    'unauthorized',
    'This sign-in was not started in this browser, or took too long. Start again.',
  )
}

async function findOrCreateUser(call: Call, provider: SignIn, person: SignedIn): Promise<UserRecord> {
  const id = person.email.toLowerCase()
  const user = (await call.store.records.get('user', id)) ?? (await provisionUser(call, provider, person))
  if (!user?.enabled) throw new QuireError('unauthorized', `"${id}" is not a user of this service.`)
  return user
}

async function signIn(call: Call, user: UserRecord, location: string): Promise<Answer<Destination>> {
  const { cookie } = await startSession(
    call,
    { ...user, kind: 'user' },
    call.now + limits.sessionLifetime * 1000,
  )
  return new WithCookie({ location }, cookie)
}

function requireProvider({ environment }: Call): SignIn {
  if (environment.signIn) return environment.signIn
  throw new QuireError('not_found', 'No identity provider is configured. Sign in with a one-time link.')
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

/**
 * The URL to go to after the sign-in. Errors: `invalid` for anything but a path of this service
 * (TRUST S26).
 */
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

/** The path prefix of the service; empty if it is at the root of its host. */
function pathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

function keyOf(state: string): string {
  return `sign-in:${state}`
}
