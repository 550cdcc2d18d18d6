import { setTimeout as pause } from 'node:timers/promises'

/** A server that refuses for longer is considered down. */
const patienceMs = 60_000

// The value that the server sends in Retry-After.
const pauseMs = 2000

/** The statuses of a server that is busy, or busy with this caller, and has done nothing. */
const busy: readonly number[] = [429, 503]

/** Repeats a request while the server is busy. Returns the first other answer, or the last one. */
export async function untilAccepted<T extends { readonly status: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + patienceMs
  let answer = await ask()
  while (busy.includes(answer.status) && performance.now() < end) {
    await pause(pauseMs)
    answer = await ask()
  }
  return answer
}
