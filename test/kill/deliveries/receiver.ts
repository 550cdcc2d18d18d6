import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver that counts webhook deliveries. */
export interface Receiver {
  readonly port: number
  /** How often each `webhook-id` arrived. */
  readonly received: ReadonlyMap<string, number>
  close(): Promise<void>
}

/**
 * Listens on 127.0.0.1. `/slow` takes up to 80 ms, `/broken` answers 500, all other paths answer
 * 200 at once.
 */
export async function openReceiver(): Promise<Receiver> {
  const received = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    received.set(id, (received.get(id) ?? 0) + 1)
    request.resume()
    const answer = () => response.writeHead(request.url === '/broken' ? 500 : 200).end('taken')
    if (request.url === '/slow') setTimeout(answer, Math.random() * 80)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
