import { setTimeout as pause } from 'node:timers/promises'

/** A server that refuses for longer is considered down. */
const patienceMs = 60_000

// The value that the server sends in Retry-After.
const pauseMs = 2000

/**
 * Repeats a request while the answer is 503: the server is overloaded and has done nothing. Returns
 * the first other answer, or the last one.
 */
export async function untilAccepted<T extends { readonly status: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + patienceMs
  let answer = await ask()
  while (answer.status === 503 && performance.now() < end) {
    await pause(pauseMs)
    answer = await ask()
  }
  return answer
}
