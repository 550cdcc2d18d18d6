/** Long work calls this between its steps: whoever waits for the same thread gets a turn now and then. */
export type TakeTurns = () => Promise<void>

// Work for so long at a time. A millisecond of a merge against a round of waiting reads leaves those two thirds of the thread.
const sliceMs = 1

/** Turns for one piece of long work. */
export function takingTurns(): TakeTurns {
  let until = performance.now() + sliceMs
  return async () => {
    if (performance.now() < until) return
    await nextTurn()
    until = performance.now() + sliceMs
  }
}

/** Node's, which comes as soon as everything that is ready was looked at; a browser's shortest timer takes some milliseconds. */
const { setImmediate: afterOthers = (run: () => void) => setTimeout(run, 0) } = globalThis as {
  setImmediate?: (run: () => void) => unknown
}

/** Resolves once the thread has looked at everything else that is ready. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void afterOthers(resolve))
}
