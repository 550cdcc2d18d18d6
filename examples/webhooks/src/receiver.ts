import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { rememberIds } from './remember-ids.ts'

/** A delivery whose signature was verified. */
export interface Received {
  /** The path that it was posted to: `/shop`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: IncomingMessage['headers']
  /** The JSON body; undefined if there was none. */
  readonly body: unknown
}

export interface Receiver {
  readonly port: number
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** The secret of the signatures: `whsec_…`. */
  readonly secret: string
  /** Processes a delivery, once per `webhook-id`. An exception is answered with 500. */
  readonly take: (accepted: Received) => Promise<void> | void
}

// Quire sends at most 256 KiB.
const mostBytes = 256 * 1024

/**
 * Listens on 127.0.0.1. Rejects deliveries that are unsigned, wrongly signed or too old (401), or
 * too large (413).
 */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const receive = createReceive(options)
  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Receive = (request: IncomingMessage, response: ServerResponse) => Promise<void>

function createReceive({ secret, take }: ReceiverOptions): Receive {
  const webhook = new Webhook(secret)
  const ids = rememberIds()
  return async (request, response) => {
    const text = await readText(request)
    if (text === null) return answer(response, 413)
    const body = verified(webhook, text, request)
    if (body === null) return answer(response, 401)
    const id = String(request.headers['webhook-id'])
    // A repeated delivery is acknowledged, but not processed again.
    if (!ids.add(id)) return answer(response, 200)
    try {
      await take({ path: request.url ?? '/', headers: request.headers, ...body })
      answer(response, 204)
    } catch {
      ids.delete(id)
      answer(response, 500)
    }
  }
}

/**
 * The text of a request exactly as it was sent, because the signature covers these bytes, not a
 * parser's version of them. Null if there are too many.
 */
async function readText(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  // Keeps the request open, so that it can still be answered.
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const piece of arriving) {
    bytes += piece.length
    if (bytes > mostBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/**
 * The body of a delivery with a valid signature that is less than five minutes old; null for any
 * other.
 */
function verified(webhook: Webhook, text: string, { headers }: IncomingMessage): { body: unknown } | null {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  try {
    return {
      body: webhook.verify(text, {
        'webhook-id': String(id ?? ''),
        'webhook-timestamp': String(timestamp ?? ''),
        'webhook-signature': String(signature ?? ''),
      }),
    }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return null
    throw error
  }
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end()
}
