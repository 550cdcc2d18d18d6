import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports below those that the operating system gives to connections: nothing takes one between the end of a process and its next start. */
const lowest = 20_000
const highest = 30_000

/** So many ports of this machine that nobody listens at. */
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
