/** What a process that reads must keep to. */
export interface Bounds {
  /** Bytes that it may have in memory. */
  readonly mostMemory: number
  /** The process that it reads for. */
  readonly parent: number
}

// Milliseconds between two looks: within them a parser fills some 50 MB.
const interval = 20

/** Ends the process when it takes more memory than it may, or when nobody is there any more to read for. */
export function watch({ mostMemory, parent }: Bounds): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > mostMemory || process.ppid !== parent)
      process.kill(process.pid, 'SIGKILL')
  }, interval)
}
