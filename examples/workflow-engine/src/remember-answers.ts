import { Refusal } from './refusal.ts'

/** What a request was answered with. */
export interface Answer {
  readonly status: number
  readonly body: object
}

/** A request that may come again. */
interface Repeatable {
  readonly key: string
  /** All that must be the same when the key is: method, path and body. */
  readonly request: string
}

/** Does a request once, however often it comes. */
export type Idempotent = (repeatable: Repeatable, work: () => Promise<Answer>) => Promise<Answer>

// As long as Quire remembers the keys that it is sent.
const storedMs = 24 * 60 * 60 * 1000

/** Remembers answers by `Idempotency-Key`; one that comes while its first is under way waits for it. **Errors**: 409, the key of another request. */
export function rememberAnswers(now: () => number = Date.now): Idempotent {
  const stored = new Map<string, { at: number; request: string; answer: Promise<Answer> }>()
  return async ({ key, request }, work) => {
    // A Map keeps the order in which keys came: the oldest are first.
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
    // A refusal is an answer, and is kept. What broke on our side has none: it may come again.
    answer.catch(() => stored.delete(key))
    return answer
  }
}
