import { Readable } from 'node:stream'

/** Where a stream takes its bytes from, and what it lets go of when it ends, however that is. */
export interface ByteSource {
  /** Null at the end. */
  next(): Promise<Uint8Array | null>
  close(): void
}

/** A stream that `return()` ends before the first `next()` too: Node's iterator has not begun by then and would leave the connection open. */
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

/** Bytes that a stream holds for its reader. */
const held = 512 * 1024

/** The bytes of a source as a stream of Node. */
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

/** Bytes that are in memory already, as a stream. */
export function streamOfBytes(bytes: Uint8Array): Readable {
  const rest = bytes.length > 0 ? [bytes] : []
  return streamOf({ next: async () => rest.pop() ?? null, close: () => undefined })
}
