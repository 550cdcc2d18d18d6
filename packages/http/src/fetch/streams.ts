/** The open streams of a handler. */
export interface Streams {
  /** Streams for one request. `ended` is called when one that was opened has ended. */
  opener(ended: () => void): {
    readonly open: <T>(pieces: AsyncIterable<T>) => AsyncIterable<T>
    readonly isOpen: () => boolean
  }
  /** Ends all streams. */
  close(): void
}

/** Creates an empty set of streams. */
export function createStreams(): Streams {
  const open = new Set<() => void>()
  return {
    opener(ended) {
      let isOpen = false
      return {
        isOpen: () => isOpen,
        open(pieces) {
          const iterator = pieces[Symbol.asyncIterator]()
          const stop = () => void iterator.return?.()
          isOpen = true
          open.add(stop)
          return watched(iterator, () => {
            if (open.delete(stop)) ended()
          })
        },
      }
    },
    close() {
      for (const stop of open) stop()
    },
  }
}

/**
 * The same pieces; `ended` is called at their end, for whatever reason. This is not a generator: one
 * that is closed before its first read would leave its source open.
 */
function watched<T>(iterator: AsyncIterator<T>, ended: () => void): AsyncIterable<T> {
  const pieces: AsyncIterator<T> = {
    async next() {
      const step = await iterator.next().catch((error: unknown) => {
        ended()
        throw error
      })
      if (step.done) ended()
      return step
    },
    async return() {
      ended()
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => pieces }
}
