import { Readable } from 'node:stream'
import type { OutboundStream, OutboundStreamRequest } from '@quire/core/ports'
import type { Dispatcher } from 'undici'
import { failureOf, headersOf, pairsOf } from './exchange.ts'
import { stalled, tooLong } from './failures.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Target } from './target.ts'
import { type Trip, unlessAborted } from './trip.ts'

/** The resources of a running request. */
export interface Passage {
  readonly pool: ConnectionPool
  readonly trip: Trip
  /** Releases its slot and its trip. */
  readonly leave: () => void
}

/** Ends a request, once: its connection is reused or closed. */
interface Ending {
  release(): void
  drop(): void
}

/**
 * Sends a request over a connection of its own, until the response was read or abandoned. Errors:
 * OutboundFailure; everything is released then.
 */
export async function openOver(
  request: OutboundStreamRequest,
  target: Target,
  { pool, trip, leave }: Passage,
): Promise<OutboundStream> {
  const connection = await pool.take(target, trip).catch((error: unknown) => {
    leave()
    throw error
  })
  const ending = endingOf(trip, {
    release: () => pool.release(connection),
    drop: () => pool.drop(connection),
    leave,
  })
  const { signal } = trip
  const { method } = request
  try {
    const sent = { path: target.path, method, headers: headersOf(request), body: bodyOf(request), signal }
    const answer = await unlessAborted(signal, connection.client.request(sent))
    return streamOf(answer, request, { trip, ending })
  } catch (error) {
    ending.drop()
    throw failureOf(error, signal)
  }
}

function endingOf(trip: Trip, on: Ending & { readonly leave: () => void }): Ending {
  let isOver = false
  const end = (how: 'release' | 'drop') => () => {
    if (isOver) return
    isOver = true
    trip.signal.removeEventListener('abort', drop)
    on[how]()
    on.leave()
  }
  const drop = end('drop')
  trip.signal.addEventListener('abort', drop, { once: true })
  return { release: end('release'), drop }
}

function bodyOf({ body }: OutboundStreamRequest): Uint8Array | string | Readable | null {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return body
  const stream = Readable.from(body, { objectMode: false })
  // An error of the body also fails the request. Without a listener it would end the process as
  // well.
  stream.on('error', () => undefined)
  return stream
}

interface BodyRead {
  readonly trip: Trip
  readonly ending: Ending
}

function streamOf(
  answer: Dispatcher.ResponseData,
  { idleMs, maxAnswerBytes }: OutboundStreamRequest,
  { trip, ending }: BodyRead,
): OutboundStream {
  // As above: the response may fail while nobody reads it.
  answer.body.on('error', () => undefined)
  const pieces = answer.body[Symbol.asyncIterator]()
  let length = 0
  const take = (piece: Uint8Array): Uint8Array => {
    length += piece.length
    if (length > maxAnswerBytes) throw tooLong(maxAnswerBytes)
    return piece
  }
  const reader: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const step = await withinIdle(trip, idleMs, () => pieces.next())
        if (!step.done) return { done: false, value: take(step.value) }
        ending.release()
        return { done: true, value: undefined }
      } catch (error) {
        ending.drop()
        throw failureOf(error, trip.signal)
      }
    },
    async return() {
      ending.drop()
      return { done: true, value: undefined }
    },
  }
  return {
    status: answer.statusCode,
    headers: pairsOf(answer),
    body: { [Symbol.asyncIterator]: () => reader },
    close: () => ending.drop(),
  }
}

async function withinIdle<T>(trip: Trip, ms: number, step: () => Promise<T>): Promise<T> {
  trip.signal.throwIfAborted()
  const timer = setTimeout(() => trip.fail(stalled(ms)), ms)
  try {
    return await unlessAborted(trip.signal, step())
  } finally {
    clearTimeout(timer)
  }
}
