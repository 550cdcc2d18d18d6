import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * What happens to a request. `busy`: 503 SlowDown; `broken`: 500; `reset`: cut before it reaches
 * the store; `stalled`: never answered; `lost`: executed by the store, but its response is cut;
 * `half`: half of the response, then cut; `wrong`: one bit of the response changed; `wrong sent`:
 * one bit of the sent bytes changed.
 */
export type Fault = 'busy' | 'broken' | 'reset' | 'stalled' | 'lost' | 'half' | 'wrong' | 'wrong sent'

/** Decides what happens to a request; null passes it on unchanged. */
export type Script = (request: IncomingMessage) => Fault | null | Promise<Fault | null>

/** A proxy to a store that injects faults. */
export interface FaultProxy {
  readonly endpoint: string
  /** Sets the faults from now on. */
  follow(script: Script): void
  /** How often each fault happened. */
  readonly happened: ReadonlyMap<Fault | 'none', number>
  /** The number of open connections. */
  connections(): number
  /** The number of running requests. */
  underWay(): number
  close(): Promise<void>
}

/** Listens on a free loopback port. Requests retain their Host header, which is signed. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const happened = new Map<Fault | 'none', number>()
  const sockets = new Set<Socket>()
  let script: Script = () => null
  let underWay = 0
  const take = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    underWay += 1
    outgoing.once('close', () => (underWay -= 1))
    const fault = await script(incoming)
    happened.set(fault ?? 'none', (happened.get(fault ?? 'none') ?? 0) + 1)
    answer({ target, incoming, outgoing, fault })
  }
  const server = createServer((incoming, outgoing) => void take(incoming, outgoing))
  server.on('connection', (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)).on('error', () => undefined))
  })
  const port = await listening(server)
  return {
    endpoint: `http://127.0.0.1:${port}`,
    follow: (next) => void (script = next),
    happened,
    connections: () => sockets.size,
    underWay: () => underWay,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(portOf(server.address())))
  })
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return address.port
}

interface Exchange {
  readonly target: string
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly fault: Fault | null
}

function answer(exchange: Exchange): void {
  const { incoming, outgoing, fault } = exchange
  incoming.on('error', () => undefined)
  if (fault === 'reset') return void incoming.socket.destroy()
  if (fault === 'stalled') return void incoming.resume()
  if (fault === 'busy' || fault === 'broken') return refuse(incoming, outgoing, fault)
  void forward(exchange)
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, fault: 'busy' | 'broken'): void {
  const [status, code] = fault === 'busy' ? [503, 'SlowDown'] : [500, 'InternalError']
  incoming.resume().once('end', () => {
    outgoing.writeHead(status, { 'content-type': 'application/xml' })
    outgoing.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Later.</Message></Error>`)
  })
}

async function forward({ target, incoming, outgoing, fault }: Exchange): Promise<void> {
  const { method, url, headers } = incoming
  const { expect: _, ...sent } = headers
  const onward = request(new URL(url ?? '/', target), { ...(method && { method }), headers: sent })
  let isAnswered = false
  onward.on('error', () => {
    // Swift 2.30 sends a body with the 404 of a HEAD, which is not allowed. The response is usable,
    // its connection is not.
    if (method !== 'HEAD' || !isAnswered) outgoing.destroy()
  })
  outgoing.once('close', () => onward.destroy())
  onward.on('response', (answered) => {
    isAnswered = true
    void giveBack(answered, outgoing, fault)
  })
  let isFirst = true
  try {
    for await (const chunk of incoming) {
      onward.write(isFirst && fault === 'wrong sent' ? flipped(chunk) : chunk)
      isFirst = false
    }
    onward.end()
  } catch {
    // The client is gone.
    onward.destroy()
  }
}

async function giveBack(
  answered: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault | null,
): Promise<void> {
  if (fault === 'lost') return void answered.resume().once('close', () => outgoing.destroy())
  outgoing.writeHead(answered.statusCode ?? 500, answered.headers)
  try {
    await copyBody(answered, outgoing, fault)
    if (fault === 'half') outgoing.destroy()
    else outgoing.end()
  } catch {
    outgoing.destroy()
  }
}

async function copyBody(
  answered: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault | null,
): Promise<void> {
  const size = Number(answered.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  const most = fault === 'half' ? Math.floor(size / 2) : size
  let given = 0
  for await (const chunk of answered) {
    const part: Buffer = chunk.subarray(0, most - given)
    const isWrong = fault === 'wrong' && given === 0
    given += part.length
    if (!outgoing.write(isWrong ? flipped(part) : part)) await drained(outgoing)
    if (outgoing.destroyed || given === most) break
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.on('drain', done).on('close', done)
  })
}

function flipped(chunk: Buffer): Buffer {
  const wrong = Buffer.from(chunk)
  const last = wrong.length - 1
  wrong.writeUInt8(wrong.readUInt8(last) ^ 1, last)
  return wrong
}
