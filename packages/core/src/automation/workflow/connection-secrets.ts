import type { UpstreamAuth, WorkflowConnection } from '@quire/contract'
import type { Environment } from '../../engine/environment.ts'
import { redacted } from '../../engine/redacted.ts'
import type { WorkflowConnectionRecord } from './records.ts'

/** The secrets that authenticate callbacks of an engine. Null: that method is not used. */
export interface CallbackSecrets {
  readonly apiKey: string | null
  readonly signingSecret: string | null
}

/** The secrets of a connection. */
export interface ConnectionSecrets {
  readonly auth: UpstreamAuth
  readonly callback: CallbackSecrets
  /** Replaced callback secrets that are still valid; null: there are none. */
  readonly before: ReplacedSecrets | null
}

export const noSecrets: ConnectionSecrets = {
  auth: { kind: 'none' },
  callback: { apiKey: null, signingSecret: null },
  before: null,
}

/**
 * Replaced secrets, each with its own expiry: if both are changed one after the other, each stays
 * valid for the full time.
 */
export type ReplacedSecrets = { readonly [Name in keyof CallbackSecrets]: ReplacedSecret | null }

/** A replaced secret. It stays valid for a while, because the engine gets the new one later. */
export interface ReplacedSecret {
  readonly secret: string
  /** Unix ms. */
  readonly until: number
}

/** Milliseconds for which replaced secrets stay valid: a day. */
const overlapMs = 24 * 60 * 60 * 1000

type Sealing = Pick<Environment, 'secrets'>

/** Seals the secrets of a connection. They can only be opened for the same connection id. */
export function sealSecrets({ secrets }: Sealing, id: string, stored: ConnectionSecrets): Promise<string> {
  return secrets.seal(JSON.stringify(stored), purposeOf(id))
}

/**
 * Opens the secrets of a connection. Errors: throws if they were sealed with another key or for
 * another connection.
 */
export async function openSecrets(
  { secrets }: Sealing,
  { id, sealedSecrets }: WorkflowConnectionRecord,
): Promise<ConnectionSecrets> {
  const opened: ConnectionSecrets = JSON.parse(await secrets.open(sealedSecrets, purposeOf(id)))
  return opened
}

/** Includes the id, so that secrets sealed for one connection cannot be opened for another. */
function purposeOf(id: string): string {
  return `workflow connection ${id}`
}

/** The members of a connection that show which secrets are set, without their values. */
export function redactSecrets({
  auth,
  callback,
}: ConnectionSecrets): Pick<WorkflowConnection, 'auth' | 'callback'> {
  return {
    auth: redactAuth(auth),
    callback: { apiKey: redact(callback.apiKey), signingSecret: redact(callback.signingSecret) },
  }
}

function redact(secret: string | null): typeof redacted | null {
  return secret === null ? null : redacted
}

function redactAuth(auth: UpstreamAuth): WorkflowConnection['auth'] {
  if (auth.kind === 'bearer') return { ...auth, token: redacted }
  if (auth.kind === 'basic') return { ...auth, password: redacted }
  return auth.kind === 'api_key' ? { ...auth, key: redacted } : auth
}

/** The secret part of credentials; null if they have none. */
export function secretOf(auth: UpstreamAuth): string | null {
  if (auth.kind === 'bearer') return auth.token
  if (auth.kind === 'basic') return auth.password
  return auth.kind === 'api_key' ? auth.key : null
}

function withSecret(auth: UpstreamAuth, secret: string): UpstreamAuth {
  if (auth.kind === 'bearer') return { ...auth, token: secret }
  if (auth.kind === 'basic') return { ...auth, password: secret }
  return auth.kind === 'api_key' ? { ...auth, key: secret } : auth
}

/** The secrets in a request to change a connection. Absent members stay as they are. */
export interface SecretsInput {
  readonly auth?: UpstreamAuth | undefined
  readonly callback?: { readonly [Name in keyof CallbackSecrets]?: string | null | undefined } | undefined
}

/**
 * Applies a change of secrets. Absent members and `***` keep the stored values. `now` is in Unix
 * ms.
 */
export function changeSecrets(
  before: ConnectionSecrets,
  { auth = before.auth, callback = {} }: SecretsInput,
  now: number,
): ConnectionSecrets {
  const stored = secretOf(before.auth)
  const next: CallbackSecrets = {
    apiKey: storedOr(before.callback.apiKey, callback.apiKey),
    signingSecret: storedOr(before.callback.signingSecret, callback.signingSecret),
  }
  return {
    auth: secretOf(auth) === redacted && stored !== null ? withSecret(auth, stored) : auth,
    callback: next,
    before: findReplaced(before, next, now),
  }
}

function storedOr(before: string | null, sent: string | null | undefined): string | null {
  return sent === undefined || sent === redacted ? before : sent
}

/** Replaced secrets stay valid for a while, removed ones do not. */
function findReplaced(
  { callback, before }: ConnectionSecrets,
  next: CallbackSecrets,
  now: number,
): ReplacedSecrets | null {
  const replaced = (name: keyof CallbackSecrets): ReplacedSecret | null => {
    if (next[name] === null) return null
    const secret = callback[name]
    if (secret !== null && secret !== next[name]) return { secret, until: now + overlapMs }
    return ifLive(before?.[name], now)
  }
  const overlap = { apiKey: replaced('apiKey'), signingSecret: replaced('signingSecret') }
  return overlap.apiKey === null && overlap.signingSecret === null ? null : overlap
}

function ifLive(one: ReplacedSecret | null | undefined, now: number): ReplacedSecret | null {
  return one && one.until > now ? one : null
}

/**
 * All secrets that authenticate callbacks at a time: the current ones, then the replaced ones that
 * are still valid.
 */
export function findLiveSecrets(
  { callback, before }: Pick<ConnectionSecrets, 'callback' | 'before'>,
  now: number,
): readonly CallbackSecrets[] {
  const replaced = (name: keyof CallbackSecrets) => ifLive(before?.[name], now)?.secret ?? null
  return [callback, { apiKey: replaced('apiKey'), signingSecret: replaced('signingSecret') }]
}

/** Whether a change keeps none of the stored secrets. */
export function replacesAll({ auth, callback }: SecretsInput): boolean {
  const isNew = (secret: string | null | undefined) => secret !== undefined && secret !== redacted
  const isAuthNew = auth !== undefined && secretOf(auth) !== redacted
  return isAuthNew && isNew(callback?.apiKey) && isNew(callback?.signingSecret)
}
