import { type OutboundAnswer, OutboundFailure, type OutboundRequest } from '@quire/core/ports'
import type { Client, Dispatcher } from 'undici'
import { broken } from './failures.ts'

type Message = Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'maxAnswerBytes'>

/** How a message goes out. */
export interface Way {
  readonly client: Client
  readonly path: string
  readonly signal: AbortSignal
}

/** The answer to a message that goes out once. Errors: OutboundFailure: the reason of the signal, that of a connection that did not come about, `broken`. */
export async function exchange(message: Message, { client, path, signal }: Way): Promise<OutboundAnswer> {
  const { method, body, maxAnswerBytes } = message
  try {
    const answer = await client.request({ path, method, body, headers: headersOf(message), signal })
    const read = await readUpTo(answer.body, maxAnswerBytes)
    return { status: answer.statusCode, headers: pairsOf(answer), ...read }
  } catch (error) {
    throw failureOf(error, signal)
  }
}

/** What a request failed at. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return error instanceof OutboundFailure ? error : broken(error)
}

/** Names and values in turn, as undici takes them. */
export function headersOf({ headers }: Pick<Message, 'headers'>): string[] {
  const isAsked = headers.some(([name]) => name.toLowerCase() === 'accept-encoding')
  // RFC 9110 §12.5.3: to ask for nothing means that any will do.
  return isAsked ? headers.flat() : [...headers.flat(), 'accept-encoding', 'identity']
}

/** Names and values of an answer, one pair for each that came. */
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
    // To leave the loop is to break the connection.
    if (length > most) break
  }
  return { body: joined(pieces, Math.min(length, most)), isCut: length > most }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.concat(pieces, length)
  return new Uint8Array(buffer, byteOffset, byteLength)
}
