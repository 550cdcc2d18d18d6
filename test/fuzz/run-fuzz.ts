import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import { memorySecrets } from '@quire/core/memory'
import { openSqliteStore } from '@quire/store-sqlite'
import { administratorEnv, administratorToken } from '../server/api-access.ts'
import { Connection } from '../server/connection.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'
import { fuzz, replayBytes, type FuzzReport } from './fuzz.ts'
import { createPool, type Pool, type Prepared } from './pool.ts'
import { prepareStore } from './prepare.ts'

/** The seed and the length of a run. */
export interface FuzzRun {
  readonly seed: number
  readonly requests: number
  /** Milliseconds. */
  readonly deadline: number
}

/** Fuzzes the service as shipped, on SQLite, in its own process. */
export async function runFuzz(run: FuzzRun): Promise<FuzzReport> {
  return onServer(({ server, token, pool }) => fuzz({ ...run, server, token, pool }))
}

/** Repeats one request of an earlier run. Returns the answer as text. */
export async function replay(text: string): Promise<string> {
  return onServer(async ({ server, token }) => {
    const connection = new Connection(server.url)
    const { status, body } = await connection.send({ bytes: replayBytes(text, token), timeout: 30_000 })
    connection.close()
    return [`${status} ${body.toString()}`, ...server.lines].join('\n')
  })
}

async function onServer<T>(work: (opened: FuzzServer) => Promise<T>): Promise<T> {
  const opened = await openFuzzServer()
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** The service on a prepared data folder. */
export interface FuzzServer {
  readonly server: ServerProcess
  readonly url: string
  /** An administrator's token. */
  readonly token: string
  readonly pool: Pool
  close(): Promise<void>
}

/** Prepares a data folder and serves it. */
export async function openFuzzServer(): Promise<FuzzServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-fuzz-'))
  const prepared = await prepareData(folder)
  const server = await startServer({
    args: [...serveArgs(folder), '--log', 'error'],
    env: administratorEnv,
  })
  const close = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const pool = createPool(prepared, server.url)
  return { server, url: server.url, token: await administratorToken(server.url), pool, close }
}

/** Prepares a data folder before a server opens it. */
export async function prepareData(folder: string): Promise<Prepared> {
  const key = randomBytes(32)
  writeFileSync(join(folder, 'server.key'), key, { mode: 0o600 })
  const secrets = memorySecrets(key)
  const store = await openSqliteStore({ file: join(folder, 'quire.db') })
  try {
    const blobs = await openFileBlobs({ folder: join(folder, 'blobs') })
    return await prepareStore({ store, blobs, secrets })
  } finally {
    await store.close()
  }
}
