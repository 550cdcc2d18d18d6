import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { administratorEnv, administratorToken, callApi } from '../server/api-access.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'

/** The repository that everything is uploaded to. */
export const repository = 'uploads'

// A start takes a second; the rest is for a machine with other work.
const startMs = 60_000

/** A data folder and the server on it, which can be ended and started again. Its type `file` takes any file. */
export class Location {
  readonly folder = mkdtempSync(join(tmpdir(), 'quire-uploads-'))
  readonly #env: Readonly<Record<string, string>>
  #served: { server: ServerProcess; token: string } | undefined

  /** With another environment than that of an empty service. */
  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = { ...administratorEnv, QUIRE_LOG: 'error', ...env }
  }

  get data(): string {
    return join(this.folder, 'data')
  }

  /** Where the file of a blob is. */
  blobFile(hash: string): string {
    return join(this.data, 'blobs', 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)
  }

  /** Where the bytes of an upload are while they come. */
  partialFile(uploadPath: string): string {
    return join(this.data, 'blobs', 'partial', uploadPath.split('/').at(-1) ?? '')
  }

  get server(): ServerProcess {
    if (!this.#served) throw new Error('no server runs here')
    return this.#served.server
  }

  get url(): string {
    return this.server.url
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  get pid(): number {
    return this.server.pid
  }

  get token(): string {
    return this.#served?.token ?? ''
  }

  /** Serves the folder; the first time it makes what is uploaded to. */
  async open(): Promise<this> {
    await this.start()
    await callApi(this, 'POST', { path: '/api/admin/repositories', body: { name: repository } })
    const type = { name: 'file', fields: [], settings: { isAsset: true } }
    await callApi(this, 'POST', { path: '/api/content/management/types', body: type })
    return this
  }

  /** Serves the folder, on a free port unless one is given, and resolves when it is ready. */
  async start(port = 0): Promise<void> {
    const args = [...serveArgs(this.data), `--port=${port}`]
    const server = await startServer({ args, env: this.#env, timeout: startMs })
    while ((await fetch(`${server.url}/readyz`)).status !== 200) await wait(10)
    this.#served = { server, token: await administratorToken(server.url) }
  }

  async restart(): Promise<void> {
    await this.server.stop()
    await this.start()
  }

  /** Ends the server as a power cut of its process would. */
  async kill(): Promise<void> {
    await this.server.kill()
  }

  /** Ends the server and removes the folder. */
  async close(): Promise<void> {
    await this.#served?.server.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
