import { QuireError, type Binary, type BinarySource, type ByteSpan } from '@quire/contract'
import type { Bytes } from '../ports/index.ts'
import { collect } from './paging.ts'

/**
 * A binary answer of an operation: callers in process read it, a transport serves its source (RFC
 * 9110).
 */
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

  /**
   * The same bytes, but errors while opening and reading are reported once; `report` returns the
   * error to throw.
   */
  reporting(report: (error: unknown) => Error): ServedBytes {
    const open: BinarySource['open'] = (range) =>
      this.source.open(range).then(
        (bytes) => reportingBytes(bytes, report),
        (error: unknown) => {
          throw report(error)
        },
      )
    const { locate: find } = this.source
    const locate: BinarySource['locate'] =
      find &&
      ((about) =>
        find(about).catch((error: unknown) => {
          throw report(error)
        }))
    return new ServedBytes({ ...this.source, open, ...(locate && { locate }) }, this.range)
  }

  /**
   * A range of these bytes. Errors: `range_not_satisfiable` when the range is outside the bytes, or
   * their number is not known.
   */
  part({ start, end = Number.POSITIVE_INFINITY }: ByteSpan): ServedBytes {
    const total = this.size
    const isSound = Number.isSafeInteger(start) && start >= 0 && end >= start
    if (total === null || !isSound || start >= total) throw new QuireError('range_not_satisfiable')
    return new ServedBytes(this.source, { start, end: Math.min(end, total - 1), total })
  }
}

/**
 * A web stream that opens its source on the first read, and releases it when cancelled, even while
 * it is being opened.
 */
export function streamOf(open: () => Promise<Bytes>): ReadableStream<Uint8Array> {
  let iterator: AsyncIterator<Uint8Array> | undefined
  let isCancelled = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      iterator ??= (await open())[Symbol.asyncIterator]()
      if (isCancelled) {
        await iterator.return?.()
        return
      }
      const { done, value } = await iterator.next()
      if (isCancelled) return
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      isCancelled = true
      await iterator?.return?.()
    },
  })
}

/**
 * Bytes whose read errors are reported. A Node stream stays one, because a server can send it with
 * less work.
 */
export function reportingBytes(bytes: Bytes, report: (error: unknown) => Error): Bytes {
  if (isEmitter(bytes)) {
    bytes.on('error', report)
    return bytes
  }
  return { [Symbol.asyncIterator]: () => reportingIterator(bytes[Symbol.asyncIterator](), report) }
}

function reportingIterator(
  iterator: AsyncIterator<Uint8Array>,
  report: (error: unknown) => Error,
): AsyncIterator<Uint8Array> {
  return {
    next: () =>
      iterator.next().catch((error: unknown) => {
        throw report(error)
      }),
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** The part of a Node stream that is used here; the code also runs without Node. */
interface Emitter {
  on(event: 'error', listener: (error: unknown) => void): unknown
}

function isEmitter(bytes: object): bytes is Emitter {
  return 'on' in bytes && typeof bytes.on === 'function'
}

/** Iterates over a web stream with a reader, because not every browser's streams are iterable. */
export async function* iterated(bytes: Bytes | ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* bytes instanceof ReadableStream ? readBy(bytes.getReader()) : bytes
}

async function* readBy(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
