/** Long work calls this between its steps: whoever waits for the same thread gets a turn now and then. */
export type YieldToLoop = () => Promise<void>

// Work for so long at a time. A millisecond of a merge against a round of waiting reads leaves those two thirds of the thread.
const sliceMs = 1

/** Turns for one piece of long work. */
export function yieldingToLoop(): YieldToLoop {
  let until = performance.now() + sliceMs
  return async () => {
    if (performance.now() < until) return
    await nextLoop()
    until = performance.now() + sliceMs
  }
}

/** Node's, which comes as soon as everything that is ready was looked at; a browser's shortest timer takes some milliseconds. */
const { setImmediate: afterOthers = (run: () => void) => setTimeout(run, 0) } = globalThis as {
  setImmediate?: (run: () => void) => unknown
}

/** Resolves once the thread has looked at everything else that is ready. */
export function nextLoop(): Promise<void> {
  return new Promise((resolve) => void afterOthers(resolve))
}

/** Gives each that asks a round of the event loop that nobody else who asked gets, in their order: however many there are, others wait for one. */
export function createRounds(): () => Promise<void> {
  let last = Promise.resolve()
  return () => (last = last.then(nextLoop))
}

/** Resolves after `ms`, or at once when the signal is aborted. Never fails. */
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
