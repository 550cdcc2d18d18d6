import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { BlobsUnavailable } from '@quire/core/ports'
import { type OpenedObject, openObject } from './bucket.ts'
import type { Connection } from './connection.ts'
import { translate } from './s3-error.ts'

/** Reads an object or a part of it, and resumes when a response breaks off. */
export interface ObjectReader {
  /** Null at the end. Errors: BlobsUnavailable. */
  next(): Promise<Uint8Array | null>
  /** Releases the connection. Allowed at any time. */
  close(): void
}

/**
 * The bytes from `start` up to but excluding `end` of an opened object whose body begins at
 * `start`.
 */
export interface ObjectRead {
  readonly opened: OpenedObject
  readonly start: number
  readonly end: number
  /** Also aborts the requests that resume it. */
  readonly signal?: AbortSignal | undefined
}

/** How often a response may break off in a row without delivering a byte. */
const mostBreaks = 3

/** The upper bound of the random pause before a retry, in milliseconds. */
const breakPause = 400

/**
 * Creates a reader for an opened object. Cost: holds one connection until it is at its end or
 * closed.
 */
export function readerOf(connection: Connection, reading: ObjectRead): ObjectReader {
  const { opened, end, signal } = reading
  let body: Readable = opened.body
  let chunks = iteratorOf(body)
  let position = reading.start
  let breaks = 0
  let isClosed = false

  async function take(): Promise<Uint8Array | null> {
    const { value } = await inTime(body, chunks.next(), connection.idleMs)
    if (value === undefined) throw new Error(`The response ended at byte ${position} of ${end}.`)
    // Ignore bytes beyond the requested range: a store that sends more is not to be trusted.
    const chunk = value.subarray(0, end - position)
    position += chunk.length
    if (chunk.length > 0) breaks = 0
    return chunk
  }

  async function goOn(error: unknown): Promise<void> {
    body.destroy()
    breaks += 1
    if (isClosed || breaks > mostBreaks) throw translate(error)
    await sleep(Math.random() * breakPause * breaks)
    const range = { start: position, end: end - 1 }
    const again = await openObject(connection, opened.key, { range, etag: opened.etag, signal })
    if (!again) throw new BlobsUnavailable('failing', 'An object was removed while it was read.')
    body = again.body
    chunks = iteratorOf(body)
    if (isClosed) body.destroy()
  }

  return {
    async next() {
      while (position < end) {
        try {
          return await take()
        } catch (error) {
          await goOn(error)
        }
      }
      body.destroy()
      return null
    },
    close() {
      isClosed = true
      body.destroy()
    },
  }
}

function iteratorOf(body: Readable): AsyncIterator<Buffer, undefined> {
  // A body that is destroyed early emits its error once more, with no other listener.
  body.on('error', () => undefined)
  return body[Symbol.asyncIterator]()
}

/** Aborts a response that sends nothing for too long. */
async function inTime<T>(body: Readable, work: Promise<T>, idleMs: number): Promise<T> {
  const timer = setTimeout(() => body.destroy(new Error(`No bytes were received for ${idleMs} ms.`)), idleMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** Reads the rest of a reader. */
async function readRest(reader: ObjectReader): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (let chunk = await reader.next(); chunk; chunk = await reader.next()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Bytes that were read, and whether they are correct. */
export interface Checked {
  readonly bytes: Buffer
  readonly right: boolean
}

/** Reads and checks a small object; null when it is absent. */
export async function readSmall(
  connection: Connection,
  key: string,
  isRight: (bytes: Buffer) => boolean,
): Promise<Checked | null> {
  const opened = await openObject(connection, key)
  return opened && readChecked(connection, { opened }, isRight)
}

/**
 * Reads and checks an opened small object. Incorrect bytes are read once more, because they may
 * have been damaged in transit. Null when the object is gone by then.
 */
export async function readChecked(
  connection: Connection,
  { opened, signal }: Pick<ObjectRead, 'opened' | 'signal'>,
  isRight: (bytes: Buffer) => boolean,
): Promise<Checked | null> {
  const bytes = await readOpened(connection, { opened, signal })
  if (isRight(bytes)) return { bytes, right: true }
  const again = await openObject(connection, opened.key, { signal })
  if (!again) return null
  const second = await readOpened(connection, { opened: again, signal })
  return { bytes: second, right: isRight(second) }
}

function readOpened(
  connection: Connection,
  { opened, signal }: Pick<ObjectRead, 'opened' | 'signal'>,
): Promise<Buffer> {
  return readRest(readerOf(connection, { opened, start: 0, end: opened.size, signal }))
}
