import { EngineAnswer, limits, parseAs, type UpstreamAuth } from '@quire/contract'
import { unfitProblem } from '../../engine/check-input.ts'
import type { Environment } from '../../engine/environment.ts'
import { authHeaders, withoutCredentials } from '../../engine/upstream.ts'
import { OutboundFailure, type OutboundAnswer } from '../../ports/index.ts'
import type { PendingAction, WorkflowConnectionRecord } from './records.ts'
import { actionUrl } from './outcome.ts'
import { openedSecrets } from './connection-secrets.ts'

/**
 * What came of asking an engine. `taken`: it counts; with `problem` although the engine did not take it, as a cancel does. `refused`: it did not take it this time, with its status where it answered; `isMerged`: the package was merged meanwhile. `unknown`: it may have, but there
 * is no answer that tells; asked again with the same key it takes it once.
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

/** Ms until a connection stands. */
const connectMs = 3000

interface EngineQuestion {
  readonly environment: Pick<Environment, 'outbound' | 'secrets'>
}

/** Posts an action to the engine of a connection, once (specification 4.8). */
export async function askEngine(
  { environment }: EngineQuestion,
  connection: WorkflowConnectionRecord,
  { id, url, body }: Pick<PendingAction, 'id' | 'url' | 'body'>,
): Promise<EngineOutcome> {
  // As the connection is now: an origin that it allows no more gets no credentials.
  if (actionUrl(connection, url) === null)
    return notSent('The address of the next action is on no origin that the connection allows.')
  const secrets = await openedSecrets(environment, connection).catch(() => null)
  if (!secrets) return notSent('The secrets of the connection cannot be opened: give them anew.')
  const headers = [
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
    ['idempotency-key', id],
  ] as const
  try {
    const answer = await environment.outbound.send({
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

/** Nothing went out. */
export function notSent(reason: string): EngineOutcome {
  return { kind: 'refused', reason, status: null }
}

function notAnswered({ problem, message }: OutboundFailure): EngineOutcome {
  const isSent = problem !== 'refused' && problem !== 'unreachable'
  return isSent
    ? { kind: 'unknown', reason: `The engine gave no answer (${message})` }
    : notSent(`The engine could not be asked: ${message}`)
}

/** What an answer of an engine says, to whom it was told who we are. */
export function readAnswer(answer: OutboundAnswer, auth: UpstreamAuth): EngineOutcome {
  const { status } = answer
  if (status >= 400) {
    const words = wordsOf(answer, auth)
    return status >= 500
      ? { kind: 'unknown', reason: `The engine failed with ${status}${words}` }
      : { kind: 'refused', reason: `The engine refused it with ${status}${words}.`, status }
  }
  if (status < 200 || status >= 300)
    return { kind: 'refused', reason: `The engine answered with ${status}, which is not followed.`, status }
  if (answer.isCut)
    return { kind: 'unknown', reason: `The engine answered with more than ${limits.workflowAnswer} bytes` }
  return readAccepted(answer.body)
}

function readAccepted(body: Uint8Array): EngineOutcome {
  if (body.length === 0) return { kind: 'taken', answer: {} }
  const given = jsonOf(body)
  if (given === undefined)
    return { kind: 'unknown', reason: 'The engine answered with something else than JSON' }
  const problem = unfitProblem(given)
  if (problem !== null) return unusable(problem)
  const parsed = parseAs(EngineAnswer, given)
  if (!('issues' in parsed)) return { kind: 'taken', answer: parsed.value }
  const [first] = parsed.issues
  return unusable([first?.path, first?.message].filter(Boolean).join(' '))
}

function unusable(problem: string): EngineOutcome {
  return { kind: 'unknown', reason: `The engine answered with what cannot be used: ${problem}` }
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** What a refusal says in words, in the members where engines put them. */
function wordsOf({ body, isCut }: OutboundAnswer, auth: UpstreamAuth): string {
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
