/** The open streams of a handler. */
export interface Streams {
  /** Streams for one request. `ended` is called when one that was opened has ended. */
  opener(ended: () => void): {
    readonly open: <T>(pieces: AsyncIterable<T>) => ReadableStream<T>
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
        open<T>(pieces: AsyncIterable<T>) {
          const iterator = pieces[Symbol.asyncIterator]()
          const stop = () => void iterator.return?.()
          const end = () => {
            if (open.delete(stop)) ended()
          }
          isOpen = true
          open.add(stop)
          return new ReadableStream<T>({
            async pull(controller) {
              const step = await iterator.next().catch((error: unknown) => {
                end()
                throw error
              })
              if (!step.done) return controller.enqueue(step.value)
              end()
              controller.close()
            },
            cancel() {
              end()
              stop()
            },
          })
        },
      }
    },
    close() {
      for (const stop of open) stop()
    },
  }
}
