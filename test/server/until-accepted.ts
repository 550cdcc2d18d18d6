import { setTimeout as pause } from 'node:timers/promises'

/** A server that refuses for longer than this is down. */
const patienceMs = 60_000

// As the server asks for in Retry-After.
const pauseMs = 2000

/** Asks again as long as the answer is that the server has too much to do (503): nothing was done then. Answers any other, or the last. */
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
