import { smallestPart } from './multipart.ts'

/**
 * Bytes to send at once: 8 MiB. A part of S3 needs at least 5 MiB, and an upload may lose this much
 * (`durableEvery`). At twice, half as many uploads fit into the same memory.
 */
export const pieceSize = 8 * 1024 * 1024

/** A buffer for one piece, held while the piece is received and sent. */
export interface SharedBuffer {
  /** `pieceSize` bytes with undefined content. */
  readonly bytes: Buffer
  /**
   * Whether to send the piece now: others wait for a buffer, and a piece of `size` bytes is large
   * enough or has taken too long.
   */
  isDue(size: number): boolean
  /** Returns the buffer to the pool. A second call does nothing. */
  giveBack(): void
}

/**
 * The buffers that all puts and uploads of a process share, so that many at once get slower instead
 * of running out of memory.
 */
export interface Buffers {
  /**
   * The next free buffer, in the order of calls; null when none became free in time. A caller that
   * waits must not hold one.
   */
  take(): Promise<SharedBuffer | null>
  /** The number of buffers in use. */
  inUse(): number
}

/** The number of buffers, and time limits. */
export interface BufferLimits {
  readonly count: number
  /**
   * Milliseconds after which a waiting caller continues without a buffer. Default: 15 000, half of
   * the time after which a server ends a stalled body.
   */
  readonly waitMs?: number
  /**
   * Milliseconds after which a slow sender sends what it has and returns its buffer, when others
   * wait. Default: 8 000, so that one such hold fits into a wait.
   */
  readonly holdMs?: number
}

/** Creates an empty pool. Buffers are allocated when they are needed. */
export function createBuffers({ count, waitMs = 15_000, holdMs = 8_000 }: BufferLimits): Buffers {
  const waiting = new Set<(buffer: SharedBuffer) => void>()
  // Free buffers are reused while any is in use. Freed memory is collected late, so fifty uploads
  // would otherwise hold twice as much.
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
