import type { UpstreamAuth, WorkflowConnection } from '@quire/contract'
import type { Environment } from '../../engine/environment.ts'
import { redacted } from '../../engine/redacted.ts'
import type { WorkflowConnectionRecord } from './records.ts'

/** How callbacks of an engine are known; null: not so. */
export interface CallbackSecrets {
  readonly apiKey: string | null
  readonly signingSecret: string | null
}

/** What is secret of a connection. */
export interface ConnectionSecrets {
  readonly auth: UpstreamAuth
  readonly callback: CallbackSecrets
  /** What the ones now replaced; null: nothing that still counts. */
  readonly before: ReplacedSecrets | null
}

/** There are none. */
export const noSecrets: ConnectionSecrets = {
  auth: { kind: 'none' },
  callback: { apiKey: null, signingSecret: null },
  before: null,
}

/** What was replaced, each with its own time: who changes both, one after the other, has both count for as long. */
export type ReplacedSecrets = { readonly [Name in keyof CallbackSecrets]: ReplacedSecret | null }

/** A secret that was replaced, and until when it counts in Unix ms: an engine learns of a new one later. */
export interface ReplacedSecret {
  readonly secret: string
  readonly until: number
}

/** A day: ms for which secrets that were replaced still count. */
const overlapMs = 24 * 60 * 60 * 1000

type Sealing = Pick<Environment, 'secrets'>

/** The secrets of a connection, as they are kept. */
export function sealedSecrets({ secrets }: Sealing, id: string, stored: ConnectionSecrets): Promise<string> {
  return secrets.seal(JSON.stringify(stored), purposeOf(id))
}

/** The secrets of a connection. Errors: throws when they were sealed elsewhere. */
export async function openedSecrets(
  { secrets }: Sealing,
  { id, sealedSecrets }: WorkflowConnectionRecord,
): Promise<ConnectionSecrets> {
  const opened: ConnectionSecrets = JSON.parse(await secrets.open(sealedSecrets, purposeOf(id)))
  return opened
}

/** What is sealed for one connection opens for no other. */
function purposeOf(id: string): string {
  return `workflow connection ${id}`
}

/** The members of a connection that show which secrets there are. */
export function redactedSecrets({
  auth,
  callback,
}: ConnectionSecrets): Pick<WorkflowConnection, 'auth' | 'callback'> {
  return {
    auth: redactedAuth(auth),
    callback: { apiKey: visible(callback.apiKey), signingSecret: visible(callback.signingSecret) },
  }
}

function visible(secret: string | null): typeof redacted | null {
  return secret === null ? null : redacted
}

function redactedAuth(auth: UpstreamAuth): WorkflowConnection['auth'] {
  if (auth.kind === 'bearer') return { ...auth, token: redacted }
  if (auth.kind === 'basic') return { ...auth, password: redacted }
  return auth.kind === 'api_key' ? { ...auth, key: redacted } : auth
}

/** The secret of what we say there who we are; null: there is none. */
export function secretOf(auth: UpstreamAuth): string | null {
  if (auth.kind === 'bearer') return auth.token
  if (auth.kind === 'basic') return auth.password
  return auth.kind === 'api_key' ? auth.key : null
}

/** The same with another secret. */
function withSecret(auth: UpstreamAuth, secret: string): UpstreamAuth {
  if (auth.kind === 'bearer') return { ...auth, token: secret }
  if (auth.kind === 'basic') return { ...auth, password: secret }
  return auth.kind === 'api_key' ? { ...auth, key: secret } : auth
}

/** What is sent of secrets, where something is. */
export interface SentSecrets {
  readonly auth?: UpstreamAuth | undefined
  readonly callback?: { readonly [Name in keyof CallbackSecrets]?: string | null | undefined } | undefined
}

/** The secrets after what is sent: `***` and what is left out keep what was set. */
export function changedSecrets(
  before: ConnectionSecrets,
  { auth = before.auth, callback = {} }: SentSecrets,
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
    before: overlapOf(before, next, now),
  }
}

function storedOr(before: string | null, sent: string | null | undefined): string | null {
  return sent === undefined || sent === redacted ? before : sent
}

/** What is replaced counts for a while; what is taken away does not. */
function overlapOf(
  { callback, before }: ConnectionSecrets,
  next: CallbackSecrets,
  now: number,
): ReplacedSecrets | null {
  const replaced = (name: keyof CallbackSecrets): ReplacedSecret | null => {
    if (next[name] === null) return null
    const secret = callback[name]
    if (secret !== null && secret !== next[name]) return { secret, until: now + overlapMs }
    return liveOf(before?.[name], now)
  }
  const overlap = { apiKey: replaced('apiKey'), signingSecret: replaced('signingSecret') }
  return overlap.apiKey === null && overlap.signingSecret === null ? null : overlap
}

function liveOf(one: ReplacedSecret | null | undefined, now: number): ReplacedSecret | null {
  return one && one.until > now ? one : null
}

/** What callbacks are known by now: what is set, and what was replaced a short while ago. */
export function liveSecrets(
  { callback, before }: Pick<ConnectionSecrets, 'callback' | 'before'>,
  now: number,
): readonly CallbackSecrets[] {
  const secretOfBefore = (name: keyof CallbackSecrets) => liveOf(before?.[name], now)?.secret ?? null
  return [callback, { apiKey: secretOfBefore('apiKey'), signingSecret: secretOfBefore('signingSecret') }]
}

/** Whether what is sent keeps none of the secrets that were set. */
export function isAllAnew({ auth, callback }: SentSecrets): boolean {
  const isAnew = (secret: string | null | undefined) => secret !== undefined && secret !== redacted
  const isAuthAnew = auth !== undefined && secretOf(auth) !== redacted
  return isAuthAnew && isAnew(callback?.apiKey) && isAnew(callback?.signingSecret)
}
