import { fork, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { administratorEnv, administratorToken, callApi } from '../../test/server/api-access.ts'

/** A server that runs in its own process. */
export interface Running {
  readonly port: number
  readonly token: string
  readonly process: ChildProcess
}

/** How the bare server runs. */
export interface BareOptions {
  /** A folder of files to stream. */
  readonly files?: string
  /** Writes the log lines and sends the headers of Quire. */
  readonly logs?: boolean
}

/** Starts the bare server on its database. */
export function startBare(database: string, { files, logs = false }: BareOptions = {}): Promise<Running> {
  const given = [
    database,
    ...(files === undefined ? [] : [files]),
    ...(logs ? [`--log=${database}.log`] : []),
  ]
  return startScript<Omit<Running, 'process'>>(new URL('./bare-server.ts', import.meta.url), given)
}

/** Starts a script, which sends a message when it is ready. Errors: it ends before. */
export function startScript<T extends object>(
  script: URL,
  given: readonly string[],
): Promise<T & Pick<Running, 'process'>> {
  const child = fork(fileURLToPath(script), given)
  return new Promise((resolve, reject) => {
    child.once('message', (started: T) => resolve({ ...started, process: child }))
    child.once('exit', (code) => reject(new Error(`${script.href} ended with ${code}`)))
  })
}

/**
 * Starts Quire on a data folder as shipped: the built command with its defaults, logging to a file.
 * The token belongs to an editor, or to an account with the given bundles.
 */
export async function startQuire(data: string, bundles?: readonly string[]): Promise<Running> {
  const { process: child, port } = await spawnQuire(data, 0)
  const url = `http://127.0.0.1:${port}`
  return { process: child, port, token: await editorToken(url, bundles) }
}

/**
 * Starts Quire from its sources, so that a profile can distinguish files. Also returns the address
 * of the inspector.
 */
export async function startInspected(data: string): Promise<Running & { readonly inspector: string }> {
  const source = fileURLToPath(new URL('../../packages/server/src/cli.ts', import.meta.url))
  // The service would start itself again to set this limit, which would open the inspector twice.
  const node = ['--max-semi-space-size=16', '--inspect=127.0.0.1:0', '--conditions=quire-source', source]
  const child = spawn(process.execPath, [...node, 'serve', '--port=0', `--data=${data}`], {
    env: { ...process.env, ...administratorEnv },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [inspector, address] = await Promise.all([
    firstMatch(child.stderr, /(ws:\/\/\S+)/),
    firstMatch(child.stdout, /"event":"ready","url":"([^"]+)"/),
  ])
  return { process: child, port: Number(new URL(address).port), token: await editorToken(address), inspector }
}

/** The first match of a pattern in a stream. The rest of the stream is read and dropped. */
function firstMatch(stream: Readable, form: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.setEncoding('utf8').on('data', (part: string) => {
      if (text.length < 10_000) text += part
      const found = form.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    stream.once('end', () => reject(new Error(`the server ended: ${text}`)))
  })
}

/** The built command. */
export const cli = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url))
const longestStart = 20_000

/** Options for starting the service. */
interface Start {
  readonly port: number
  /** A file descriptor, or `ignore`. */
  readonly log: number | 'ignore'
  /** Additional flags. */
  readonly flags?: readonly string[]
}

export function startCommand(data: string, { port, log, flags = [] }: Start): ChildProcess {
  return spawn(process.execPath, [cli, 'serve', `--port=${port}`, `--data=${data}`, ...flags], {
    env: { ...process.env, ...administratorEnv },
    stdio: ['ignore', log, 'inherit'],
  })
}

/** Spawns the service with additional flags and waits until it prints that it is ready. */
export async function spawnQuire(
  data: string,
  port: number,
  flags: readonly string[] = [],
): Promise<Omit<Running, 'token'>> {
  const out = `${data}-${Date.now()}.log`
  const log = openSync(out, 'w')
  const child = startCommand(data, { port, log, flags })
  closeSync(log)
  const until = performance.now() + longestStart
  for (;;) {
    const ready = /"event":"ready","url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(readFileSync(out, 'utf8'))
    if (ready) return { process: child, port: port || Number(ready[1]) }
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`quire serve did not start: ${out}`)
    await wait(5)
  }
}

/** A port without a listener. */
export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      // A server that listens on a port has an AddressInfo.
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Issues a token for a new account with its own role, like that of a website or an editor. */
export async function editorToken(
  url: string,
  bundles: readonly string[] = ['bundle.publisher'],
): Promise<string> {
  const call = { url, token: await administratorToken(url) }
  const name = `Bench ${Date.now()}`
  const role = await callApi<{ id: string }>(call, 'POST', {
    path: '/api/security/roles',
    body: { name, bundles },
  })
  const account = await callApi<{ id: string; secret: string }>(call, 'POST', {
    path: '/api/security/serviceAccounts',
    body: { name, roles: [role.id] },
  })
  return administratorToken(url, account)
}

/** Stops a server and waits for its exit. */
export async function stopServer({ process: child }: Pick<Running, 'process'>): Promise<void> {
  if (child.exitCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    if (child.connected) child.disconnect()
    else child.kill('SIGTERM')
  })
}

/** The resident memory of a server in megabytes. */
export function rssMb({ process: child }: Pick<Running, 'process'>): number {
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** A request as bytes for the wire. */
export function request(server: Running, line: string, body?: string): string {
  const head = `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** A request with a GraphQL document as bytes for the wire. */
export function graphRequest(server: Running, query: string): string {
  return request(server, 'POST /api/graphql/bench', JSON.stringify({ query }))
}
