import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { administratorEnv, administratorToken, callApi } from '../server/api-access.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'

export const repository = 'uploads'

// A start takes a second. The rest is reserve for a busy machine.
const startMs = 60_000

/**
 * A data folder and its server, which can be stopped and restarted. Its type `file` accepts any
 * file.
 */
export class Location {
  readonly folder = mkdtempSync(join(tmpdir(), 'quire-uploads-'))
  readonly #env: Readonly<Record<string, string>>
  #served: { server: ServerProcess; token: string } | undefined

  /** `env` is added to the environment of an empty service. */
  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = { ...administratorEnv, QUIRE_LOG: 'error', ...env }
  }

  get data(): string {
    return join(this.folder, 'data')
  }

  /** The file of a blob. */
  blobFile(hash: string): string {
    return join(this.data, 'blobs', 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)
  }

  /** The file of an unfinished upload. */
  partialFile(uploadPath: string): string {
    return join(this.data, 'blobs', 'partial', uploadPath.split('/').at(-1) ?? '')
  }

  get server(): ServerProcess {
    if (!this.#served) throw new Error('the server is not running')
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

  /** Serves the folder. Creates the repository and type the first time. */
  async open(): Promise<this> {
    await this.start()
    await callApi(this, 'POST', { path: '/api/admin/repositories', body: { name: repository } })
    const type = { name: 'file', fields: [], settings: { isAsset: true } }
    await callApi(this, 'POST', { path: '/api/content/management/types', body: type })
    return this
  }

  /** Serves the folder, on a free port by default. Resolves when the server is ready. */
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

  /** Kills the server with SIGKILL. */
  async kill(): Promise<void> {
    await this.server.kill()
  }

  /** Kills the server and removes the folder. */
  async close(): Promise<void> {
    await this.#served?.server.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
