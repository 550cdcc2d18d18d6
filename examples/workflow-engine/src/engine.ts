import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { openCourier, type Courier } from './courier.ts'
import { openInstances } from './instances.ts'
import { readProcesses } from './processes.ts'
import { Refusal } from './refusal.ts'
import { sendAnswer } from './requests.ts'
import { createRoutes, type Respond } from './routes.ts'
import type { CallbackKey } from './sign.ts'

/** How an engine is started. */
export interface EngineOptions {
  /** The bearer token that requests carry: the connection's. */
  readonly token: string
  /** What its callbacks are known by: the connection's `callback`. */
  readonly callback: CallbackKey
  /** Default 0: a free one. */
  readonly port?: number
  /** Ids of groups in Quire whose members a step is for, by the name of the step. Default: anybody. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  /** How long a legal review may take before the chief editor decides. Default 72 hours, at most 24 days: more than a timer of Node holds never fires. */
  readonly legalReviewMs?: number
  /** The pause before a callback is tried again; each further one is twice as long. Default 1000. */
  readonly retryMs?: number
  /** Where callbacks may go: `https://quire.example.org`. Default: wherever a start says. */
  readonly callbackOrigins?: readonly string[]
}

/** An engine that listens. */
export interface RunningEngine {
  /** `http://127.0.0.1:4500` */
  readonly baseUrl: string
  /** Ends its instances, and gives up on callbacks that have not arrived. */
  close(): Promise<void>
}

const hourMs = 60 * 60 * 1000
const mostLegalReviewMs = 24 * 24 * hourMs

/** Starts an engine on 127.0.0.1, with the processes of the folder `process`. */
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
    throw new Refusal(400, `Callbacks do not go to ${new URL(url).origin}.`)
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
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.')
  return `http://127.0.0.1:${address.port}`
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
