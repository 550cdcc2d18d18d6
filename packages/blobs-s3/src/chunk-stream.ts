import { Readable } from 'node:stream'

/** A source of bytes for a stream. `close` is called once, however the stream ends. */
export interface ByteSource {
  /** Null at the end. */
  next(): Promise<Uint8Array | null>
  close(): void
}

/**
 * A stream that `return()` also ends before the first `next()`. Node's iterator has not started by
 * then and would leave the connection open.
 */
class ChunkStream extends Readable {
  override [Symbol.asyncIterator](): ReturnType<Readable[typeof Symbol.asyncIterator]> {
    const iterator = super[Symbol.asyncIterator]()
    const leave = iterator.return?.bind(iterator)
    iterator.return = async () => {
      this.destroy()
      await leave?.()
      return { done: true, value: undefined }
    }
    return iterator
  }
}

/** Bytes that a stream buffers for its reader. */
const held = 512 * 1024

/** Converts a source to a Node stream. */
export function streamOf(source: ByteSource): Readable {
  return new ChunkStream({
    highWaterMark: held,
    read() {
      void source.next().then(
        (chunk) => this.push(chunk),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(reason, ended) {
      source.close()
      ended(reason)
    },
  })
}

/** A stream of bytes that are already in memory. */
export function streamOfBytes(bytes: Uint8Array): Readable {
  const rest = bytes.length > 0 ? [bytes] : []
  return streamOf({ next: async () => rest.pop() ?? null, close: () => undefined })
}
