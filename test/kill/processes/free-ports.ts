import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports below the range that the operating system uses for outgoing connections, so that no
 * connection takes a port between the end of a process and its restart.
 */
const lowest = 20_000
const highest = 30_000

/** Returns `count` ports of this machine without a listener. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
