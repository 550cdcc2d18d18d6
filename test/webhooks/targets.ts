import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of deliveries with its own listener, so that it counts as a separate host. */
export interface Target {
  readonly port: number
  /** When each `webhook-id` first arrived (`performance.now()`). */
  readonly arrivals: ReadonlyMap<string, number>
  /** The highest number of simultaneously open requests. */
  readonly mostOpen: () => number
  readonly close: () => Promise<void>
}

export type Answer = (response: ServerResponse) => void

/** Listens on 127.0.0.1. */
export async function openTarget(answer: Answer): Promise<Target> {
  const arrivals = new Map<string, number>()
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    if (!arrivals.has(id)) arrivals.set(id, performance.now())
    most = Math.max(most, ++open)
    response.once('close', () => open--)
    request.resume()
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    port,
    arrivals,
    mostOpen: () => most,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Answers 200 at once. */
export const healthy: Answer = (response) => void response.end('taken')

/** Never answers. */
export const hanging: Answer = () => undefined
