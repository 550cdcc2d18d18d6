/** Limits of a reader process. */
export interface Bounds {
  /** Bytes of memory that it may use. */
  readonly mostMemory: number
  /** The id of its parent process. */
  readonly parent: number
}

// Milliseconds between checks: a parser allocates about 50 MB within them.
const interval = 20

/** Kills the process when it uses too much memory, or when its parent has ended. */
export function watch({ mostMemory, parent }: Bounds): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > mostMemory || process.ppid !== parent)
      process.kill(process.pid, 'SIGKILL')
  }, interval)
}
