import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { rememberIds } from './remember-ids.ts'

/** A delivery that was found to be ours. */
export interface Received {
  /** Where it was posted: `/shop`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: IncomingMessage['headers']
  /** What was posted; undefined where nothing was. */
  readonly body: unknown
}

/** A receiver of webhooks. */
export interface Receiver {
  readonly port: number
  close(): Promise<void>
}

/** What a receiver needs. */
export interface ReceiverOptions {
  /** What the sender signs with: `whsec_…`. */
  readonly secret: string
  /** Does something with a delivery, once for each `webhook-id`. What it throws is answered as 500. */
  readonly take: (accepted: Received) => Promise<void> | void
}

// Quire posts 256 KiB at most.
const mostBytes = 256 * 1024

/** Listens on 127.0.0.1. Refuses what is not signed, wrongly or too long ago (401), and what is too large (413). */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const receive = createReceive(options)
  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port, not on a pipe.
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
    // It was taken before: whoever sent it again is told so, and nothing is done again.
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

/** The text of a request as it was sent: what is signed are these bytes, not what a parser makes of them. Null when there are too many. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  // A request that is left is not destroyed: it is still to be answered.
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const piece of arriving) {
    bytes += piece.length
    if (bytes > mostBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** The body of a delivery that is signed and new: within five minutes. Null for any other. */
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
