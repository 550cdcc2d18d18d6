import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { limits, QuireError, type BytesIn } from '@quire/contract'
import type { Route } from '@quire/contract/codec'
import {
  dataBytes,
  inputOf,
  malformed,
  requirePart,
  tooLarge,
  withoutData,
  withoutFileName,
} from './form-parts.ts'
import { interleaved, type Slots } from './slots.ts'

/** Decodes a form as `ReadForm`, with the file as a stream of bytes. */
export function readMultipart(route: Route, { contentType, payload, slots }: Form): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const reading = new FormReader({ route, slots }, { resolve, reject })
  const parser = parserFor(contentType)
  parser.on('field', (...[name, value, _nameCut, isCut]: FieldEvent) => reading.field(name, value, isCut))
  parser.on('file', (...[name, stream, fileName, _encoding, type]: FileEvent) =>
    reading.file(stream, { name, fileName, type }),
  )
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () =>
      reading.fail(new QuireError('invalid', 'The form has more parts than data and file.')),
    )
  parser.on('finish', () => reading.finish())
  parser.on('error', (error: unknown) => reading.fail(malformed(error)))
  payload.on('error', (error) => reading.fail(error))
  payload.on('close', () => {
    if (!payload.readableEnded)
      reading.fail(malformed(new Error('The connection was closed before the form was complete.')))
  })
  payload.pipe(parser)
  return promise
}

/** A body that is still arriving. */
interface Form {
  readonly contentType: string
  readonly payload: Readable
  readonly slots: Pick<Slots, 'take'>
}

type FieldEvent = [name: string, value: string, isNameCut: boolean, isCut: boolean]

type FileEvent = [
  name: string,
  stream: Readable,
  fileName: string | undefined,
  encoding: string,
  type: string,
]

function parserFor(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        parts: 4,
        files: 3,
        fields: 3,
        fieldSize: dataBytes,
        fileSize: limits.fileBytes + 1,
        headerPairs: 50,
      },
    })
  } catch (error) {
    throw malformed(error)
  }
}

interface Outcome {
  readonly resolve: (input: unknown) => void
  readonly reject: (error: Error) => void
}

interface FilePart {
  readonly name: string
  readonly fileName: string | undefined
  readonly type: string
}

/**
 * Reads one form while its parts arrive. It is done when the form has ended and the file that it
 * handed on was read to its end.
 */
class FormReader {
  readonly #route: Route
  readonly #slots: Pick<Slots, 'take'>
  readonly #outcome: Outcome
  readonly #seen = new Set<string>()
  readonly #end = Promise.withResolvers<void>()
  #data: Promise<string> = Promise.resolve('')
  #open: Readable | undefined

  constructor({ route, slots }: { route: Route; slots: Pick<Slots, 'take'> }, outcome: Outcome) {
    this.#route = route
    this.#slots = slots
    this.#outcome = outcome
    // The reader of the file gets this error. Without a reader nobody needs it.
    this.#end.promise.catch(() => undefined)
  }

  field(name: string, value: string, isCut: boolean): void {
    if (isCut) return this.fail(tooLarge(name))
    if (name === 'file') return this.fail(withoutFileName())
    if (this.#takes(name)) this.#data = Promise.resolve(value)
  }

  file(stream: Readable, { name, fileName, type }: FilePart): void {
    if (!this.#takes(name)) return void stream.resume()
    if (name === 'data') {
      this.#data = textOf(stream)
      this.#data.catch((error: Error) => this.fail(error))
      return
    }
    this.#open = stream
    // The reader gets the error. There may be no reader.
    stream.on('error', () => undefined)
    const file: BytesIn = {
      ...(fileName !== undefined && { name: fileName }),
      type,
      stream: () => interleaved(untilEnd(stream, this.#end.promise), this.#slots),
    }
    this.#handOver(file)
  }

  /** Whether a part is accepted. A part that is not ends the form with an error. */
  #takes(name: string): boolean {
    try {
      requirePart(name, this.#seen)
      this.#seen.add(name)
      return true
    } catch (error) {
      this.fail(error as Error)
      return false
    }
  }

  #handOver(file?: BytesIn): void {
    const input = this.#data.then((text) => inputOf(this.#route, text, file))
    input.then(this.#outcome.resolve, (error: Error) => this.fail(error))
  }

  finish(): void {
    this.#end.resolve()
    if (this.#seen.has('file')) return
    if (this.#seen.size > 0 || this.#route.body === 'multipart') return this.#handOver()
    this.fail(withoutData())
  }

  fail(error: Error): void {
    this.#outcome.reject(error)
    this.#end.reject(error)
    this.#open?.destroy(error)
  }
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > dataBytes) throw tooLarge('data')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * The bytes of a file part. They end without an error only when the whole form does. Errors: as
 * `readMultipart`.
 */
async function* untilEnd(stream: Readable, end: Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    throw error instanceof QuireError ? error : malformed(error)
  }
  await end
}
