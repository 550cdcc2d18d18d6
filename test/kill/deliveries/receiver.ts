import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Somebody who is sent deliveries, and counts them. */
export interface Receiver {
  readonly port: number
  /** How often each `webhook-id` came. */
  readonly received: ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Listens on 127.0.0.1. `/slow` takes up to 80 ms, `/broken` answers 500, all others 200 at once. */
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
  // It listens on a port, not on a pipe.
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
