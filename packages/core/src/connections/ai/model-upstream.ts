import { limits, QuireError } from '@quire/contract'
import { spendRequest } from '../access/budget.ts'
import { forward, type Forwarded } from '../access/forward.ts'
import { findUpstream, unknownUpstream, type Upstream } from '../access/upstream.ts'
import type { Call } from '../../engine/call.ts'
import type { ProxiedSource } from '../../engine/served-proxied.ts'

/** The type of access configurations whose upstream speaks as OpenAI does. */
export const modelType = 'openai'

/** The upstream of a language model. Errors: `not_found`. */
export async function findModelUpstream(call: Call, id: string): Promise<Upstream> {
  const upstream = await findUpstream(call, id)
  if (upstream.type !== modelType) throw unknownUpstream(id)
  return upstream
}

/** What is asked of a language model: GET without a body, POST with JSON. */
export interface Question extends Pick<Forwarded, 'path'> {
  readonly body?: object
  /** Whether the answer comes as events. */
  readonly isStreamed?: boolean
}

/**
 * What an upstream answers to a question, which its caller's budget pays for. Errors: `too_many_requests`, `too_large`, `upstream_failed`, also
 * where it refuses what the access configuration has for it; `upstream_timeout`.
 */
export async function askModel(
  call: Call,
  upstream: Upstream,
  { path, body, isStreamed = false }: Question,
): Promise<ProxiedSource> {
  await spendRequest(call, upstream)
  const answer = await forward(call, upstream, {
    method: body ? 'POST' : 'GET',
    path,
    headers: {
      accept: isStreamed ? 'text/event-stream' : 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    totalMs: limits.modelTime,
    maxBytes: limits.modelBytes,
  })
  if (answer.status !== 401 && answer.status !== 403) return answer
  // Passed on, it would read as if the caller's own token were refused.
  await answer.body?.[Symbol.asyncIterator]().return?.()
  throw new QuireError('upstream_failed', 'The upstream refuses the key of this access configuration.')
}
