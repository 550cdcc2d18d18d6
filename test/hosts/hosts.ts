import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { quireHandlers } from '@quire/client/mock'
import type { Quire } from '@quire/core'
import {
  createFetchHandler,
  noRateLimits,
  toNodeHandler,
  type FetchHandler,
  type FetchHandlerOptions,
} from '@quire/http'
import { createServer as createQuireServer, quirePlugin } from '@quire/server'
import express from 'express'
import { fastify, type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import { setupServer } from 'msw/node'
import { createHostEngine, type HostEngine } from './engine.ts'
import type { Served } from './record.ts'

/** A host that is running. */
export interface RunningHost extends Served {
  readonly close: () => Promise<void>
}

/** Starts a host below a base path, which may have a slash at its end. */
export type StartHost = (basePath: string, tags?: TagOptions) => Promise<RunningHost>

/** The option of every host for cache tags. */
type TagOptions = Pick<FetchHandlerOptions, 'cacheTags'>

const trustedOrigins = ['https://www.example.org']

/** The public address of a path on a port, without a slash at its end. */
function addressOf(port: number, basePath: string): string {
  return `http://127.0.0.1:${port}${basePath}`.replace(/\/+$/, '')
}

/** What a host of Fastify leaves out, because only a server on its own does it. */
const plain = { rates: noRateLimits, compression: false, cors: { origins: trustedOrigins } }

/** A host of Fastify. The engine needs the port in its address before the app listens. */
function fastifyHostOf(
  create: (quire: Quire, basePath: string, tags: TagOptions) => Promise<FastifyInstance>,
): StartHost {
  return async (basePath, tags = {}) => {
    const port = await freePort()
    const baseUrl = addressOf(port, basePath)
    const engine = await createHostEngine(baseUrl)
    const app = await create(engine.quire, basePath, tags)
    await app.listen({ host: '127.0.0.1', port })
    return running(engine, baseUrl, async () => {
      await app.close()
    })
  }
}

/** The reference: the plugin. */
export const fastifyHost = fastifyHostOf(async (quire, basePath, tags) => {
  const app = fastify()
  await app.register(quirePlugin, { ...plain, ...tags, quire, prefix: basePath.replace(/\/+$/, '') })
  return app
})

/** The service itself, which also answers what the router of a plugin refuses. */
export const serviceHost = fastifyHostOf(async (quire, _basePath, tags) =>
  createQuireServer({ ...plain, ...tags, quire, baseUrl: quire.baseUrl }),
)

/** The handler behind a listener of Node that `mount` creates. */
function hostOf(mount: (handler: FetchHandler, basePath: string) => Server): StartHost {
  return async (basePath) => {
    const port = await freePort()
    const baseUrl = addressOf(port, basePath)
    const engine = await createHostEngine(baseUrl)
    const handler = createFetchHandler(engine.quire, { basePath, rates: noRateLimits, trustedOrigins })
    const server = mount(handler, basePath)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return running(engine, baseUrl, async () => {
      handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  }
}

function running({ quire, account }: HostEngine, baseUrl: string, stop: () => Promise<void>): RunningHost {
  return {
    baseUrl,
    account,
    ask: (request) => fetch(request),
    close: async () => {
      await stop()
      await quire.close()
    },
  }
}

/** The handler without a connection. */
export const alone: StartHost = async (basePath, tags = {}) => {
  const baseUrl = addressOf(80, basePath).replace(':80', '')
  const engine = await createHostEngine(baseUrl)
  const handler = createFetchHandler(engine.quire, {
    ...tags,
    basePath,
    rates: noRateLimits,
    trustedOrigins,
  })
  const host = running(engine, baseUrl, async () => handler.close())
  return { ...host, ask: handler }
}

/** The mock of the client, through the fetch function that msw replaces. */
export const mock: StartHost = async (basePath, tags = {}) => {
  const baseUrl = addressOf(80, basePath).replace(':80', '')
  const engine = await createHostEngine(baseUrl)
  const network = setupServer(...quireHandlers({ ...tags, quire: engine.quire, baseUrl, trustedOrigins }))
  network.listen({ onUnhandledFrame: 'error' })
  return running(engine, baseUrl, async () => network.close())
}

/** The hosts that must answer as the reference does. */
export const hosts: Readonly<Record<string, StartHost>> = {
  'the handler alone': alone,
  'plain Node': hostOf((handler) => createServer(toNodeHandler(handler))),
  Express: hostOf((handler) => {
    const app = express()
    app.use(toNodeHandler(handler))
    return createServer(app)
  }),
  'Express below a mounted path': hostOf((handler, basePath) => {
    const app = express()
    app.use(basePath, toNodeHandler(handler))
    return createServer(app)
  }),
  Hono: hostOf((handler) => {
    const app = new Hono()
    app.all('*', ({ req }) => handler(req.raw))
    // Its server is one of node:http unless it is asked for another.
    return createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  }),
  'the mock': mock,
}

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
