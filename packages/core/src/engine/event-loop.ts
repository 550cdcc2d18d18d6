/**
 * Long work calls this between its steps, so that other work on the same thread gets its turn now
 * and then.
 */
export type YieldToLoop = () => Promise<void>

// Ms of work before yielding. One millisecond of a merge per round of waiting reads leaves them two
// thirds of the thread.
const sliceMs = 1

/** Creates the yield function for one piece of long work. */
export function yieldingToLoop(): YieldToLoop {
  let until = performance.now() + sliceMs
  return async () => {
    if (performance.now() < until) return
    await nextLoop()
    until = performance.now() + sliceMs
  }
}

/**
 * Node's setImmediate runs as soon as all ready callbacks have run; a browser's shortest timer
 * takes some milliseconds.
 */
const { setImmediate: afterOthers = (run: () => void) => setTimeout(run, 0) } = globalThis as {
  setImmediate?: (run: () => void) => unknown
}

/** Resolves when the thread has run all other ready callbacks. */
export function nextLoop(): Promise<void> {
  return new Promise((resolve) => void afterOthers(resolve))
}

/**
 * Gives each caller its own round of the event loop, in the order of the calls, so that other work
 * waits for only one slice however many callers there are.
 */
export function createRounds(): () => Promise<void> {
  let last = Promise.resolve()
  return () => (last = last.then(nextLoop))
}

/** Resolves after `ms`, or immediately when the signal is aborted. Never fails. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
