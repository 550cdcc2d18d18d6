/** When work that can wait is done, in milliseconds: how long after a call, and how often while there is more. */
const pauses = { first: 1000, between: 100 }

/**
 * Returns a function that soon runs small steps of work, each in a tick of its own, as long as a step
 * says that there is more to do. Does not keep the process alive.
 */
export function createIdleWork(step: () => boolean): () => void {
  let isPlanned = false
  const plan = (ms: number) => {
    isPlanned = true
    setTimeout(() => {
      isPlanned = false
      if (step()) plan(pauses.between)
    }, ms).unref()
  }
  return () => {
    if (!isPlanned) plan(pauses.first)
  }
}
