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

/** Resolves once the thread has looked at everything else that is ready. A message comes at once, a timer only after a millisecond. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
