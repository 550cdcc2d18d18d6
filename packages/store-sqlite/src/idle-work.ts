import { setImmediate as nextLoop } from 'node:timers/promises'

/**
 * A second after a call, a burst of small steps, each in a tick of its own, and another one after a second
 * while there is more to do. A burst, because after each commit other connections read their pages anew.
 */
const [pauseMs, mostSteps] = [1000, 8]

/**
 * Returns a function that soon runs steps of work that can wait, as long as a step says that there is
 * more to do. Does not keep the process alive.
 */
export function createIdleWork(step: () => boolean): () => void {
  let isPlanned = false
  const burst = async () => {
    isPlanned = false
    let isMore = true
    for (let steps = 0; isMore && steps < mostSteps; steps++) {
      isMore = step()
      await nextLoop()
    }
    if (isMore) plan()
  }
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    setTimeout(() => void burst(), pauseMs).unref()
  }
  return plan
}
