import { QuireError, type Endpoint } from '@quire/contract'
import { Presented, WithCookie, type Answer } from './answer.ts'
import { within, type Call } from './call.ts'
import { digest } from './digest.ts'

// An answer may hold a secret that is shown once: what is kept of it is sealed.
const purpose = 'idempotency'

/** 24 hours in ms (DESIGN "Conventions of the API"). */
const lifetime = 24 * 60 * 60 * 1000

/** A call that is to have its effect once. */
export interface OnceOnly {
  readonly key: string
  readonly endpoint: Endpoint
  readonly input: unknown
  readonly work: (call: Call) => Promise<Answer<unknown>>
}

interface KeptAnswer {
  readonly request: string
  readonly text: string
  readonly etag: string | null
}

/**
 * Does the work once for each key of a caller: the answer is kept in the same transaction as the effect, so that a retry
 * after a crash finds either both or neither. Only successes are kept: what failed changed nothing and may be tried again.
 * Errors: `idempotency_mismatch` when the key came with another request; `invalid` for an empty or overlong key.
 */
export async function answerOnce(
  call: Call,
  { key, endpoint, input, work }: OnceOnly,
): Promise<Answer<unknown>> {
  if (key.length < 1 || key.length > 255)
    throw new QuireError('invalid', 'Idempotency-Key must have 1 to 255 characters.')
  const { secrets } = call.environment
  const name = `idempotency:${call.identity.owner}:${key}`
  const request = await digest(`${endpoint.method} ${endpoint.path}\n${JSON.stringify(input)}`)
  return call.transaction(async (tx) => {
    const kept = await tx.ephemera.get(name, call.now)
    if (kept !== null) return replay(JSON.parse(await secrets.open(kept, purpose)), request)
    const answer = await work(within(call, tx))
    // A cookie is for the browser that asked, once.
    if (answer instanceof WithCookie) return answer
    const keep = JSON.stringify({ request, ...textOf(answer) } satisfies KeptAnswer)
    await tx.ephemera.put(name, await secrets.seal(keep, purpose), call.now + lifetime)
    return answer
  })
}

function textOf(answer: Answer<unknown>): Pick<KeptAnswer, 'text' | 'etag'> {
  return answer instanceof Presented
    ? { text: answer.text, etag: answer.etag }
    : { text: JSON.stringify(answer ?? null), etag: null }
}

function replay(kept: KeptAnswer, request: string): Presented<unknown> {
  if (kept.request !== request) throw new QuireError('idempotency_mismatch')
  return new Presented(kept.text, kept.etag, true)
}
