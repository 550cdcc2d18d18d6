import { QuireError, type Endpoint } from '@quire/contract'
import { Serialized, WithCookie, type Answer } from './answer.ts'
import type { Call, WriteCall } from './call.ts'
import { digest } from './digest.ts'
import { type IdempotencyKey } from './idempotency-key.ts'

// An answer may contain a secret that is shown only once, so the stored copy is sealed.
const purpose = 'idempotency'

/** 24 hours in ms (DESIGN "Conventions of the API"). */
const lifetime = 24 * 60 * 60 * 1000

/** A call that must take effect only once. */
interface IdempotentTask {
  readonly key: string
  readonly endpoint: Endpoint
  readonly input: unknown
}

interface StoredAnswer {
  readonly request: string
  readonly text: string
  readonly etag: string | null
}

/** Identifies a call by its key and request. Errors: `invalid` for an empty or overlong key. */
export async function idempotencyKeyOf(
  call: Call,
  { key, endpoint, input }: IdempotentTask,
): Promise<IdempotencyKey> {
  if (key.length < 1 || key.length > 255)
    throw new QuireError('invalid', 'Idempotency-Key must have 1 to 255 characters.')
  const request = await digest(`${endpoint.method} ${endpoint.path}\n${JSON.stringify(input)}`)
  return { name: `idempotency:${call.identity.owner}:${key}`, request }
}

/**
 * Does the work once for each key of a caller. The answer is stored in the same transaction as the
 * effect, so that a retry after a crash finds either both or neither. Only successes are stored: a
 * failed call changed nothing and may be tried again. Errors: `idempotency_mismatch` when the key
 * was used with another request.
 */
export async function answerIdempotently(
  call: Call,
  once: IdempotencyKey,
  work: (call: Call) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  return call.write(async (call) => {
    const stored = await storedAnswer(call, once)
    if (stored) return stored
    const answer = await work(call)
    // A cookie is only for the browser that made this request.
    if (!(answer instanceof WithCookie)) await storeAnswer(call, { once, answer })
    return answer
  })
}

/** The stored answer; null when there is none. Errors: `idempotency_mismatch`. */
export async function storedAnswer(
  { store, environment, now }: Call,
  { name, request }: IdempotencyKey,
): Promise<Serialized<unknown> | null> {
  const sealed = await store.ephemera.get(name, now)
  if (sealed === null) return null
  const stored: StoredAnswer = JSON.parse(await environment.secrets.open(sealed, purpose))
  if (stored.request !== request) throw new QuireError('idempotency_mismatch')
  return new Serialized(stored.text, stored.etag, true)
}

/** Stores an answer, in the transaction of its effect. */
export async function storeAnswer(
  { environment, now, store }: WriteCall,
  { once, answer }: { once: IdempotencyKey; answer: Answer<unknown> },
): Promise<void> {
  const retain = JSON.stringify({ request: once.request, ...textOf(answer) } satisfies StoredAnswer)
  const sealed = await environment.secrets.seal(retain, purpose, { compact: true })
  await store.ephemera.put(once.name, sealed, now + lifetime)
}

function textOf(answer: Answer<unknown>): Pick<StoredAnswer, 'text' | 'etag'> {
  return answer instanceof Serialized
    ? { text: answer.text, etag: answer.etag }
    : { text: JSON.stringify(answer ?? null), etag: null }
}
