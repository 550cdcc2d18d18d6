import { QuireError, type Binary, type BinarySource, type ByteSpan } from '@quire/contract'
import type { Bytes } from '../ports/index.ts'
import { collect } from './collect.ts'

/** Bytes as an operation answers them: a caller in process reads them, a door serves their source (RFC 9110). */
export class ServedBytes implements Binary {
  readonly source: BinarySource
  readonly range: Binary['range']

  constructor(source: BinarySource, range: Binary['range'] = null) {
    this.source = source
    this.range = range
  }

  get mimeType(): string {
    return this.source.mimeType
  }

  get fileName(): string {
    return this.source.fileName
  }

  get etag(): string | null {
    return this.source.etag
  }

  get size(): number | null {
    return this.range ? this.range.end - this.range.start + 1 : this.source.size
  }

  stream(): ReadableStream<Uint8Array> {
    return streamOf(() => this.source.open(this.range ?? undefined))
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return collect(await this.source.open(this.range ?? undefined))
  }

  /** A part of these bytes. Errors: `range_not_satisfiable` when there are not that many, or it is not known how many. */
  part({ start, end = Number.POSITIVE_INFINITY }: ByteSpan): ServedBytes {
    const total = this.size
    const isSound = Number.isSafeInteger(start) && start >= 0 && end >= start
    if (total === null || !isSound || start >= total) throw new QuireError('range_not_satisfiable')
    return new ServedBytes(this.source, { start, end: Math.min(end, total - 1), total })
  }
}

/** A web stream that opens its source when it is first read, and releases it when it is cancelled. */
function streamOf(open: () => Promise<Bytes>): ReadableStream<Uint8Array> {
  let iterator: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      iterator ??= (await open())[Symbol.asyncIterator]()
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator?.return?.()
    },
  })
}
