import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { Refusal } from './refusal.ts'
import type { Answer } from './remember-answers.ts'

// A package with its settings is some kilobytes; what a caller adds is small too.
const mostBytes = 1024 * 1024

/** The text of a request. **Errors**: 413, more than a mebibyte. */
export async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  // A request that is left is not destroyed: it is still to be answered.
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const piece of arriving) {
    bytes += piece.length
    if (bytes > mostBytes) throw new Refusal(413, `A request holds at most ${mostBytes} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** What a text says. **Errors**: 400, it is not JSON or not of this shape. */
export function parseMessage<Shape extends z.ZodType>(text: string, shape: Shape): z.output<Shape> {
  const parsed = shape.safeParse(readJson(text))
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Refusal(400, wrong.join('; '))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}

/** **Errors**: 401, the request does not carry this bearer token. */
export function requireToken({ headers }: IncomingMessage, token: string): void {
  const isOurs = timingSafeEqual(digestOf(headers.authorization ?? ''), digestOf(`Bearer ${token}`))
  if (!isOurs) throw new Refusal(401, 'This engine takes requests with its own bearer token.')
}

/** Of one length, whatever was sent: only such bytes are compared in constant time. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Sends an answer as JSON. */
export function sendAnswer(response: ServerResponse, { status, body }: Answer): void {
  const headers = {
    'Content-Type': 'application/json',
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  }
  response.writeHead(status, headers).end(JSON.stringify(body))
}
