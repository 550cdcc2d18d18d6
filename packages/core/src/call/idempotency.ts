import { QuireError, type Endpoint } from '@quire/contract'
import { Presented, WithCookie, type Answer } from './answer.ts'
import { within, type Call } from './call.ts'
import { digest } from './digest.ts'
import type { OnceKey } from './once-key.ts'
import type { Transaction } from '../ports/index.ts'

// An answer may hold a secret that is shown once: what is kept of it is sealed.
const purpose = 'idempotency'

/** 24 hours in ms (DESIGN "Conventions of the API"). */
const lifetime = 24 * 60 * 60 * 1000

/** A call that is to have its effect once. */
export interface OnceOnly {
  readonly key: string
  readonly endpoint: Endpoint
  readonly input: unknown
}

interface KeptAnswer {
  readonly request: string
  readonly text: string
  readonly etag: string | null
}

/** Names a call by its key. Errors: `invalid` for an empty or overlong key. */
export async function onceKey(call: Call, { key, endpoint, input }: OnceOnly): Promise<OnceKey> {
  if (key.length < 1 || key.length > 255)
    throw new QuireError('invalid', 'Idempotency-Key must have 1 to 255 characters.')
  const request = await digest(`${endpoint.method} ${endpoint.path}\n${JSON.stringify(input)}`)
  return { name: `idempotency:${call.identity.owner}:${key}`, request }
}

/**
 * Does the work once for each key of a caller: the answer is kept in the same transaction as the effect, so that a retry
 * after a crash finds either both or neither. Only successes are kept: what failed changed nothing and may be tried again.
 * Errors: `idempotency_mismatch` when the key came with another request.
 */
export async function answerOnce(
  call: Call,
  once: OnceKey,
  work: (call: Call) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const kept = await keptAnswer(inside, once)
    if (kept) return kept
    const answer = await work(inside)
    // A cookie is for the browser that asked, once.
    if (!(answer instanceof WithCookie)) await keepAnswer(call, tx, { once, answer })
    return answer
  })
}

/** What was answered before; null: nothing. Errors: `idempotency_mismatch`. */
export async function keptAnswer(
  { store, environment, now }: Call,
  { name, request }: OnceKey,
): Promise<Presented<unknown> | null> {
  const sealed = await store.ephemera.get(name, now)
  if (sealed === null) return null
  const kept: KeptAnswer = JSON.parse(await environment.secrets.open(sealed, purpose))
  if (kept.request !== request) throw new QuireError('idempotency_mismatch')
  return new Presented(kept.text, kept.etag, true)
}

/** Keeps an answer, in the transaction of its effect. */
export async function keepAnswer(
  { environment, now }: Call,
  tx: Transaction,
  { once, answer }: { once: OnceKey; answer: Answer<unknown> },
): Promise<void> {
  const keep = JSON.stringify({ request: once.request, ...textOf(answer) } satisfies KeptAnswer)
  await tx.ephemera.put(once.name, await environment.secrets.seal(keep, purpose), now + lifetime)
}

function textOf(answer: Answer<unknown>): Pick<KeptAnswer, 'text' | 'etag'> {
  return answer instanceof Presented
    ? { text: answer.text, etag: answer.etag }
    : { text: JSON.stringify(answer ?? null), etag: null }
}
