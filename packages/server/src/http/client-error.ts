import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, QuireError } from '@quire/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from '@quire/http/shared'

interface ParserError extends Error {
  readonly code?: string
}

/**
 * Answers what Node rejected before there was a request, on the bare socket and with the usual
 * error body.
 */
export function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, known } = meaningOf(error.code)
  const { headers, body } = refusalOf(known)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/**
 * Rejects an expectation other than 100-continue (RFC 9110 §10.1.1): Node would answer it without a
 * body.
 */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = refusalOf(new QuireError('invalid', 'Only Expect: 100-continue is supported.'))
  response.writeHead(417, headers).end(body)
}

/**
 * Most headers of a request. Node allows up to 2 000; real clients send fewer than half of these.
 */
const mostHeaders = 100

/**
 * Rejects more than 100 headers, and HTTP/1.1 without a Host header (RFC 9112 §3.2), which Node
 * would answer without a body.
 * Errors: QuireError `too_large`, `invalid`.
 */
export function requireSoundHead(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  proceed: (error?: Error) => void,
): void {
  // `rawHeaders` alternates names and values.
  const isLong = raw.rawHeaders.length > 2 * mostHeaders
  if (!isLong && (raw.headers.host !== undefined || raw.httpVersion !== '1.1')) return proceed()
  void reply.header('connection', 'close')
  proceed(
    isLong
      ? new QuireError('too_large', `The request has more than ${mostHeaders} headers.`)
      : new QuireError('invalid', 'HTTP/1.1 needs a Host header.'),
  )
}

function refusalOf(known: QuireError): { headers: Record<string, string>; body: string } {
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(known, requestId))
  const headers = {
    ...commonHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  }
  return { headers, body }
}

function meaningOf(code: string | undefined): { status: string; known: QuireError } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      status: '431 Request Header Fields Too Large',
      known: new QuireError('too_large', 'The headers are longer than 16 KiB.'),
    }
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      status: '408 Request Timeout',
      known: new QuireError('invalid', 'The request did not arrive in time.'),
    }
  }
  return {
    status: '400 Bad Request',
    known: new QuireError('invalid', 'This is not a well-formed HTTP/1.1 request.'),
  }
}
