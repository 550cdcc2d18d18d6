import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import type { OutboundRequest } from '@quire/core/ports'
import { onTestFinished } from 'vitest'

/** A request that a sink received. */
export interface Hit {
  readonly method: string
  readonly path: string
  /** As received: `name: value`. */
  readonly headers: readonly string[]
  readonly body: string
}

/** A server on this machine that records its requests. It is closed at the end of the test. */
export interface Sink {
  readonly port: number
  /** With 127.0.0.1, without a slash at the end. */
  readonly url: string
  readonly hits: readonly Hit[]
  /** Connections that were opened, whatever was sent over them. */
  connections(): number
  /** How many of them are still open. */
  open(): number
}

/** Answers a request. */
export type Print = (hit: Hit, response: ServerResponse) => void

const print: Print = (_, response) => response.end('ok')

/** A sink that speaks HTTP. */
export async function aSink(answer: Print = print, host = '127.0.0.1'): Promise<Sink> {
  const hits: Hit[] = []
  return listening(createServer(listener(hits, answer)), hits, host)
}

/** A sink whose handler reads requests itself, as a stream. */
export async function aStreamingSink(answer: RequestListener): Promise<Sink> {
  return listening(createServer(answer), [], '127.0.0.1')
}

/** A sink that speaks HTTP over TLS. */
export async function aSecureSink(
  options: { cert: string; key: string },
  answer: Print = print,
): Promise<Sink> {
  const hits: Hit[] = []
  return listening(createSecureServer(options, listener(hits, answer)), hits, '127.0.0.1')
}

/** A sink that passes each connection to a function. */
export async function aRawSink(onConnection: (socket: Socket) => void): Promise<Sink> {
  return listening(createPlainServer(onConnection), [], '127.0.0.1')
}

/** A port on which nobody listens. */
export async function aFreePort(): Promise<number> {
  const server = createPlainServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A valid request. */
export function aRequest(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url,
    method: 'GET',
    headers: [],
    body: null,
    connectMs: 3_000,
    totalMs: 10_000,
    maxAnswerBytes: 65_536,
    ...more,
  }
}

function listener(hits: Hit[], answer: Print): RequestListener {
  return (request, response) => void take({ hits, answer }, request, response)
}

async function take(
  { hits, answer }: { readonly hits: Hit[]; readonly answer: Print },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const { method = '', url: path = '', rawHeaders } = request
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
  const hit = { method, path, headers, body: Buffer.concat(pieces).toString() }
  hits.push(hit)
  answer(hit, response)
}

async function listening(server: Server, hits: readonly Hit[], host: string): Promise<Sink> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    hits,
    connections: () => connections,
    open: () => sockets.size,
  }
}
