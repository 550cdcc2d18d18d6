import type { Issue, UpstreamAuth } from '@quire/contract'
import { outboundRequestProblem } from '../adapters/outbound-checks.ts'
import { base64Of } from '../adapters/base64.ts'
import { issueAt } from './check-input.ts'
import type { Environment } from './environment.ts'
import { redacted } from './redacted.ts'

/**
 * What is wrong with the base URL of an upstream; null when nothing is. Paths are appended to it.
 */
export function baseUrlProblem({ outbound }: Pick<Environment, 'outbound'>, baseUrl: string): string | null {
  const problem = outbound.problemOf(baseUrl)
  if (problem !== null) return problem
  return /[?#]/.test(baseUrl) ? 'The URL must not contain a query or a fragment.' : null
}

/** A base URL without trailing slashes, so that paths can be appended. */
export function withoutSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '')
}

/** What is wrong with the credentials at `auth` for an upstream; null when nothing is. */
export function authIssue(auth: UpstreamAuth | undefined): Issue | null {
  if (auth?.kind === 'bearer')
    return issueAt('auth.token', upstreamHeaderProblem('authorization', `Bearer ${auth.token}`))
  if (auth?.kind === 'basic')
    return issueAt(
      'auth.username',
      auth.username.includes(':') ? 'must not contain a colon, which ends the user name (RFC 7617)' : null,
    )
  if (auth?.kind !== 'api_key') return null
  const name = upstreamHeaderProblem(auth.headerName, 'x')
  return issueAt(
    name === null ? 'auth.key' : 'auth.headerName',
    name ?? upstreamHeaderProblem(auth.headerName, auth.key),
  )
}

/** What is wrong with a header to be sent (TRUST S12). The message does not contain the value. */
export function upstreamHeaderProblem(name: string, value: string): string | null {
  const bounds = { body: null, connectMs: 1, totalMs: 1, maxAnswerBytes: 1 }
  return outboundRequestProblem({
    url: 'https://host.invalid',
    method: 'GET',
    headers: [[name, value]],
    ...bounds,
  })
}

/** The headers with our credentials. */
export function authHeaders(auth: UpstreamAuth): readonly (readonly [name: string, value: string])[] {
  if (auth.kind === 'bearer') return [['authorization', `Bearer ${auth.token}`]]
  if (auth.kind === 'api_key') return [[auth.headerName, auth.key]]
  return auth.kind === 'basic'
    ? [['authorization', `Basic ${base64(`${auth.username}:${auth.password}`)}`]]
    : []
}

/**
 * Removes our credentials from a text that an upstream returned, because a response may repeat what
 * it was sent.
 */
export function withoutCredentials(text: string, auth: UpstreamAuth): string {
  return secretsOf(auth).reduce((rest, secret) => rest.replaceAll(secret, redacted), text)
}

function secretsOf(auth: UpstreamAuth): readonly string[] {
  const given = authHeaders(auth).map(([, value]) => value.replace(/^(?:Bearer|Basic) /, ''))
  return [...given, ...(auth.kind === 'basic' ? [auth.password] : [])].filter((secret) => secret !== '')
}

/** RFC 7617: base64 of the text as UTF-8. */
function base64(text: string): string {
  return base64Of(new TextEncoder().encode(text))
}
