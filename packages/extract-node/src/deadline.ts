/** A time that runs. */
export interface Deadline {
  /** Begins it anew: something came. */
  renew(): void
  isOver(): boolean
  stop(): void
}

/** A time after which something is ended. */
export function createDeadline(seconds: number, end: () => void): Deadline {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    end()
  }, seconds * 1000)
  return { renew: () => void timer.refresh(), isOver: () => isOver, stop: () => clearTimeout(timer) }
}
