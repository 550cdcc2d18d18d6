import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createProcess, type ProcessState, type ProcessInput, type Accepted } from './process.ts'

/** A request to an engine that is being answered. */
export interface Exchange {
  /** The `Idempotency-Key`. */
  readonly key: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly given: ProcessInput
  readonly response: ServerResponse
  /** Takes what is asked, once for each key, and says where that leads. Errors: throws what cannot be taken. */
  readonly take: () => ProcessState
  /** Takes it and answers as engines do. */
  readonly answer: () => void
}

/** How an engine reacts to a request. */
export type Reaction = (exchange: Exchange) => void

/** A stand-in for a workflow engine: a real HTTP server of the test, which takes each action once. */
export interface EngineStandIn {
  readonly baseUrl: string
  /** What it took, in order. */
  readonly accepted: readonly Accepted[]
  /** What came, in order, whatever became of it. */
  readonly asked: readonly Pick<Exchange, 'key' | 'path' | 'headers' | 'given'>[]
  /** How it reacts from now on. Default: it takes and answers everything. */
  reactBy(reaction: Reaction): void
  /** Stops to listen. */
  close(): Promise<void>
  /** Listens again, at the same address. */
  reopen(): Promise<void>
}

/** Takes and answers. */
export const sound: Reaction = (exchange) => exchange.answer()

/** Opens an engine on 127.0.0.1 that knows a review of two steps. */
export async function openEngine(): Promise<EngineStandIn> {
  const asked: EngineStandIn['asked'][number][] = []
  const process = createProcess()
  let react = sound
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request
    // What Quire posts is JSON; whether it is what an engine needs the process looks at.
    const given: ProcessInput = JSON.parse((await text(request)) || '{}')
    const key = String(headers['idempotency-key'])
    asked.push({ key, path, headers, given })
    const take = () => process.take(key, given)
    react({ key, path, headers, given, response, take, answer: () => answer(response, take) })
  }
  let server = createServer((request, response) => void listener(request, response))
  await listen(server, 0)
  // It listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    accepted: process.accepted,
    asked,
    reactBy: (reaction) => (react = reaction),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
    async reopen() {
      server = createServer((request, response) => void listener(request, response))
      await listen(server, port)
    },
  }
}

function answer(response: ServerResponse, take: Exchange['take']): void {
  try {
    sendJson(response, 200, take())
  } catch (error) {
    sendJson(response, 409, { message: error instanceof Error ? error.message : String(error) })
  }
}

/** Ends an answer with JSON. */
export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
}
