/** A running time limit. */
export interface Deadline {
  /** Restarts it, because there was progress. */
  renew(): void
  isOver(): boolean
  stop(): void
}

/** Starts a time limit that calls `end` when it expires. */
export function createDeadline(seconds: number, end: () => void): Deadline {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    end()
  }, seconds * 1000)
  return { renew: () => void timer.refresh(), isOver: () => isOver, stop: () => clearTimeout(timer) }
}
