import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import { createQuire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Blobs } from '@quire/core/ports'
import { undiciOutbound, type UndiciOutboundOptions } from '@quire/outbound-undici'
import { onTestFinished } from 'vitest'
import type { ServerOptions } from '../src/index.ts'
import { json, serve, type Serving } from './serving.ts'

/** A server with files on this machine. It ends with the test. */
export interface FileServer {
  /** `http://127.0.0.1:…`. */
  readonly origin: string
  readonly port: number
  /** The requests so far. */
  readonly requests: readonly IncomingMessage[]
  /** Number of open connections. */
  open(): number
}

/** Starts a server with files. */
export async function aFileServer(
  answer: (path: string, response: ServerResponse) => void,
): Promise<FileServer> {
  const requests: IncomingMessage[] = []
  const server = createHttpServer((request, response) => {
    requests.push(request)
    response.on('error', () => undefined)
    answer(request.url ?? '', response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    socket.on('close', () => (connections -= 1))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${port}`, port, requests, open: () => connections }
}

/** Writes as long as the reader accepts more, up to `most` bytes. Returns how much was written. */
export function writeSteadily(response: ServerResponse, most = Number.POSITIVE_INFINITY): () => number {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let written = 0
  const write = () => {
    while (!response.destroyed && written < most) {
      written += chunk.length
      if (!response.write(chunk)) return
    }
    if (!response.writableEnded) response.end()
  }
  response.on('drain', write)
  write()
  return () => written
}

/** A Quire server whose magazine may fetch files. */
export interface FetchingServer extends Serving {
  /** Fetches a file. */
  fetchFile(url: string, more?: object, init?: RequestInit): Promise<Response>
  /** Number of assets in the magazine. */
  countAssets(): Promise<number>
  /** Names of the stored files, temporary ones included. */
  storedFiles(): readonly string[]
}

interface FetchingOptions extends Pick<ServerOptions, 'answerMs'> {
  readonly origins: readonly string[]
  readonly egress: UndiciOutboundOptions
  readonly wrap?: (blobs: Blobs) => Blobs
}

/**
 * Serves a magazine with the type `file` for any file, and `note` for texts of at most a million
 * bytes. It ends with the test.
 */
export async function serveFetching({
  origins,
  egress,
  wrap = (blobs) => blobs,
  ...options
}: FetchingOptions): Promise<FetchingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-fetches-'))
  const blobs = wrap(await openFileBlobs({ folder }))
  const outbound = undiciOutbound(egress)
  const quire = createQuire({ store: createMemoryStore(), blobs, outbound, baseUrl: 'http://quire.test' })
  const server = await serve({ quire, ...options })
  onTestFinished(async () => {
    await server.app.close()
    await quire.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { api } = server
  await api.types.create({ name: 'file', settings: { isAsset: true } })
  const settings = { isAsset: true, mimeTypes: ['text/plain'], maxBytes: 1_000_000 }
  await api.types.create({ name: 'note', settings })
  const assets = { fetchOrigins: [...origins] }
  await api.repositories.update({ id: 'magazine', settings: { assets } })
  return {
    ...server,
    fetchFile: (url, more = {}, init = {}) =>
      server.fetch('/api/assets/magazine/from-url', { ...json({ url, type: 'file', ...more }), ...init }),
    async countAssets() {
      const { items } = await api.items.list({ configId: 'magazine' })
      return items.filter(({ asset }) => asset !== null).length
    },
    storedFiles: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
  }
}
