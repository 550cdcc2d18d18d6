import { Readable } from 'node:stream'
import { type NextChunk, pieceSize } from './chunks.ts'

/** A source of pieces for a stream. `close` is called once, however the stream ends. */
export interface ChunkSource {
  readonly next: NextChunk
  readonly close: () => Promise<void>
}

/**
 * A stream that `return()` also ends before the first `next()`. Node's iterator has not started by
 * then and would leave the file open.
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

/**
 * Converts pieces to a Node stream. A pending read ends before the file is closed: after that, its
 * file descriptor may belong to another file.
 */
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

/** A stream of pieces that are already in memory. */
export function streamOfPieces(pieces: readonly Uint8Array[]): Readable {
  const rest = [...pieces].filter(({ length }) => length > 0)
  return new Readable({
    highWaterMark: 2 * pieceSize,
    read() {
      this.push(rest.shift() ?? null)
    },
  })
}
