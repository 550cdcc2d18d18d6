import { Refusal } from './refusal.ts'

/** The answer to a request. */
export interface Answer {
  readonly status: number
  readonly body: object
}

/** A request that may be repeated. */
interface Repeatable {
  readonly key: string
  /** Method, path and body, which must be the same when the key is the same. */
  readonly request: string
}

/** Performs a request once, however often it is repeated. */
export type Idempotent = (repeatable: Repeatable, work: () => Promise<Answer>) => Promise<Answer>

// As long as Quire remembers the keys that it receives.
const storedMs = 24 * 60 * 60 * 1000

/**
 * Remembers answers by `Idempotency-Key`. A repetition of a running request waits for its answer.
 * **Errors**: 409, the key was used for another request.
 */
export function rememberAnswers(now: () => number = Date.now): Idempotent {
  const stored = new Map<string, { at: number; request: string; answer: Promise<Answer> }>()
  return async ({ key, request }, work) => {
    // A Map preserves insertion order, so the oldest keys are first.
    for (const [old, { at }] of stored) {
      if (at > now() - storedMs) break
      stored.delete(old)
    }
    const known = stored.get(key)
    if (known && known.request !== request)
      throw new Refusal(409, 'This Idempotency-Key was used for another request.')
    if (known) return known.answer
    const answer = work()
    stored.set(key, { at: now(), request, answer })
    // A rejection is an answer, and is remembered. An internal failure is not, so that the request
    // can be repeated.
    answer.catch(() => stored.delete(key))
    return answer
  }
}
