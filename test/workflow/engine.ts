import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createProcess, type ProcessState, type ProcessInput, type Accepted } from './process.ts'

/** A request to an engine that has not been answered yet. */
export interface Exchange {
  /** The `Idempotency-Key`. */
  readonly key: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly given: ProcessInput
  readonly response: ServerResponse
  /**
   * Performs the requested action, once per key, and returns the new state. Errors: throws if the
   * action is invalid.
   */
  readonly take: () => ProcessState
  /** Performs the action, and answers as engines do. */
  readonly answer: () => void
}

/** How an engine reacts to a request. */
export type Reaction = (exchange: Exchange) => void

/** A stand-in for a workflow engine: an HTTP server in the test that performs each action once. */
export interface EngineStandIn {
  readonly baseUrl: string
  /** The performed actions, in order. */
  readonly accepted: readonly Accepted[]
  /** All received requests, in order, whatever their outcome. */
  readonly asked: readonly Pick<Exchange, 'key' | 'path' | 'headers' | 'given'>[]
  /** Sets the reaction to further requests. Default: actions are performed and answered. */
  reactBy(reaction: Reaction): void
  /** Stops listening. */
  close(): Promise<void>
  /** Listens again, on the same address. */
  reopen(): Promise<void>
}

/** Performs the action and answers. */
export const sound: Reaction = (exchange) => exchange.answer()

/** Starts an engine on 127.0.0.1 with a two-step review process. */
export async function openEngine(): Promise<EngineStandIn> {
  const asked: EngineStandIn['asked'][number][] = []
  const process = createProcess()
  let react = sound
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request
    // Quire posts JSON. The process checks whether it contains what an engine needs.
    const given: ProcessInput = JSON.parse((await text(request)) || '{}')
    const key = String(headers['idempotency-key'])
    asked.push({ key, path, headers, given })
    const take = () => process.take(key, given)
    react({ key, path, headers, given, response, take, answer: () => answer(response, take) })
  }
  let server = createServer((request, response) => void listener(request, response))
  await listen(server, 0)
  // A server that listens on a port has an AddressInfo.
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
