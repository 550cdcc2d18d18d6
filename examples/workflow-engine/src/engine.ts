import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { openCourier, type Courier } from './courier.ts'
import { openInstances } from './instances.ts'
import { readProcesses } from './processes.ts'
import { Refusal } from './refusal.ts'
import { sendAnswer } from './requests.ts'
import { createRoutes, type Respond } from './routes.ts'
import type { CallbackKey } from './sign.ts'

export interface EngineOptions {
  /** The bearer token of Quire's requests: the `auth` of the connection. */
  readonly token: string
  /** The credential of the engine's callbacks: the `callback` of the connection. */
  readonly callback: CallbackKey
  /** Default: 0, a free port. */
  readonly port?: number
  /**
   * The ids of the groups in Quire whose members may act on a step, by step name. Default: anyone.
   */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  /**
   * How long a legal review may take before the chief editor decides. Default: 72 hours. Maximum:
   * 24 days, because Node's timers cannot wait longer.
   */
  readonly legalReviewMs?: number
  /**
   * The pause in ms before a callback is retried. Each further pause is twice as long. Default:
   * 1000.
   */
  readonly retryMs?: number
  /**
   * The origins that callbacks may go to, such as `https://quire.example.org`. Default: any address
   * in a start request.
   */
  readonly callbackOrigins?: readonly string[]
}

/** A running engine. */
export interface RunningEngine {
  /** `http://127.0.0.1:4500` */
  readonly baseUrl: string
  /** Stops its instances, and drops undelivered callbacks. */
  close(): Promise<void>
}

const hourMs = 60 * 60 * 1000
const mostLegalReviewMs = 24 * 24 * hourMs

/** Starts an engine on 127.0.0.1 with the processes in the folder `process`. */
export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  const { token, callback, port = 0, groups = {}, retryMs = 1000, callbackOrigins } = options
  const legalReviewMs = requireLegalReviewMs(options.legalReviewMs ?? 72 * hourMs)
  const processes = await readProcesses(join(import.meta.dirname, '../process'))
  const courier = openCourier({ key: callback, retryMs })
  const server = createServer()
  const baseUrl = await listen(server, port)
  const actionUrlOf = (id: string) => `${baseUrl}/instances/${id}/actions`
  const instances = openInstances({ processes, courier, groups, legalReviewMs, actionUrlOf })
  const requireCallbackUrl = (url: string) => requireOrigin(url, callbackOrigins)
  server.on('request', createListener(createRoutes({ instances, token, requireCallbackUrl }), courier))
  return {
    baseUrl,
    async close() {
      await closeServer(server)
      await instances.close()
      await courier.close()
    },
  }
}

function requireLegalReviewMs(ms: number): number {
  if (ms > 0 && ms <= mostLegalReviewMs) return ms
  throw new RangeError(`legalReviewMs is ${ms}: it must be above 0, and at most ${mostLegalReviewMs}.`)
}

function requireOrigin(url: string, origins: readonly string[] | undefined): void {
  if (origins && !origins.includes(new URL(url).origin))
    throw new Refusal(400, `Callbacks to ${new URL(url).origin} are not allowed.`)
}

function createListener(respond: Respond, courier: Courier): RequestListener {
  return (request, response) => {
    response.once('close', () => courier.send())
    respond(request).then(
      (answer) => sendAnswer(response, answer),
      (error: unknown) => {
        console.error(error)
        sendAnswer(response, { status: 500, body: { message: 'The engine has failed.' } })
      },
    )
  }
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
