import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { BlobsUnavailable } from '@quire/core/ports'
import { type OpenedObject, openObject } from './bucket.ts'
import type { Connection } from './connection.ts'
import { translate } from './s3-error.ts'

/** Gives the bytes of an object, or of a part of it, and goes on where an answer broke off. */
export interface ObjectReader {
  /** Null at the end. Errors: BlobsUnavailable. */
  next(): Promise<Uint8Array | null>
  /** Lets go of the connection; at any time. */
  close(): void
}

/** From `start` to before `end` of an object whose first answer begins at `start`. */
export interface ObjectRead {
  readonly opened: OpenedObject
  readonly start: number
  readonly end: number
  /** Ends it where it is asked for again. */
  readonly signal?: AbortSignal | undefined
}

/** How often an answer may break off without a byte in between. */
const mostBreaks = 3

/** Ms before it is asked for again, at random up to so many. */
const breakPause = 400

/** Reads what was opened. Cost: holds one connection until it is at its end or closed. */
export function readerOf(connection: Connection, reading: ObjectRead): ObjectReader {
  const { opened, end, signal } = reading
  let body: Readable = opened.body
  let chunks = iteratorOf(body)
  let position = reading.start
  let breaks = 0
  let isClosed = false

  async function take(): Promise<Uint8Array | null> {
    const { value } = await inTime(body, chunks.next(), connection.idleMs)
    if (value === undefined) throw new Error(`The answer ended at byte ${position} of ${end}.`)
    // A store that gives more than was asked for is not to be believed: what is beyond is left.
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
  // A body that is destroyed before it is read to its end tells of it once more, to nobody.
  body.on('error', () => undefined)
  return body[Symbol.asyncIterator]()
}

/** Breaks an answer off that gives nothing for too long. */
async function inTime<T>(body: Readable, work: Promise<T>, idleMs: number): Promise<T> {
  const timer = setTimeout(() => body.destroy(new Error(`Nothing came for ${idleMs} ms.`)), idleMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** All that a reader has left. */
async function readRest(reader: ObjectReader): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (let chunk = await reader.next(); chunk; chunk = await reader.next()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Bytes that were read, and whether they are what they should be. */
export interface Checked {
  readonly bytes: Buffer
  readonly right: boolean
}

/** A small object, checked; null when it is absent. */
export async function readSmall(
  connection: Connection,
  key: string,
  isRight: (bytes: Buffer) => boolean,
): Promise<Checked | null> {
  const opened = await openObject(connection, key)
  return opened && readChecked(connection, { opened }, isRight)
}

/** All of a small object that was opened. Bytes that are not right are asked for once more, as they may have changed on the way. */
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
