import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { Refusal } from './refusal.ts'
import type { Answer } from './remember-answers.ts'

// A package with its settings has some kilobytes, and a caller's additions are small, too.
const mostBytes = 1024 * 1024

/** Reads the text of a request. **Errors**: 413, it exceeds one MiB. */
export async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  // Keeps the request open, so that it can still be answered.
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const piece of arriving) {
    bytes += piece.length
    if (bytes > mostBytes) throw new Refusal(413, `A request may have at most ${mostBytes} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** Parses a JSON message. **Errors**: 400, it is not JSON or does not have this shape. */
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
  if (!isOurs) throw new Refusal(401, 'This engine accepts only requests with its bearer token.')
}

/** All digests have the same length, which is required for a constant-time comparison. */
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
