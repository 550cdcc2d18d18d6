import { Readable } from 'node:stream'
import { type NextChunk, pieceSize } from './chunks.ts'

/** Where a stream takes its pieces from, and what it closes when it ends, however that is. */
export interface ChunkSource {
  readonly next: NextChunk
  readonly close: () => Promise<void>
}

/** A stream that `return()` ends before the first `next()` too: Node's iterator has not begun by then and would leave the file open. */
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

/** The pieces as a stream of Node. A read under way ends before the file is closed: its number may be another file's by then. */
export function streamOf({ next, close }: ChunkSource): Readable {
  let asked: Promise<unknown> = Promise.resolve()
  return new ChunkStream({
    highWaterMark: 2 * pieceSize,
    read() {
      asked = next().then(
        (piece) => this.push(piece),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(reason, ended) {
      const release = () => close().then(() => ended(reason), ended)
      asked.then(release, release)
    },
  })
}

/** What is in memory already, as a stream. */
export function streamOfPieces(pieces: readonly Uint8Array[]): Readable {
  const rest = [...pieces].filter(({ length }) => length > 0)
  return new Readable({
    highWaterMark: 2 * pieceSize,
    read() {
      this.push(rest.shift() ?? null)
    },
  })
}
