import type { Call } from '../../engine/call.ts'
import { invalid, issueAt } from '../../engine/check-input.ts'
import { redacted } from '../../engine/redacted.ts'
import { authIssue, baseUrlProblem } from '../../engine/upstream.ts'
import { secretOf, type ConnectionSecrets, type SentSecrets } from './connection-secrets.ts'

/** What is sent of a connection, where something is. */
interface SentConnection extends SentSecrets {
  readonly baseUrl?: string | undefined
  readonly callbackBaseUrl?: string | undefined
  readonly allowedOrigins?: readonly string[] | undefined
}

/** A connection as it was: what it may send its credentials to. */
interface KnownConnection {
  readonly baseUrl: string
  readonly allowedOrigins: readonly string[]
  readonly secrets: ConnectionSecrets
}

/** Characters of a secret that callbacks are known by: shorter ones can be guessed. */
const shortestSecret = 16

/** Errors: `invalid` with an issue for each member that cannot be kept as it is. */
export function requireSoundConnection(
  { environment }: Pick<Call, 'environment'>,
  sent: SentConnection,
  before: KnownConnection | null,
): void {
  const { baseUrl, callbackBaseUrl, allowedOrigins = [], auth } = sent
  const issues = [
    issueAt('baseUrl', baseUrl === undefined ? null : baseUrlProblem(environment, baseUrl)),
    // The engine calls it, not we: any address that it can reach will do.
    issueAt('callbackBaseUrl', callbackBaseUrl === undefined ? null : addressProblem(callbackBaseUrl)),
    ...allowedOrigins.map((origin, index) => issueAt(`allowedOrigins.${index}`, originProblem(origin))),
    authIssue(auth),
    issueAt('auth', authProblem(sent, before)),
    issueAt('callback.apiKey', secretProblem(sent.callback?.apiKey, before?.secrets.callback.apiKey)),
    issueAt(
      'callback.signingSecret',
      secretProblem(sent.callback?.signingSecret, before?.secrets.callback.signingSecret),
    ),
  ].filter((one) => one !== null)
  if (issues.length > 0) throw invalid(issues)
}

function addressProblem(url: string): string | null {
  const { protocol = '', username = '', password = '' } = URL.parse(url) ?? {}
  const isPlain = username === '' && password === '' && !/[?#\s]/.test(url)
  return isPlain && (protocol === 'http:' || protocol === 'https:')
    ? null
    : 'is an address that begins with http:// or https://, without credentials, query or fragment'
}

function originProblem(origin: string): string | null {
  const parsed = URL.parse(origin)
  return parsed && addressProblem(origin) === null && parsed.origin === origin
    ? null
    : 'is an origin: scheme, host and port, as in https://tasks.example.com'
}

/** What stands against keeping a secret, or for there being none to keep; null: nothing. */
function authProblem(sent: SentConnection, before: KnownConnection | null): string | null {
  const { auth } = sent
  const isStored = auth === undefined || secretOf(auth) === redacted
  if (!isStored) return null
  if (auth && before?.secrets.auth.kind !== auth.kind) return 'nothing was set before'
  const isThere = before !== null && secretOf(before.secrets.auth) !== null
  return isThere && reachesFurther(sent, before)
    ? 'must be given anew: what was set is for other addresses'
    : null
}

/** What is secret was given for some addresses: sent to another by somebody who does not know it, it would be told to them. */
function reachesFurther({ baseUrl, allowedOrigins = [] }: SentConnection, before: KnownConnection): boolean {
  const isMoved = baseUrl !== undefined && originOf(baseUrl) !== originOf(before.baseUrl)
  return isMoved || allowedOrigins.some((origin) => !before.allowedOrigins.includes(origin))
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}

function secretProblem(sent: string | null | undefined, before: string | null | undefined): string | null {
  if (sent === undefined || sent === null) return null
  if (sent === redacted) return before ? null : 'nothing was set before'
  return sent.length < shortestSecret || !/^[!-~][ -~]*[!-~]$/.test(sent)
    ? `has at least ${shortestSecret} characters of ASCII, none of them a control, and no blanks around`
    : null
}
