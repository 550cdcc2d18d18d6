import { EngineAnswer, limits, parseAs, type UpstreamAuth } from '@quire/contract'
import { unfitProblem } from '../../engine/check-input.ts'
import type { Environment } from '../../engine/environment.ts'
import { sendRequest, type SendingCall } from '../../engine/send.ts'
import { authHeaders, withoutCredentials } from '../../engine/upstream.ts'
import { OutboundFailure, type OutboundAnswer } from '../../ports/index.ts'
import type { PendingAction, WorkflowConnectionRecord } from './records.ts'
import { actionUrl } from './outcome.ts'
import { openSecrets } from './connection-secrets.ts'

/**
 * The outcome of posting an action to an engine.
 * - `taken`: the action takes effect. `problem` says why the engine did not accept it, for a
 *   cancel, which takes effect anyway.
 * - `refused`: the engine rejected the action this time. `status` is null if it did not answer;
 *   `isMerged` is set if the package was merged in the meantime.
 * - `unknown`: the engine may have accepted the action, but gave no conclusive answer. It can be
 *   asked again with the same key.
 */
export type EngineOutcome =
  | { readonly kind: 'taken'; readonly answer: EngineAnswer; readonly problem?: string }
  | {
      readonly kind: 'refused'
      readonly reason: string
      readonly status: number | null
      readonly isMerged?: true
    }
  | { readonly kind: 'unknown'; readonly reason: string }

/** The time limit for connecting, in milliseconds. */
const connectMs = 3000

/** Posts an action to the engine of a connection, in one attempt (specification 4.8). */
export async function askEngine(
  call: SendingCall & { readonly environment: Pick<Environment, 'secrets'> },
  connection: WorkflowConnectionRecord,
  { id, url, body }: Pick<PendingAction, 'id' | 'url' | 'body'>,
): Promise<EngineOutcome> {
  // The connection may have changed: an origin that it no longer allows gets no credentials.
  if (actionUrl(connection, url) === null)
    return notSent('The connection does not allow the origin of the next action URL.')
  const secrets = await openSecrets(call.environment, connection).catch(() => null)
  if (!secrets) return notSent('The secrets of the connection cannot be decrypted. Set them again.')
  const headers = [
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
    ['idempotency-key', id],
  ] as const
  try {
    const answer = await sendRequest(call, {
      url,
      method: 'POST',
      headers: [...headers, ...authHeaders(secrets.auth)],
      body,
      connectMs: Math.min(connectMs, connection.timeoutMs),
      totalMs: connection.timeoutMs,
      maxAnswerBytes: limits.workflowAnswer,
    })
    return readAnswer(answer, secrets.auth)
  } catch (error) {
    if (error instanceof OutboundFailure) return notAnswered(error)
    throw error
  }
}

/** The outcome if nothing was sent. */
export function notSent(reason: string): EngineOutcome {
  return { kind: 'refused', reason, status: null }
}

function notAnswered({ problem, message }: OutboundFailure): EngineOutcome {
  const isSent = problem !== 'refused' && problem !== 'unreachable'
  return isSent
    ? { kind: 'unknown', reason: `The engine gave no answer (${message})` }
    : notSent(`The engine could not be reached: ${message}`)
}

/** Reads the answer of an engine. The credentials in `auth` are removed from its words. */
export function readAnswer(answer: OutboundAnswer, auth: UpstreamAuth): EngineOutcome {
  const { status } = answer
  if (status >= 400) {
    const words = explanationOf(answer, auth)
    return status >= 500
      ? { kind: 'unknown', reason: `The engine failed with ${status}${words}` }
      : { kind: 'refused', reason: `The engine rejected the request with ${status}${words}.`, status }
  }
  if (status < 200 || status >= 300)
    return {
      kind: 'refused',
      reason: `The engine answered with ${status}. Redirects are not followed.`,
      status,
    }
  if (answer.isCut)
    return { kind: 'unknown', reason: `The engine answered with more than ${limits.workflowAnswer} bytes` }
  return readAccepted(answer.body)
}

function readAccepted(body: Uint8Array): EngineOutcome {
  if (body.length === 0) return { kind: 'taken', answer: {} }
  const given = jsonOf(body)
  if (given === undefined) return { kind: 'unknown', reason: 'The answer of the engine is not JSON' }
  const problem = unfitProblem(given)
  if (problem !== null) return unusable(problem)
  const parsed = parseAs(EngineAnswer, given)
  if (!('issues' in parsed)) return { kind: 'taken', answer: parsed.value }
  const [first] = parsed.issues
  return unusable([first?.path, first?.message].filter(Boolean).join(' '))
}

function unusable(problem: string): EngineOutcome {
  return { kind: 'unknown', reason: `The answer of the engine is invalid: ${problem}` }
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/**
 * The explanation in a rejection, from the members in which engines usually send it; empty if there
 * is none.
 */
function explanationOf({ body, isCut }: OutboundAnswer, auth: UpstreamAuth): string {
  const given = isCut ? undefined : jsonOf(body)
  if (typeof given !== 'object' || given === null) return ''
  const words = ['message', 'error']
    .map((name) => Reflect.get(given, name))
    .find((one) => typeof one === 'string')
  if (!words) return ''
  return `: ${withoutCredentials(words, auth)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 300)}`
}
