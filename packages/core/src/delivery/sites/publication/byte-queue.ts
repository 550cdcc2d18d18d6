import type { Bytes } from '../../../ports/index.ts'

/** Bytes that some add and one reads, of which only so many wait. */
export interface ByteQueue {
  /** What was added, in that order; to be read once. Ends after `end`, throws what `fail` was given. */
  readonly bytes: Bytes
  /** Adds at once; resolves when there is room for more. Errors: what `fail` was given; throws after `end`. */
  add(bytes: Uint8Array): Promise<void>
  /** No more is added. Errors: what `fail` was given. */
  end(): void
  /** Ends the reading and every add with an error. Only the first one counts, and none after `end` once all was read. */
  fail(reason: unknown): void
}

/** A queue in which at most `most` bytes and one chunk wait when those who add wait for each other. */
export function createByteQueue(most: number): ByteQueue {
  const waiting: Uint8Array[] = []
  let held = 0
  let isEnded = false
  let failure: { readonly reason: unknown } | null = null
  let changed = Promise.withResolvers<void>()
  const notify = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const requireSound = () => {
    if (failure) throw failure.reason
  }
  const isFull = () => held > most && failure === null
  async function* read() {
    for (;;) {
      requireSound()
      const chunk = waiting.shift()
      if (!chunk && isEnded) return
      if (!chunk) {
        await changed.promise
        continue
      }
      held -= chunk.length
      notify()
      yield chunk
    }
  }
  return {
    bytes: read(),
    async add(bytes) {
      requireSound()
      if (isEnded) throw new Error('The queue has ended.')
      waiting.push(bytes)
      held += bytes.length
      notify()
      while (isFull()) await changed.promise
      requireSound()
    },
    end() {
      requireSound()
      isEnded = true
      notify()
    },
    fail(reason) {
      failure ??= { reason }
      notify()
    },
  }
}
