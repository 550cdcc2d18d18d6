import { type OutboundAnswer, OutboundFailure, type OutboundRequest } from '@quire/core/ports'
import type { Client, Dispatcher } from 'undici'
import { broken } from './failures.ts'

type Message = Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'maxAnswerBytes'>

/** The connection and path for a message. */
export interface Route {
  readonly client: Client
  readonly path: string
  readonly signal: AbortSignal
}

/**
 * Sends a message once and reads the response. Errors: OutboundFailure: the reason of the signal,
 * that of a failed connection, or `broken`.
 */
export async function exchange(message: Message, { client, path, signal }: Route): Promise<OutboundAnswer> {
  const { method, body, maxAnswerBytes } = message
  try {
    const answer = await client.request({ path, method, body, headers: headersOf(message), signal })
    const read = await readUpTo(answer.body, maxAnswerBytes)
    return { status: answer.statusCode, headers: pairsOf(answer), ...read }
  } catch (error) {
    throw failureOf(error, signal)
  }
}

/** The error to report for a failed request. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return error instanceof OutboundFailure ? error : broken(error)
}

/** Alternating names and values, as undici expects them. */
export function headersOf({ headers }: Pick<Message, 'headers'>): string[] {
  const namesEncoding = headers.some(([name]) => name.toLowerCase() === 'accept-encoding')
  // RFC 9110 §12.5.3: without this header, any encoding is acceptable.
  return namesEncoding ? headers.flat() : [...headers.flat(), 'accept-encoding', 'identity']
}

/** Names and values of a response, one pair for each header. */
export function pairsOf({ headers }: Dispatcher.ResponseData): (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value) => [name, value] as const),
  )
}

async function readUpTo(
  answer: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Pick<OutboundAnswer, 'body' | 'isCut'>> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of answer) {
    pieces.push(piece)
    length += piece.length
    // Leaving the loop closes the connection.
    if (length > most) break
  }
  return { body: joined(pieces, Math.min(length, most)), isCut: length > most }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.concat(pieces, length)
  return new Uint8Array(buffer, byteOffset, byteLength)
}
