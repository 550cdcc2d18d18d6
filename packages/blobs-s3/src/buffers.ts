import { smallestPart } from './multipart.ts'

/**
 * Bytes sent at once: 8 MiB, what a part of S3 may be (5 MiB and more) and what may be lost of an upload (`durableEvery`). At twice, half as many
 * uploads fit into the same memory.
 */
export const pieceSize = 8 * 1024 * 1024

/** Room for one piece, for as long as it comes in and is sent. */
export interface SharedBuffer {
  /** Of `pieceSize` bytes; what is in it is nobody's. */
  readonly bytes: Buffer
  /** Whether others wait for it, and a piece of so many bytes is large enough, or has taken too long. */
  isDue(size: number): boolean
  /** Lets another have it. A second time does nothing. */
  giveBack(): void
}

/** The buffers that all puts and uploads of a process share, so that many at once go slower and not out of memory. */
export interface Buffers {
  /** The next that is free, in the order of calls; null when none became free for too long. Who waits must hold none. */
  take(): Promise<SharedBuffer | null>
  /** How many are in use. */
  inUse(): number
}

/** How many buffers there are, and for how long. */
export interface BufferLimits {
  readonly count: number
  /**
   * Ms after which who waits goes on without one. Default: 15 000, half of what a server leaves to a body that stands still.
   */
  readonly waitMs?: number
  /** Ms after which a slow sender gives one back with what it has, when others wait. Default: 8 000, so that one turn fits into a wait. */
  readonly holdMs?: number
}

/** No buffer is in use yet, and none is in memory. */
export function createBuffers({ count, waitMs = 15_000, holdMs = 8_000 }: BufferLimits): Buffers {
  const waiting = new Set<(buffer: SharedBuffer) => void>()
  // Used again while any is in use: what is freed is collected late, and fifty uploads would hold twice as much.
  let idle: Buffer[] = []
  let inUse = 0

  function hold(): SharedBuffer {
    inUse += 1
    const bytes = idle.pop() ?? Buffer.allocUnsafeSlow(pieceSize)
    const since = performance.now()
    let isHeld = true
    return {
      bytes,
      isDue: (size) => waiting.size > 0 && (size >= smallestPart || performance.now() - since > holdMs),
      giveBack() {
        if (isHeld) free(bytes)
        isHeld = false
      },
    }
  }

  function free(bytes: Buffer): void {
    inUse -= 1
    idle.push(bytes)
    const [next] = waiting
    if (next) next(hold())
    if (inUse === 0) idle = []
  }

  return {
    inUse: () => inUse,
    take() {
      if (inUse < count) return Promise.resolve(hold())
      return new Promise((resolve) => {
        const get = (buffer: SharedBuffer | null) => {
          waiting.delete(get)
          clearTimeout(timer)
          resolve(buffer)
        }
        const timer = setTimeout(() => get(null), waitMs)
        waiting.add(get)
      })
    },
  }
}
